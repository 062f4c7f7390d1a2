import { execFile } from 'node:child_process'
import { builtinModules } from 'node:module'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import * as z from 'zod'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const packages = z.record(z.string(), z.string())
const manifest = z
  .object({ dependencies: packages, peerDependencies: packages })
  .parse(JSON.parse(await read('package.json')))

/** The packages that files of dist import or require. */
async function findPackages(entryPoints: readonly string[]): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    entryPoints: entryPoints.map((path) => join(root, path)),
    outdir: '/bundle',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports)
  const names = imported.filter(({ external }) => external === true).map(({ path }) => path)
  return new Set(names.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path))
}

const script = `
import { createMock, SetupError } from 'resource-mock'
import { SetupError as Same } from 'resource-mock/node'
import 'resource-mock/msw'
const error = await createMock({ scenario: 'none-such' }).catch((error) => error)
console.log(JSON.stringify([SetupError === Same, error instanceof Same, error.stack.split('\\n').slice(1, 3).join()]))
`

it('the entries share their classes, and stack traces name functions', async () => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  const [isSame, isInstance, stack] = JSON.parse((await run).stdout) as readonly [boolean, boolean, string]
  expect([isSame, isInstance]).toEqual([true, true])
  expect(stack).toMatch(/at toDefaults .*at openMockState /)
})

it('the files of the package import only packages that are installed with it', async () => {
  const all = await readdir(join(root, 'dist'), { recursive: true })
  const used = await findPackages(all.filter((path) => /\.c?js$/.test(path)).map((path) => `dist/${path}`))
  const { dependencies, peerDependencies } = manifest
  const known = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), ...builtinModules])
  expect([...used]).toEqual(expect.arrayContaining(['proper-lockfile', 'msw', '@playwright/test']))
  expect([...used].filter((name) => !name.startsWith('node:') && !known.has(name))).toEqual([])
})

it('an import of the library loads nothing that a request rarely needs', async () => {
  const { metafile } = await build({
    entryPoints: [join(root, 'src/index.ts')],
    absWorkingDir: root,
    outdir: '/bundle',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const entry = Object.keys(metafile.outputs).find((path) => path.endsWith('/index.js')) ?? expect.fail('no entry')
  const loaded = new Set([entry])
  // A set also iterates over what is added meanwhile.
  for (const path of loaded) {
    const { imports = [] } = metafile.outputs[path] ?? {}
    for (const one of imports) if (one.kind === 'import-statement') loaded.add(one.path)
  }
  const sources = new Set([...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {})))
  expect(sources).toContain('src/mock.ts')
  const rare =
    /faker|\/yaml\/|momoa|modelcontextprotocol|openapi\/document|write-pact|built-client|share\.ts|explanation\.ts/
  expect([...sources].filter((path) => rare.test(path))).toEqual([])
})

it('the notices have the licence of each package inside', async () => {
  const notices = await read('dist/THIRD-PARTY-NOTICES.txt')
  for (const name of [
    '@faker-js/faker',
    '@hono/node-server',
    '@modelcontextprotocol/server',
    'commander',
    'hono',
    'yaml',
    'zod',
  ])
    expect(notices).toMatch(
      new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|Apache-2\\.0)\\)\n\n.*licen[cs]e`, 'ims'),
    )
})

it('packages that stay outside may be updated within their major version', () => {
  expect(Object.values(manifest.dependencies).filter((range) => !range.startsWith('^'))).toEqual([])
})
