/**
 * Uses the packed package on Bun and Deno: the command, `createMock` and `startServer`. Their binaries come from the npm
 * packages that `bun` and `deno` are made of.
 *
 * Run it with: npm run test:nodes, or node scripts/smoke-runtimes.js --tarball <file>.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import { install, pack } from './pack.js'
import { createSteps } from './steps.js'

const run = promisify(execFile)
const { values: options } = parseArgs({ options: { tarball: { type: 'string' } } })

/** The longest time for any step, in milliseconds. */
const PATIENCE = 180_000

const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
const suffix = process.platform === 'win32' ? '.exe' : ''

/** How each runtime runs a script. */
const runtimes = [
  { name: 'bun', version: '1.4.5', binaries: [`@oven/bun-${system}/bin/bun${suffix}`], args: ['run'] },
  {
    name: 'deno',
    version: '2.9.6',
    binaries: ['', '-glibc'].map((libc) => `@deno/${process.platform}-${process.arch}${libc}/deno${suffix}`),
    args: ['run', '--allow-all', '--no-prompt'],
  },
]

const LIBRARY = `
import assert from 'node:assert/strict'
import { createMock } from 'resource-mock'
import { startServer } from 'resource-mock/node'

const headers = { Authorization: 'Bearer smoke', 'Content-Type': 'application/json' }
const mock = await createMock()
const session = mock.session('smoke')
await session.use('unavailable-twice')
const statuses = []
for (let sent = 0; sent < 3; sent += 1) statuses.push((await session.fetch('/acme/resource', { headers })).status)
assert.deepEqual(statuses, [503, 503, 200])
assert.equal((await session.requests()).length, 3)

const server = await startServer({ port: 0 })
const body = JSON.stringify({ key: 'mine', objectTypeProperty: {} })
assert.equal((await fetch(server.url + '/acme/resource', { method: 'POST', headers, body })).status, 201)
assert.equal((await fetch(server.url + '/acme/resource/key=mine', { headers })).status, 200)
await server.mock.session('broken').use('offline')
await assert.rejects(fetch(server.mock.session('broken').url + '/acme/resource', { headers }))
await server.close()
console.log('done')
`

const headers = { Authorization: 'Bearer smoke', 'Content-Type': 'application/json' }

/** Starts the command, and resolves with its URL. */
async function startCommand(binary, args, folder) {
  const command = ['node_modules/resource-mock/bin/resource-mock.js', '--port', '0', '--persist', 'state.json']
  const child = spawn(binary, [...args, ...command, '--log', 'silent'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(PATIENCE) })
  const [, url] = /^Listening on port \d+ \((http:\/\/[^)]+)\)$/.exec(line) ?? []
  assert.ok(url, `The first line is ${JSON.stringify(line)}.`)
  return { child, url }
}

const folder = await mkdtemp(join(tmpdir(), 'resource-mock-runtimes-'))
const { step, close } = createSteps()
let running
try {
  const tarball = options.tarball === undefined ? await step('packs', () => pack(folder)) : resolve(options.tarball)
  const names = runtimes.map(({ name, version }) => `${name}@${version}`)
  await step(`installs beside ${names.join(' and ')}`, async () => {
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
    await install(folder, '--ignore-scripts', tarball, ...names)
    await writeFile(join(folder, 'library.mjs'), LIBRARY)
  })
  for (const { name, version, binaries, args } of runtimes) {
    const what = `on ${name} ${version}`
    const binary = binaries.map((path) => join(folder, 'node_modules', path)).find((path) => existsSync(path)) ?? name
    await step(`works as a library ${what}`, async () => {
      const { stdout } = await run(binary, [...args, 'library.mjs'], { cwd: folder, timeout: PATIENCE })
      assert.equal(stdout, 'done\n')
    })
    await step(`serves as a command, keeps its state, and ends with status 0 on SIGTERM ${what}`, async () => {
      await rm(join(folder, 'state.json'), { force: true })
      for (const expected of [404, 200]) {
        const { child, url } = await startCommand(binary, args, folder)
        running = child
        assert.equal((await fetch(`${url}/acme/resource/key=mine`, { headers })).status, expected)
        const body = JSON.stringify({ key: 'mine', objectTypeProperty: {} })
        const sent = await fetch(`${url}/acme/resource`, { method: 'POST', headers, body })
        assert.ok(sent.ok)
        child.kill('SIGTERM')
        const [status] = await once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE) })
        assert.equal(status, 0)
      }
    })
  }
} catch (fault) {
  console.error(fault)
} finally {
  running?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
  close()
}
