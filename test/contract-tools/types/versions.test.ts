import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

const SOURCE = `import { createMock } from 'resource-mock'
import { startServer } from 'resource-mock/node'
import type { ServerOptions } from 'resource-mock/node'
import { resourceMock } from 'resource-mock/vite'
import type { Resource } from 'resource-mock'
export const options: ServerOptions = { port: 0, scenario: ['slow'] }
export const toKey = ({ key }: Resource): string | undefined => key
export const plugin: string = resourceMock({ prefix: '/api' }).name
export const start = async () => [(await createMock({ auth: 'off' })).session('a').url, startServer]
`

/** The compilers, in the folders that this package installs them in. */
const COMPILERS = ['typescript-5.0', 'typescript-5.4', 'typescript', 'typescript-6', 'typescript-7'] as const

/** How programs find modules, and the files that are compiled: TypeScript 7 has no node10. */
const RESOLUTIONS = {
  node10: { module: 'commonjs', moduleResolution: 'node10', files: ['main.ts'] },
  node16: { module: 'node16', files: ['main.cts', 'main.mts'] },
  nodenext: { module: 'nodenext', files: ['main.cts', 'main.mts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', files: ['main.ts'] },
} as const

const cells = COMPILERS.flatMap((compiler) =>
  // Object.keys() loses the key type.
  (Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])
    .filter((resolution) => compiler !== 'typescript-7' || resolution !== 'node10')
    .map((resolution) => [compiler, resolution] as const),
)

it.each(cells)('%s reads the declarations with %s, and checks them', async (compiler, resolution) => {
  const folder = await createTemporaryFolder()
  const installed = join(folder, 'node_modules/resource-mock')
  // A copy: a link would lead to the packages of this project.
  await mkdir(installed, { recursive: true })
  await cp(join(root, 'package.json'), join(installed, 'package.json'))
  await cp(join(root, 'dist'), join(installed, 'dist'), {
    recursive: true,
    filter: (path) => !/\.\w+$/.test(path) || /\.d\.ts$|package\.json$/.test(path),
  })
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  const { files, ...resolving } = RESOLUTIONS[resolution]
  const compilerOptions = {
    ...resolving,
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    ...(compiler === 'typescript-6' && { ignoreDeprecations: '6.0' }),
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  for (const file of files) await writeFile(join(folder, file), SOURCE)
  const tsc = join(import.meta.dirname, '../node_modules', compiler, 'bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).catch(
    (fault: unknown) => fault as { readonly stdout: string },
  )
  // Others' declarations may need a newer compiler.
  expect(stdout.split('\n').filter((line) => /resource-mock|^main|^tsconfig|^error/.test(line))).toEqual([])
})
