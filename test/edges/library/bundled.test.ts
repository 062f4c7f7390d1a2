import { execFile } from 'node:child_process'
import { builtinModules } from 'node:module'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { createMock } from '../../../src/index.ts'

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
    // Otherwise, each entry would be written with all that it imports.
    splitting: true,
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

it('the bundle keeps checks whose result nobody reads', async () => {
  const ask = `
import { createMock } from 'resource-mock'
const mock = await createMock()
const { status } = await mock.fetch('/acme/resource/%zz', { headers: { Authorization: 'Bearer any' } })
console.log(status)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', ask], { cwd: root })
  expect(stdout.trim()).toBe('400')
})

/** Asks the built package for what it loads on demand; `mock` is a new one. Prints each status, and the generated texts. */
const ON_DEMAND = `
const json = { 'Content-Type': 'application/json' }
const post = (body) => ({ method: 'POST', headers: { ...json, Accept: 'application/json, text/event-stream' }, body: JSON.stringify(body) })
const requests = [
  ['/__admin/health'],
  ['/_pactSetup', post({ state: 'a project with these resources' })],
  ['/acme/resource', { headers: { Prefer: 'dynamic=true' } }],
  ['/__admin/openapi.json'],
  ['/__admin/requests'],
  ['/__admin/requests.har'],
  ['/__admin/pact?consumer=shop&provider=service'],
  ['/__admin/coverage'],
  ['/__admin/projects'],
  ['/__admin/runs'],
  ['/__admin/share.html'],
  ['/__admin/dashboard.js'],
  ['/__admin/mcp', post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['/__admin/scenarios/active', { method: 'PUT', headers: json, body: '{"active":["own"]}' }],
  ['/acme/resource?limit=1'],
]
const run = async ({ createMock }) => {
  for (const [path, init] of requests) {
    const yaml = 'description: Own\\nrules:\\n  - effect: { answer: { status: 418 } }\\n'
    const mock = await createMock({ auth: 'off', generate: 3, scenarios: { 'own.yaml': yaml } })
    const { status } = await mock.fetch(path, init)
    statuses.push(path + ' ' + status)
  }
}
const statuses = []
`

it.each([
  ['imported', 'module', "import * as library from 'resource-mock'\n"],
  ['required', 'commonjs', "const library = require('resource-mock')\n"],
])('what an %s mock loads on demand works the first time', async (_how, type, load) => {
  const text = `${load}${ON_DEMAND}run(library).then(() => console.log(JSON.stringify(statuses)))`
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${type}`, '-e', text], { cwd: root })
  const statuses = z.array(z.string()).parse(JSON.parse(stdout))
  expect(statuses).toHaveLength(15)
  expect(statuses.filter((one) => !one.endsWith(' 200'))).toEqual([])
})

it('the words in the package generate the same resources and bodies as all words of Faker', async () => {
  const paths = ['/acme/resource?limit=20', '/acme/resource/any', '/acme/resource/namespace-action-with-example']
  // The built package, which has no declarations here.
  const built = (await import(join(root, 'dist/index.js'))) as { readonly createMock: typeof createMock }
  for (const seed of [1, 2, 3]) {
    const read = async (create: typeof createMock) => {
      const mock = await create({ auth: 'off', generate: 20, seed })
      const headers: readonly HeadersInit[] = [{}, { Prefer: 'dynamic=true' }]
      const replies = headers.flatMap((one) => paths.map((path) => mock.fetch(path, { headers: one })))
      return Promise.all(replies.map(async (reply) => (await reply).text()))
    }
    expect(await read(built.createMock)).toEqual(await read(createMock))
  }
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

it('an import of the fixture for Playwright loads no mock, which its runner does not need', async () => {
  const loaded = new Set(['dist/playwright.js'])
  for (const path of loaded) {
    const imports = (await read(path)).matchAll(/\b(?:import|from)\s*"(\.[^"]+)"/g)
    for (const [, target = ''] of imports) loaded.add(join(dirname(path), target))
  }
  expect(loaded.size).toBeGreaterThan(2)
  expect([...loaded].filter((path) => /core|server|fixtures|matchers/.test(path))).toEqual([])
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
