import { describe, expect, it } from 'vitest'
import { ask } from '../../src/verify/ask.ts'
import { Stop } from '../../src/verify/stop.ts'
import type { Bend } from './bends.ts'
import { idsOf, verifyMock } from './verifier.ts'

const DATE = 'Mon, 23 Nov 2026 10:00:00 GMT'

/** Asks a service that gives these answers in turn, the last one again and again. */
async function askFor(answers: readonly Response[], interruption?: AbortSignal) {
  const bodies: string[] = []
  const fetch = async (request: Request) => {
    bodies.push(await request.text())
    const answer = answers[bodies.length - 1] ?? answers.at(-1)
    return answer?.clone() ?? Response.error()
  }
  const asking = { fetch, url: 'http://mock/', timeout: 5000, method: 'POST', body: 'all of it', interruption }
  const { response } = await ask(asking)
  return { status: response.status, bodies }
}

const refuse = (status: number, headers: Readonly<Record<string, string>>) => new Response('', { status, headers })

describe('a request of verify', () => {
  it.each([
    ['429', refuse(429, { 'Retry-After': '0' })],
    ['503', refuse(503, { 'Retry-After': ' 0 ' })],
    ['429 until a date', refuse(429, { 'Retry-After': DATE, Date: DATE })],
  ])('is sent again, whole, if it is refused with %s and Retry-After', async (_what, refusal) => {
    const { status, bodies } = await askFor([refusal, refusal, new Response('')])
    expect([status, bodies]).toEqual([200, ['all of it', 'all of it', 'all of it']])
  })

  it.each([
    ['429 without Retry-After', refuse(429, {})],
    ['Retry-After of more than the timeout', refuse(429, { 'Retry-After': '6' })],
    ['Retry-After that is no time', refuse(503, { 'Retry-After': 'soon' })],
    ['a date, by a service that does not tell its time', refuse(503, { 'Retry-After': DATE })],
    ['another status', refuse(500, { 'Retry-After': '0' })],
  ])('is sent once if it is refused with %s', async (_what, refusal) => {
    expect((await askFor([refusal])).bodies).toHaveLength(1)
  })

  it('is sent ten times at most', async () => {
    const { status, bodies } = await askFor([refuse(429, { 'Retry-After': '0' })])
    expect([status, bodies.length]).toEqual([429, 10])
  })

  it('is not sent again once verify is interrupted', async () => {
    const refusal = refuse(429, { 'Retry-After': '5' })
    await expect(askFor([refusal], AbortSignal.abort())).rejects.toThrow(Stop)
    const interruption = new AbortController()
    const asking = askFor([refusal], interruption.signal)
    interruption.abort()
    await expect(asking).rejects.toThrow('interrupted before it was tried again')
  })
})

it('a service that refuses every request once with Retry-After passes', async () => {
  const refused = new Set<string | null>()
  const bend: Bend = (fetch) => async (request) => {
    const id = request.headers.get('X-Correlation-ID')
    if (refused.has(id)) return fetch(request)
    refused.add(id)
    return refuse(503, { 'Retry-After': '0' })
  }
  const report = await verifyMock({ bend, only: ['getResourceById', 'createResource', 'deleteResource'] })
  expect(idsOf(report, 'failed')).toEqual([])
  expect(idsOf(report, 'held').length).toBeGreaterThan(0)
})
