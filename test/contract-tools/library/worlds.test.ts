import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/node.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'

// One suite in each world of its own that tests run in: globals of another realm, and clocks, timers and a fetch that the
// tests replace.

const root = join(import.meta.dirname, '../../..')
const modules = join(import.meta.dirname, '../node_modules')

const SUITE = `
const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
const open = async (options) => (await createMock(options)).session('one')
const realFetch = globalThis.fetch

afterEach(() => {
  timers.useRealTimers()
  globalThis.fetch = realFetch
})

test('answers lists', async () => {
  const session = await open()
  const response = await session.fetch('/acme/resource', { headers })
  expect(response.status).toBe(200)
  expect((await response.json()).count).toBeGreaterThan(0)
})

test('takes an image', async () => {
  const body = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='), (one) => one.charCodeAt(0))
  const session = await open()
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'image/png' }, body }
  expect((await session.fetch('/acme/resource/images?filename=a.png', init)).status).toBe(200)
})

test('takes a large body, many records and a long list while all timers are fake', async () => {
  fakeAll()
  const session = await open({ generate: 3000 })
  const arrayOfIntExample = Array.from({ length: 30_000 }, (_, at) => at)
  const body = JSON.stringify({ key: 'big', objectTypeProperty: { arrayOfIntExample } })
  expect((await session.fetch('/acme/resource', { method: 'POST', headers, body })).status).toBe(201)
  await session.seed(Array.from({ length: 2000 }, (_, at) => ({ key: 'k' + at, objectTypeProperty: {} })))
  expect((await session.fetch('/acme/resource?limit=500&sort=key asc', { headers })).status).toBe(200)
  expect(await session.requests()).toHaveLength(2)
  await session.reset()
})

test('ends a delay when fake timers advance', async () => {
  const session = await open()
  await session.use('slow')
  fakeAll()
  const answering = session.fetch('/acme/resource?limit=1', { headers })
  await timers.advanceTimersByTimeAsync(2000)
  expect((await answering).status).toBe(200)
})

test('follows a fake date, and the real one again', async () => {
  const session = await open()
  fakeAll()
  timers.setSystemTime(new Date('2031-05-05T00:00:00Z'))
  expect(await session.clock.now()).toMatch(/^2031/)
  timers.useRealTimers()
  expect(await session.clock.now()).not.toMatch(/^2031/)
})

test('answers through a replaced fetch', async () => {
  const session = await open()
  globalThis.fetch = session.fetch
  expect((await fetch('/acme/resource', { headers })).status).toBe(200)
})

test('answers over a socket through its own fetch', async () => {
  const session = connectMock(MOCK_URL).session(crypto.randomUUID())
  globalThis.fetch = session.fetch
  expect((await fetch(session.url + '/acme/resource', { headers })).status).toBe(200)
  expect(await session.requests()).toHaveLength(1)
})
`
const COUNT = 7

const toVitest = (environment: string, url: string): string => `// @vitest-environment ${environment}
import { afterEach, expect, test, vi as timers } from 'vitest'
import { connectMock, createMock } from 'resource-mock'
const MOCK_URL = '${url}'
// All but nextTick, which vitest refuses to fake, and queueMicrotask, without which Node cannot read any body.
const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date', 'performance']
const fakeAll = () => timers.useFakeTimers({ toFake: toFake.filter((name) => name in globalThis) })
${SUITE}`

const toJest = (environment: string, url: string): string => `/** @jest-environment ${environment} */
const { connectMock, createMock } = require('resource-mock')
const timers = jest
const MOCK_URL = '${url}'
const fakeAll = () => jest.useFakeTimers()
${SUITE}`

/** Runs a tool with these files, in a project that has the built package. */
async function runIn(files: Readonly<Record<string, string>>, tool: string, ...args: readonly string[]) {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/resource-mock'))
  await symlink(join(modules, 'vitest'), join(folder, 'node_modules/vitest'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(modules, tool), ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', CI: '1' },
  }).catch((fault: { readonly stdout: string; readonly stderr: string }) => fault)
  return stdout + stderr
}

/** The time limit of each test, for both tools. */
const LONG = '--testTimeout=600000'

async function startMock(): Promise<string> {
  // The page of happy-dom, which checks CORS.
  const server = await startServer({ port: 0, adminOrigins: ['http://localhost:3000'] })
  onTestFinished(() => server.close())
  return server.url
}

it.each(['node', 'jsdom', 'happy-dom'])('works in the environment %s of vitest', async (environment) => {
  const files = { 'package.json': '{ "type": "module" }', 'one.test.js': toVitest(environment, await startMock()) }
  expect(await runIn(files, 'vitest/vitest.mjs', 'run', LONG)).toMatch(
    new RegExp(`Tests +${COUNT} passed \\(${COUNT}\\)`),
  )
})

it.each([
  ['node', 'node'],
  ['jest-fixed-jsdom', join(modules, 'jest-fixed-jsdom')],
])('works in the environment %s of jest', async (_name, environment) => {
  const files = { 'package.json': '{}', 'one.test.js': toJest(environment, await startMock()) }
  expect(await runIn(files, 'jest/bin/jest.js', '--runInBand', LONG)).toMatch(
    new RegExp(`Tests: +${COUNT} passed, ${COUNT} total`),
  )
})
