import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectMock } from '../../../src/index.ts'
import { createMock } from '../../../src/mock.ts'
import { startServer } from '../../../src/node.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import type { JournalEntry } from '../../../src/sessions/journal/wiremock-json.ts'
import type { LogLine } from '../../../src/sessions/journal/record.ts'
import { PATIENCE } from '../../support/patience.ts'

const PATH = '/acme/resource'
const LONG = 60_000
const rule = (effect: object) => JSON.stringify({ description: 'For a test', rules: [{ effect }] })
const scenarios = {
  'hang.json': rule({ fault: 'TIMEOUT' }),
  'drip.json': rule({ chunkedDribbleDelay: { numberOfChunks: 2, totalDuration: LONG } }),
  'late-reset.json': JSON.stringify({
    description: 'For a test',
    rules: [{ effect: { delay: { fixedDelayMilliseconds: LONG } } }, { effect: { fault: 'CONNECTION_RESET_BY_PEER' } }],
  }),
}

async function open(transport: 'in-process' | 'socket') {
  const logged: LogLine[] = []
  const options: MockOptions = { auth: 'off', scenarios, onRequest: (entry) => logged.push(entry) }
  if (transport === 'in-process') {
    const mock = await createMock(options)
    return { session: mock.session('default'), send: mock.fetch, logged }
  }
  const { url, close } = await startServer({ port: 0, ...options })
  onTestFinished(close)
  const send = (path: string, init?: RequestInit) => fetch(url + path, init)
  return { session: connectMock(url).session('default'), send, logged }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Sends a request, and cancels it once the mock waits. */
async function cancel({ send }: Pick<Opened, 'send'>, isWaiting: () => Promise<unknown>, init: RequestInit = {}) {
  const leaving = new AbortController()
  const sent = send(PATH, { ...init, signal: leaving.signal })
  await isWaiting()
  leaving.abort()
  await sent.then((response) => response.text()).catch(() => undefined)
}

const delayed = (init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { 'Content-Type': 'application/json', 'X-Mock-Delay': String(LONG) },
})

const findOnly = async ({ session }: Pick<Opened, 'session'>): Promise<JournalEntry> => {
  await vi.waitUntil(async () => (await session.findCancelled()).length > 0, PATIENCE)
  const [found, ...others] = await session.findCancelled()
  expect(others).toEqual([])
  return found ?? expect.fail('no request was cancelled')
}

describe.each(['in-process', 'socket'] as const)('a client that leaves before the response, %s', (transport) => {
  /** Waits until the events show the request as pending. */
  async function openAndCancel(init: RequestInit) {
    const opened = await open(transport)
    const events = await opened.send('/__admin/events?pending=true')
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const isPending = () =>
      vi.waitUntil(async () => {
        text += (await reader?.read())?.value ?? ''
        return text.includes('event: pending')
      }, PATIENCE)
    await cancel(opened, isPending, init)
    await reader?.cancel()
    return opened
  }

  it('has neither a status nor a body in the journal, and the time until then', async () => {
    const opened = await openAndCancel(delayed())
    const found = await findOnly(opened)
    expect(found).toMatchObject({ operation: 'queryResources', clientLeft: true })
    expect(found).not.toHaveProperty('tookEffect')
    expect(found.response).toMatchObject({ status: 0, fault: 'CLIENT_DISCONNECTED', headers: {}, body: '' })
    const listed = await opened.send('/__admin/requests')
    const { requests } = (await listed.json()) as { readonly requests: readonly { durationMilliseconds: number }[] }
    expect(requests[0]?.durationMilliseconds).toBeLessThan(LONG)
    expect(opened.logged.find(({ target }) => target === PATH)).toMatchObject({ status: 0, clientLeft: true })
  })

  it('is told of a write that took effect all the same', async () => {
    const opened = await openAndCancel(delayed({ method: 'POST', body: '{"key":"shirt","objectTypeProperty":{}}' }))
    expect(await findOnly(opened)).toMatchObject({ clientLeft: true, tookEffect: true, response: { status: 0 } })
    expect((await opened.send(`${PATH}/key=shirt`)).status).toBe(200)
    expect(opened.logged.find(({ target }) => target === PATH)).toMatchObject({ clientLeft: true, tookEffect: true })
  })

  it('is not told of an effect of a write that would have been refused', async () => {
    const opened = await openAndCancel(delayed({ method: 'POST', body: '{"unknown":1}' }))
    expect(await findOnly(opened)).not.toHaveProperty('tookEffect')
  })

  it('counts as neither a failure nor a response, but as a call of the operation', async () => {
    const opened = await openAndCancel(delayed())
    await findOnly(opened)
    const failed = await opened.send('/__admin/requests?filter=failed')
    expect(await failed.json()).toMatchObject({ requests: [], meta: { total: 0 } })
    const { operations } = await opened.session.coverage()
    const called = operations.find(({ id }) => id === 'queryResources')
    expect(called).toMatchObject({ met: 1, clientLeft: 1 })
    expect(called?.statuses.filter(({ met }) => met > 0)).toEqual([])
  })

  it('is noted although a scenario never responds', async () => {
    const opened = await open(transport)
    const isListed = () => vi.waitUntil(async () => (await opened.session.requests()).length > 0, PATIENCE)
    const isWaiting = async () => {
      await isListed()
      expect(await opened.session.findCancelled()).toEqual([])
    }
    await cancel(opened, isWaiting, { headers: { 'X-Mock-Scenario': 'hang' } })
    expect((await findOnly(opened)).response).toMatchObject({ status: 0, fault: 'TIMEOUT' })
    expect(await opened.session.requests()).toHaveLength(1)
  })

  it('is noted before a fault that did not reach it', async () => {
    const opened = await openAndCancel({ headers: { 'X-Mock-Scenario': 'late-reset' } })
    expect((await findOnly(opened)).clientLeft).toBe(true)
  })

  it('is noted in the middle of a body, with the status that it received', async () => {
    const opened = await open(transport)
    const leaving = new AbortController()
    const headers = { 'X-Mock-Scenario': 'drip' }
    const response = await opened.send(PATH, { headers, signal: leaving.signal })
    expect(await opened.session.findCancelled()).toEqual([])
    // In a process, nothing but the body connects the client to the mock.
    if (transport === 'socket') leaving.abort()
    else await response.body?.cancel()
    expect((await findOnly(opened)).response).toMatchObject({ status: 200 })
  })

  it('is explained', async () => {
    const opened = await openAndCancel(delayed())
    const { id } = await findOnly(opened)
    const explained = await opened.send(`/__admin/requests/${id}/explanation`)
    expect(await explained.json()).toMatchObject({
      sentence: expect.stringMatching(/^The client disconnected after \d+ ms, before the response\./),
      cause: { kind: 'client-left' },
    })
  })
})

describe('over a socket', () => {
  it('a client that leaves within its own body is noted', async () => {
    const opened = await startServer({ port: 0, auth: 'off' })
    onTestFinished(opened.close)
    const socket = connect(opened.port, '127.0.0.1')
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: mock\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"`,
    )
    await once(socket, 'connect')
    await vi.waitUntil(async () => (await fetch(`${opened.url}/__admin/metrics`)).ok, PATIENCE)
    socket.destroy()
    const found = await findOnly({ session: opened.mock.session('default') })
    expect(found).toMatchObject({ method: 'POST', response: { status: 0 } })
  })

  it('a client that reads its response and closes the connection has not left', async () => {
    const opened = await open('socket')
    const headers = { Connection: 'close', 'X-Mock-Delay': '1' }
    await (await opened.send(PATH, { headers })).text()
    const [request] = await opened.session.requests()
    expect(request).not.toHaveProperty('clientLeft')
    expect(request?.response.status).toBe(200)
  })
})
