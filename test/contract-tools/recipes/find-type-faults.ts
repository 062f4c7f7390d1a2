import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { filesOf } from '../../edges/library/page.ts'
import { runTool } from '../openapi/tool.ts'

const root = join(import.meta.dirname, '../../..')

/** Type-checks the code on a page, and more files, with the types of its tools. */
export async function findTypeFaults(
  page: string,
  types: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await createTemporaryFolder()
  const paths = {
    'resource-mock': [join(root, 'src/index.ts')],
    'resource-mock/*': [join(root, 'src/*.ts')],
    'msw/*': [join(root, 'node_modules/msw/lib/*/index.d.ts')],
    '@storybook/html-vite': [join(folder, 'node_modules/@storybook/html/dist/index.d.ts')],
  }
  const tsconfig = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { module: 'esnext', moduleResolution: 'bundler', types: ['node', ...types], paths },
    include: ['**/*.ts', '.storybook'],
  }
  const all = [...filesOf(page), ...Object.entries(more), ['tsconfig.json', JSON.stringify(tsconfig)] as const]
  for (const [path, text] of all) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await symlink(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'))
  const { output } = await runTool(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
    folder,
  )
  return output
}
