import { createContext, runInContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectMock, createMock } from '../../../src/index.ts'
import { startServer } from '../../../src/node.ts'
import { toPng } from '../../service/http/image-samples.ts'

// Test environments such as jsdom replace globals by those of another realm, and tests replace the clock and fetch.
// test/contract-tools/library has the environments themselves.

const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('where globals belong to another realm', () => {
  beforeEach(() => {
    const realm = createContext()
    for (const name of ['Uint8Array', 'Error', 'TypeError'] as const) vi.stubGlobal(name, runInContext(name, realm))
  })

  it('answers lists, and takes drafts and images', async () => {
    const session = (await createMock()).session('one')
    const list = await session.fetch('/acme/resource', { headers })
    const draft = await session.fetch('/acme/resource', { method: 'POST', headers, body: '{"objectTypeProperty":{}}' })
    const image = await session.fetch('/acme/resource/images?filename=a.png', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'image/png' },
      body: Uint8Array.from(toPng(7, 5)),
    })
    expect([list.status, draft.status, image.status]).toEqual([200, 201, 200])
    expect(await session.requests()).toHaveLength(3)
  })

  it('relays what a server streams', async () => {
    const other = await startServer({ port: 0, auth: 'off' })
    onTestFinished(() => other.close())
    const server = await startServer({ port: 0, passthrough: `${other.url}/acme/` })
    onTestFinished(() => server.close())
    const response = await fetch(`${server.url}/resource`)
    expect(await response.json()).toMatchObject({ results: expect.any(Array) })
  })

  it('names the system error behind a failed connection', async () => {
    await expect(connectMock('http://127.0.0.1:9').session('one').reset()).rejects.toThrow('bad port')
  })
})

describe('the clock', () => {
  const fakeTime = '2031-05-05T00:00:00.000Z'

  it('follows a fake Date that is set after the mock was created', async () => {
    const session = (await createMock()).session('one')
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(fakeTime) })
    expect(await session.clock.now()).toBe(fakeTime)
  })

  it('is real again once a test has restored Date', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(fakeTime) })
    const session = (await createMock()).session('one')
    vi.useRealTimers()
    expect(await session.clock.now()).not.toMatch(/^2031/)
  })

  it('lets fake timers pass the time of a scenario', async () => {
    const session = (await createMock()).session('one')
    vi.useFakeTimers()
    await session.use('rate-limited')
    const list = async () => (await session.fetch('/acme/resource?limit=1', { headers })).status
    const statuses = []
    for (let count = 0; count < 6; count += 1) statuses.push(await list())
    await vi.advanceTimersByTimeAsync(10_000)
    expect([...statuses, await list()]).toEqual([200, 200, 200, 200, 200, 429, 200])
  })

  it('lets fake timers end a delay', async () => {
    const session = (await createMock()).session('one')
    await session.use('slow')
    vi.useFakeTimers()
    const answering = session.fetch('/acme/resource?limit=1', { headers })
    await vi.advanceTimersByTimeAsync(2000)
    expect((await answering).status).toBe(200)
  })
})

describe('a connected session', () => {
  it('works while its own fetch replaces the global one', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const session = connectMock(server.url).session('one')
    vi.stubGlobal('fetch', session.fetch)
    expect((await fetch('/acme/resource', { headers })).status).toBe(200)
    expect(await session.requests()).toHaveLength(1)
  })
})
