import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { HEARTBEAT, MOST_WAITING } from '../../../src/admin/api/events.ts'
import type { Mock } from '../../../src/mock.ts'
import { startServer } from '../../../src/edges/node/server.ts'
import { hurry } from '../../support/hurry.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { PATIENCE } from '../../support/patience.ts'
import { create, createAsk } from './ask.ts'
import type { Ask } from './ask.ts'

let mock: Mock
let ask: Ask
beforeEach(async () => {
  ;({ mock, ask } = await createAsk())
})
afterEach(() => vi.useRealTimers())

interface Told {
  readonly event: string
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

interface Listener {
  /** The next n events; comments and the retry field are skipped. */
  next(count: number): Promise<readonly Told[]>
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  readonly leave: () => void
}

function toTold(block: string): readonly Told[] {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const event = fields.get('event')
  if (event === undefined) return []
  return [{ event, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? '') as Told['data'] }]
}

async function listen(path = '/__admin/events', headers: Record<string, string> = {}): Promise<Listener> {
  const gone = new AbortController()
  const response = await mock.fetch(new Request(`http://localhost${path}`, { headers, signal: gone.signal }))
  expect(response.headers.get('Content-Type')).toBe('text/event-stream')
  const reader = response.body?.getReader() ?? expect.fail('there is no stream')
  const decoder = new TextDecoder()
  let text = ''
  return {
    reader,
    async next(count) {
      const told: Told[] = []
      while (told.length < count) {
        const end = text.indexOf('\n\n')
        if (end !== -1) {
          told.push(...toTold(text.slice(0, end)))
          text = text.slice(end + 2)
          continue
        }
        const { value, done } = await reader.read()
        if (done) throw new Error('The stream ended.')
        text += decoder.decode(value, { stream: true })
      }
      return told
    },
    leave: () => gone.abort(),
  }
}

async function countStreams(from: Ask = ask): Promise<number> {
  const { text } = await from('GET', '/__admin/metrics')
  return Number(/^resource_mock_event_streams (\d+)$/m.exec(text)?.[1])
}

it('sends pending requests to clients that subscribe to them', async () => {
  const [asking, other] = [await listen('/__admin/events?pending=true'), await listen()]
  const sending = new AbortController()
  const path = '/acme/resource?limit=1&access_token=s3cret'
  const headers = { 'X-Mock-Delay': '60000', 'X-Correlation-ID': 'slow-request' }
  const sent = mock.fetch(new Request(`http://localhost${path}`, { headers, signal: sending.signal }))
  expect(await asking.next(1)).toMatchObject([
    {
      event: 'pending',
      data: {
        session: 'default',
        correlationId: 'slow-request',
        method: 'GET',
        url: '/acme/resource?limit=1&access_token=[redacted]',
      },
    },
  ])
  sending.abort()
  await sent.catch(() => undefined)
  await ask('PUT', '/__admin/scenarios/active', { json: { active: [] } })
  const [told] = await other.next(1)
  expect(told?.event).not.toBe('pending')
})

it('sends requests that were pending before the client subscribed, until they end', async () => {
  const sending = new AbortController()
  const headers = { 'X-Mock-Delay': '60000', 'X-Correlation-ID': 'slow-request' }
  const sent = mock.fetch(new Request('http://localhost/acme/resource', { headers, signal: sending.signal }))
  await ask('GET', '/acme/resource')
  for (const path of ['/__admin/events?pending=true', '/__admin/events?pending=true&session=*']) {
    const early = await listen(path)
    expect(await early.next(1)).toMatchObject([{ event: 'pending', data: { correlationId: 'slow-request' } }])
    early.leave()
  }
  sending.abort()
  await sent.catch(() => undefined)
  await vi.waitFor(async () => expect((await ask('GET', '/__admin/requests')).text).toContain('slow-request'), PATIENCE)
  const late = await listen('/__admin/events?pending=true')
  await ask('GET', '/acme/resource')
  expect(await late.next(1)).toMatchObject([{ event: 'request' }])
})

describe('the events', () => {
  it('report requests, state and scenarios', async () => {
    const listener = await listen()
    const path = await create(ask)
    const [state, request] = await listener.next(2)
    expect(state).toEqual({
      event: 'state',
      id: undefined,
      data: { session: 'default', project: { baseUrl: '', projectKey: 'acme' } },
    })
    expect(request).toMatchObject({
      event: 'request',
      data: { operation: 'createResource', response: { status: 201 } },
    })
    const { body } = await ask('GET', '/__admin/requests')
    expect(body).toMatchObject({ requests: [{ id: request?.id }] })
    await ask('PUT', '/__admin/scenarios/active', { json: { active: ['slow'] } })
    await ask('DELETE', path.replace('/acme', '/__admin/state/acme').replace(/\/resource.*/, ''))
    expect(await listener.next(2)).toMatchObject([
      { event: 'scenario', data: { session: 'default', active: ['slow'] } },
      { event: 'state', data: { session: 'default', project: { projectKey: 'acme' } } },
    ])
  })

  it.each([
    ['all are removed', () => ask('DELETE', '/__admin/requests')],
    ["all are removed by WireMock's alternative endpoint", () => ask('POST', '/__admin/requests/reset')],
    [
      'those matching a pattern are removed',
      () => ask('POST', '/__admin/requests/remove', { json: { method: 'GET' } }),
    ],
    ['one is removed', (id: string) => ask('DELETE', `/__admin/requests/${id}`)],
  ])('report that requests were removed from the journal if %s', async (_what, remove) => {
    await ask('GET', '/acme/resource')
    const { body } = await ask('GET', '/__admin/requests')
    const { requests } = body as { readonly requests: readonly { readonly id: string }[] }
    const listener = await listen()
    expect((await remove(requests[0]?.id ?? '')).status).toBe(200)
    expect(await listener.next(1)).toEqual([{ event: 'state', id: undefined, data: { session: 'default' } }])
  })

  it('are not sent if a pattern removes nothing', async () => {
    const listener = await listen()
    await ask('POST', '/__admin/requests/remove', { json: { method: 'PUT' } })
    await ask('GET', '/acme/resource')
    expect(await listener.next(1)).toMatchObject([{ event: 'request' }])
  })

  it('are those of one session, or of all, including later ones', async () => {
    await ask('GET', '/@a/acme/resource')
    const [own, all] = [await listen('/@a/__admin/events'), await listen('/__admin/events?session=*')]
    await ask('GET', '/@b/acme/resource')
    await ask('GET', '/@a/acme/resource')
    expect(await own.next(1)).toMatchObject([{ data: { session: 'a' } }])
    expect(await all.next(2)).toMatchObject([{ data: { session: 'b' } }, { data: { session: 'a' } }])
  })

  it('are sent without a journal too', async () => {
    ;({ mock, ask } = await createAsk({ journal: 0 }))
    const listener = await listen()
    await ask('GET', '/acme/resource')
    expect(await listener.next(1)).toMatchObject([{ event: 'request', data: { operation: 'queryResources' } }])
  })

  it('resume after the last event that the client received', async () => {
    for (const key of ['k1', 'k2', 'k3']) await ask('GET', `/acme/resource/key=${key}`)
    const { body } = await ask('GET', '/__admin/requests')
    const { requests } = body as { readonly requests: readonly { readonly id: string }[] }
    const seen = requests.at(-1)?.id ?? ''
    for (const path of ['/__admin/events', '/__admin/events?session=*']) {
      const listener = await listen(path, { 'Last-Event-ID': seen })
      expect((await listener.next(2)).map(({ id }) => id)).toEqual([requests[1]?.id, requests[0]?.id])
      listener.leave()
    }
    const lost = await listen('/__admin/events', { 'Last-Event-ID': 'not kept any more' })
    expect(await lost.next(3)).toHaveLength(3)
  })

  it('resume in the order in which requests ended, not started', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: body.readable,
      duplex: 'half',
    }
    const slow = mock.fetch(new Request('http://localhost/acme/resource', init))
    vi.setSystemTime(Date.now() + 1000)
    await ask('GET', '/acme/resource/key=fast')
    const { requests } = (await ask('GET', '/__admin/requests')).body as { requests: readonly [{ id: string }] }
    await body.writable.close()
    expect((await slow).status).toBe(400)
    for (const path of ['/__admin/events', '/__admin/events?session=*']) {
      const listener = await listen(path, { 'Last-Event-ID': requests[0].id })
      expect(await listener.next(1)).toMatchObject([{ data: { request: { method: 'POST' } } }])
      listener.leave()
    }
  })

  it('yield to other requests during a long replay', async () => {
    for (let at = 0; at < 20; at += 1) await ask('GET', '/acme/resource/key=none')
    const listener = await listen('/__admin/events', { 'Last-Event-ID': 'not kept any more' })
    const yields = hurry()
    await listener.next(20)
    expect(yields.mock.calls.length).toBeGreaterThanOrEqual(19)
    listener.leave()
  })

  it('send a heartbeat while idle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { reader } = await listen()
    const decode = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await decode()).toMatch(/^retry: \d+\n\n$/)
    for (let beat = 0; beat < 2; beat += 1) {
      const next = decode()
      // The stream waits for the next event once it knows that this read is pending.
      await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(HEARTBEAT)
      expect(await next).toBe(': still here\n\n')
    }
  })

  it('disconnect a slow client', async () => {
    const listener = await listen()
    // Some events are on their way already.
    for (let at = 0; at < MOST_WAITING + 10; at += 1) await ask('GET', '/acme/resource/1')
    expect(await countStreams()).toBe(0)
    await expect(listener.next(10)).rejects.toThrow('The stream ended.')
  })

  it('end with their session, and with the mock', async () => {
    await ask('GET', '/@a/acme/resource')
    const [own, all] = [await listen('/@a/__admin/events'), await listen('/__admin/events?session=*')]
    await ask('DELETE', '/__admin/sessions/a')
    const told = { event: 'state', data: { session: 'a', ended: true } }
    expect(await own.next(1)).toMatchObject([told])
    expect(await all.next(1)).toMatchObject([told])
    await expect(own.next(1)).rejects.toThrow('The stream ended.')
    expect(await countStreams()).toBe(1)
    await mock.close()
    await expect(all.next(1)).rejects.toThrow('The stream ended.')
  })

  it('report a permanently deleted session', async () => {
    const own = await listen('/@a/__admin/events')
    await ask('DELETE', '/__admin/sessions/a?final=true')
    expect(await own.next(1)).toMatchObject([{ data: { session: 'a', ended: true, final: true } }])
  })

  it("end if a waiting reader's request is aborted", async () => {
    const { reader, leave } = await listen()
    await reader.read()
    const next = reader.read()
    await collectGarbage()
    leave()
    expect((await next).done).toBe(true)
  })

  it('leave nothing behind after 50 readers have disconnected', async () => {
    const listeners = await Promise.all(Array.from({ length: 50 }, () => listen()))
    expect(await countStreams()).toBe(50)
    for (const [at, { leave, reader }] of listeners.entries()) {
      if (at % 2 === 0) leave()
      else await reader.cancel()
    }
    expect(await countStreams()).toBe(0)
    await create(ask)
  })
})

describe('the events over a socket', () => {
  it.each([true, false])(
    'leave nothing behind after 50 readers have disconnected (lighter classes: %s)',
    async (lightweightGlobals) => {
      const { Request: OwnRequest, Response: OwnResponse } = globalThis
      const server = await startServer({ port: 0, auth: 'off', lightweightGlobals })
      onTestFinished(async () => {
        await server.close()
        Object.assign(globalThis, { Request: OwnRequest, Response: OwnResponse })
      })
      const askServer: Ask = async (method, path) => {
        const { status, headers, ...response } = await fetch(server.url + path, { method }).then(async (one) => ({
          status: one.status,
          headers: one.headers,
          text: await one.text(),
        }))
        return { status, headers, body: undefined, ...response }
      }
      const gone = new AbortController()
      const streams = await Promise.all(
        Array.from({ length: 50 }, () => fetch(`${server.url}/__admin/events`, { signal: gone.signal })),
      )
      const first = streams[0]?.body?.getReader()
      expect(new TextDecoder().decode((await first?.read())?.value)).toMatch(/^retry: /)
      const told = first?.read()
      await askServer('GET', '/acme/resource')
      expect(new TextDecoder().decode((await told)?.value)).toMatch(/^event: request\ndata: .*\nid: .*\n\n$/)
      expect(await countStreams(askServer)).toBe(50)
      gone.abort()
      await vi.waitFor(async () => expect(await countStreams(askServer)).toBe(0), PATIENCE)
    },
  )

  it('do not delay the shutdown of the server', async () => {
    const server = await startServer({ port: 0 })
    const response = await fetch(`${server.url}/__admin/events`)
    await server.close()
    expect(await response.text()).toMatch(/^retry: /)
  })

  it('are ended by a shutdown, like the server', async () => {
    const server = await startServer({ port: 0 })
    const stream = await fetch(`${server.url}/__admin/events`)
    expect((await fetch(`${server.url}/__admin/shutdown`, { method: 'POST' })).status).toBe(200)
    await stream.text()
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow()
  })
})
