/**
 * Packs the package, installs the tarball in an empty folder and uses it as a new user would. Only this test detects files
 * and dependencies that the package lacks.
 *
 * Run it with: npm run smoke, or node scripts/smoke.js --tarball <file> for an existing tarball.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import { install, pack } from './pack.js'
import { createSteps } from './steps.js'

const run = promisify(execFile)
const { values: options } = parseArgs({ options: { tarball: { type: 'string' } } })
/** @param {string} path */
const readPackage = async (path) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'))
const { name, version, devDependencies } = await readPackage('../package.json')
const tools = await readPackage('../test/contract-tools/package.json')

/** The longest time for any step, in milliseconds: four Nodes may share a small machine at once. */
const PATIENCE = 180_000

/** The optional peers, in the newest version that runs on this Node. */
const peers = [
  `@playwright/test@${devDependencies['@playwright/test']}`,
  `vite@${devDependencies.vite}`,
  Number(process.versions.node.split('.')[0]) < 22
    ? `msw@${devDependencies.msw}`
    : tools.devDependencies.msw3.replace('npm:', ''),
]

const LIBRARY = `
import assert from 'node:assert/strict'
import { createMock } from 'resource-mock'
import { startServer } from 'resource-mock/node'

const mock = await createMock({ auth: 'off' })
const found = await mock.fetch(new Request('http://mock/acme/resource'))
assert.equal(found.status, 200)

const server = await startServer({ port: 0, auth: 'off' })
const served = await fetch(server.url + '/acme/resource')
assert.deepEqual(await served.json(), await found.json())
const session = server.mock.session('smoke')
await session.use('conflict')
assert.equal((await fetch(session.url + '/acme/resource')).status, 200)
assert.equal((await session.requests({ method: 'GET' })).length, 1)
await server.close()
`

const MSW = `
import assert from 'node:assert/strict'
import { setupServer } from 'msw/node'
import { handlers } from 'resource-mock/msw'

const server = setupServer(...handlers('https://api.example.com', { auth: 'off' }))
server.listen({ onUnhandledRequest: 'error' })
assert.equal((await fetch('https://api.example.com/acme/resource')).status, 200)
server.close()
`

const VITE = `
import assert from 'node:assert/strict'
import { createServer } from 'vite'
import { resourceMock } from 'resource-mock/vite'

const server = await createServer({
  configFile: false,
  logLevel: 'silent',
  server: { port: 0, host: '127.0.0.1' },
  plugins: [resourceMock({ prefix: '/api', auth: 'off' })],
})
await server.listen()
const { port } = server.httpServer.address()
assert.equal((await fetch('http://127.0.0.1:' + port + '/api/acme/resource')).status, 200)
await server.close()
`

const PLAYWRIGHT = `
import { test, expect } from 'resource-mock/playwright'

test('has a session of its own', async ({ mock, request }) => {
  await mock.use('unavailable')
  const answer = await request.get(mock.url + '/acme/resource', { headers: { Authorization: 'Bearer smoke' } })
  expect(answer.status()).toBe(503)
  await expect(mock).toHaveReceived({ method: 'GET' })
})
`

const headers = { Authorization: 'Bearer smoke', 'Content-Type': 'application/json' }
const draft = { objectTypeProperty: { arrayOfIntExample: [1, 2], arrayOfStringExample: ['smoke'] } }

const folder = await mkdtemp(join(tmpdir(), 'resource-mock-smoke-'))
const { step, close } = createSteps(`Node ${process.versions.node}`)
let server

try {
  const tarball = options.tarball === undefined ? await step('packs', () => pack(folder)) : resolve(options.tarball)
  await step('installs in an empty folder', async () => {
    await run('npm', ['init', '-y'], { cwd: folder })
    await install(folder, tarball)
  })
  await step('tells its version', async () => {
    const { stdout } = await run('npx', ['--no-install', name, '--version'], { cwd: folder })
    assert.equal(stdout.trim(), version)
  })

  const url = await step('listens on a free port', async () => {
    // Not with npx: the signal would end npx, which then does not report the command's exit status.
    const command = join(folder, 'node_modules', '.bin', name)
    server = spawn(command, ['--port', '0', '--log', 'silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface({ input: server.stdout }), 'line', {
      signal: AbortSignal.timeout(PATIENCE),
    })
    const [, address] = /^Listening on port \d+ \((http:\/\/[^)]+)\)$/.exec(line) ?? []
    assert.ok(address, `The first line is ${JSON.stringify(line)}.`)
    return address
  })
  await step('creates a resource and finds it again', async () => {
    const created = await fetch(`${url}/acme/resource`, { method: 'POST', headers, body: JSON.stringify(draft) })
    assert.equal(created.status, 201)
    const found = await fetch(new URL(created.headers.get('Location') ?? '', url), { headers })
    assert.equal(found.status, 200)
    assert.deepEqual(await found.json(), { version: 1, ...draft })
  })
  await step('ends with status 0 on SIGTERM', async () => {
    server?.kill('SIGTERM')
    const [status] = await once(server, 'exit', { signal: AbortSignal.timeout(PATIENCE) })
    assert.equal(status, 0)
  })

  await step('serves as a library, with and without a socket', async () => {
    await writeFile(join(folder, 'library.mjs'), LIBRARY)
    await run(process.execPath, ['library.mjs'], { cwd: folder, timeout: PATIENCE })
  })
  await step(`installs next to ${peers.join(', ')}`, async () => {
    // These tests do not need Playwright's browsers.
    await install(folder, '--ignore-scripts', ...peers)
  })
  for (const [entry, script] of [
    ['msw', MSW],
    ['vite', VITE],
  ]) {
    await step(`serves as ${name}/${entry}`, async () => {
      await writeFile(join(folder, `${entry}.mjs`), script)
      await run(process.execPath, [`${entry}.mjs`], { cwd: folder, timeout: PATIENCE })
    })
  }
  await step(`serves as ${name}/playwright`, async () => {
    await writeFile(join(folder, 'smoke.spec.mjs'), PLAYWRIGHT)
    const test = ['node_modules/@playwright/test/cli.js', 'test', `--timeout=${PATIENCE}`]
    await run(process.execPath, test, { cwd: folder, timeout: PATIENCE })
  })
} catch (fault) {
  console.error(fault)
} finally {
  server?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
  close()
}
