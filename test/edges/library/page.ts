import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/** The entries that a page may import, by the names of their files. */
const entries = {
  'resource-mock': 'index',
  'resource-mock/node': 'node',
  'resource-mock/msw': 'msw',
  'resource-mock/playwright': 'playwright',
  'resource-mock/redis': 'redis',
  'resource-mock/vite': 'vite',
  'resource-mock/ssr': 'ssr',
  'resource-mock/reporter': 'reporter',
  'resource-mock/resilience': 'resilience',
}

/** `expression // → value` on the page, whose value is compared. */
const EXPECTATION = /^(?!\s*(?:const|import|\/\/))(\s*)(.+?) \/\/ → (.+)$/gm

/** A snippet as a test: its imports, and the expected value of each expression. */
function toTest(snippet: string, name: string): string {
  const isImport = (line: string) => line.startsWith('import ')
  const lines = snippet.split('\n')
  const body = lines.filter((line) => !isImport(line)).join('\n')
  const checked = body.replaceAll(EXPECTATION, '$1expect($2).toEqual($3)')
  const imports = ["import { expect, it } from 'vitest'", ...lines.filter(isImport)].join('\n')
  return `${imports}\n\nit(${JSON.stringify(name)}, async () => {\n${checked}\n})\n`
}

/** The code of a page by file name: a block that starts with `// path` is that file, any other is a separate test. */
export function filesOf(page: string): ReadonlyMap<string, string> {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```[jt]s\n([^]*?)^```$/gm)
  return new Map(
    Array.from(blocks, ([, text = ''], index) => {
      const [, path] = /^\/\/ (\S+\.[jt]s)\n/.exec(text) ?? []
      const name = `snippet-${index + 1}`
      return path === undefined ? [`test/${name}.test.ts`, toTest(text, name)] : [path, text]
    }),
  )
}

const toAliases = (toPath: (file: string) => string) =>
  Object.entries(entries).map(([name, file]) => [name, join(root, toPath(file))] as const)

/** Files to run the tests: the page's own configuration, if it has one, and the location of the built package. */
const toRunner = (hasConfig: boolean): string => `import { mergeConfig } from 'vitest/config'
${hasConfig ? "import config from './vitest.config.ts'" : 'const config = {}'}
const alias = ${JSON.stringify(toAliases((file) => `dist/${file}.js`))}
  .map(([name, replacement]) => ({ find: new RegExp('^' + name + '$'), replacement }))
// Vitest would transform all of the package.
const server = { deps: { external: [/\\/dist\\//] } }
const include = ['test/**/*.test.{js,ts}']
export default mergeConfig(config, { resolve: { alias }, test: { server, include, testTimeout: 600_000 } })
`

const toTsconfig = (): string =>
  JSON.stringify({
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      paths: Object.fromEntries(toAliases((file) => `src/${file}.ts`).map(([name, path]) => [name, [path]])),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: ['**/src', '**/test', '**/vitest.config.ts', '**/vite.config.ts'],
  })

/** A folder with the code of a page, as its reader would have it, and the files to run it. */
export async function layOut(
  files: ReadonlyMap<string, string>,
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'resource-mock-page-'))
  const all = new Map([
    ['package.json', '{ "type": "module" }'],
    ...files,
    ['run.config.ts', toRunner(files.has('vitest.config.ts'))],
    ['tsconfig.json', toTsconfig()],
  ])
  for (const [path, text] of all) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
