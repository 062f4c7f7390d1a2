import { describe, expect, it } from 'vitest'
import { createAsk, Interrupted } from '../../../src/tools/verify/transport.ts'
import { createFetchTransport } from './fetch-transport.ts'
import type { Bend } from './bends.ts'
import { sentencesOf, verifyMock } from './verifier.ts'

const DATE = 'Mon, 23 Nov 2026 10:00:00 GMT'

/** A sender for a service that gives these responses in turn, repeating the last one, and the list of its requests. */
function serve(answers: readonly Response[], interruption?: AbortSignal) {
  const bodies: string[] = []
  const fetch = async (request: Request) => {
    bodies.push(await request.text())
    const answer = answers[bodies.length - 1] ?? answers.at(-1)
    return answer?.clone() ?? Response.error()
  }
  const ask = createAsk({ transport: createFetchTransport(fetch), timeout: 5000, interruption })
  const body = new TextEncoder().encode('all of it')
  const send = async () => (await ask({ url: 'http://mock/', method: 'POST', headers: {}, body })).status
  return { send, bodies }
}

async function askFor(answers: readonly Response[], interruption?: AbortSignal) {
  const { send, bodies } = serve(answers, interruption)
  return { status: await send(), bodies }
}

const refuse = (status: number, headers: Readonly<Record<string, string>>) => new Response('', { status, headers })

describe('a request of verify', () => {
  it.each([
    ['429', refuse(429, { 'Retry-After': '0' })],
    ['503', refuse(503, { 'Retry-After': ' 0 ' })],
    ['429 until a date', refuse(429, { 'Retry-After': DATE, Date: DATE })],
  ])('is retried in full if it is refused with %s and Retry-After', async (_what, refusal) => {
    const { status, bodies } = await askFor([refusal, refusal, new Response('')])
    expect([status, bodies]).toEqual([200, ['all of it', 'all of it', 'all of it']])
  })

  it.each([
    ['429 without Retry-After', refuse(429, {})],
    ['Retry-After longer than the timeout', refuse(429, { 'Retry-After': '6' })],
    ['an invalid Retry-After', refuse(503, { 'Retry-After': 'soon' })],
    ['a date, from a service without a Date header', refuse(503, { 'Retry-After': DATE })],
    ['another status', refuse(500, { 'Retry-After': '0' })],
  ])('is sent once if it is refused with %s', async (_what, refusal) => {
    expect((await askFor([refusal])).bodies).toHaveLength(1)
  })

  it('is sent ten times at most', async () => {
    const { status, bodies } = await askFor([refuse(429, { 'Retry-After': '0' })])
    expect([status, bodies.length]).toEqual([429, 10])
  })

  it('is sent once after the retries of another failed, until the service accepts one', async () => {
    const refusal = refuse(503, { 'Retry-After': '0' })
    const { send, bodies } = serve([...Array.from({ length: 11 }, () => refusal), new Response(''), refusal])
    expect([await send(), bodies.length]).toEqual([503, 10])
    expect([await send(), bodies.length]).toEqual([503, 11])
    expect([await send(), bodies.length]).toEqual([200, 12])
    expect([await send(), bodies.length]).toEqual([503, 22])
  })

  it('is not retried once verify is interrupted', async () => {
    const refusal = refuse(429, { 'Retry-After': '5' })
    await expect(askFor([refusal], AbortSignal.abort())).rejects.toThrow(Interrupted)
    const interruption = new AbortController()
    const asking = askFor([refusal], interruption.signal)
    interruption.abort()
    await expect(asking).rejects.toThrow('interrupted')
  })
})

it('reports that a service kept refusing requests, and does not call it faulty', async () => {
  let asked = 0
  const bend: Bend = (fetch) => async (request) => {
    asked += 1
    return asked > 4 ? refuse(503, { 'Retry-After': '0' }) : fetch(request)
  }
  const credentials = { kind: 'token', token: 'manage_project:acme' } as const
  const { mismatches, conversations } = await verifyMock({ bend, credentials, allowsWrites: false, only: ['carts'] })
  expect(mismatches).toEqual([])
  expect(conversations[0]).toMatchObject({
    compared: 0,
    reasons: ['the service kept refusing requests with 429 or 503'],
  })
})

it('does not call a service faulty that refuses every request once with Retry-After', async () => {
  const refused = new Set<string | null>()
  const bend: Bend = (fetch) => async (request) => {
    const id = request.headers.get('X-Correlation-ID')
    if (refused.has(id)) return fetch(request)
    refused.add(id)
    return refuse(503, { 'Retry-After': '0' })
  }
  const report = await verifyMock({ bend, only: ['lifecycle'] })
  expect([sentencesOf(report), report.leftovers]).toEqual([[], []])
})
