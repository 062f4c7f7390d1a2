import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { toDribble } from '../../../src/service/http/connection.ts'
import { createMock } from '../../../src/mock.ts'
import type { LogLine } from '../../../src/sessions/journal/record.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { PATIENCE } from '../../support/patience.ts'

const URL = 'http://mock/acme/resource/namespace-action-with-example'

const createWith = (effect: object, options: MockOptions = {}) =>
  createMock({
    auth: 'off',
    scenarios: { 'test.json': JSON.stringify({ description: 'For a test', rules: [{ effect }] }) },
    scenario: 'test',
    ...options,
  })

describe('a fault without a socket', () => {
  it.each(['EMPTY_RESPONSE', 'MALFORMED_RESPONSE_CHUNK', 'RANDOM_DATA_THEN_CLOSE', 'CONNECTION_RESET_BY_PEER'])(
    '%s makes fetch reject, like a network failure',
    async (fault) => {
      const onFault = vi.fn()
      const mock = await createWith({ fault }, { onFault })
      const rejected = expect(mock.fetch(new Request(URL))).rejects
      await rejected.toThrow(TypeError)
      await expect(mock.fetch(new Request(URL))).rejects.toMatchObject({
        message: 'fetch failed',
        cause: { message: `The scenario's fault ${fault} broke the connection.` },
      })
      expect(onFault).not.toHaveBeenCalled()
    },
  )

  it('TRUNCATED_BODY responds, and the body rejects after its first half', async () => {
    const mock = await createWith({ fault: 'TRUNCATED_BODY' })
    const whole = await (await (await createMock({ auth: 'off' })).fetch(new Request(URL))).text()
    const response = await mock.fetch(new Request(URL))
    expect(response.headers.get('Content-Length')).toBe(String(new TextEncoder().encode(whole).length))
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toBe(whole.slice(0, Math.floor(whole.length / 2)))
    await expect(reader?.read()).rejects.toThrow('fetch failed')
  })

  it('TIMEOUT lasts until the request is aborted, and rejects with the reason', async () => {
    const mock = await createWith({ fault: 'TIMEOUT' })
    const controller = new AbortController()
    const pending = mock.fetch(new Request(URL, { signal: controller.signal }))
    const settled = vi.fn()
    pending.catch(settled)
    await collectGarbage()
    expect(settled).not.toHaveBeenCalled()
    controller.abort(new Error('the client has had enough'))
    await expect(pending).rejects.toThrow('the client has had enough')
    await expect(mock.fetch(new Request(URL, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  it('is logged without a status', async () => {
    const entries: LogLine[] = []
    const mock = await createWith({ fault: 'EMPTY_RESPONSE' }, { onRequest: (entry) => entries.push(entry) })
    await expect(mock.fetch(new Request(URL))).rejects.toThrow()
    expect(entries).toMatchObject([{ status: 0, scenarios: ['test'] }])
  })
})

describe('a dribble', () => {
  afterEach(() => vi.useRealTimers())

  it('spreads its pieces evenly over the duration', async () => {
    vi.useFakeTimers()
    const reader = toDribble('abcdefghij', { numberOfChunks: 4, totalDuration: 400 }).getReader()
    const pieces: string[] = []
    for (;;) {
      const reading = reader.read()
      const notYet = vi.fn()
      void reading.then(notYet)
      await vi.advanceTimersByTimeAsync(99)
      const isDone = notYet.mock.calls.length > 0
      await vi.advanceTimersByTimeAsync(1)
      const { done, value } = await reading
      if (done) break
      expect(isDone).toBe(false)
      pieces.push(new TextDecoder().decode(value))
    }
    expect(pieces).toEqual(['ab', 'cde', 'fg', 'hij'])
  })

  it('ends an empty body', async () => {
    expect(await new Response(toDribble('', { numberOfChunks: 3, totalDuration: 0 })).text()).toBe('')
  })

  it('leaves no timer behind when reading stops', async () => {
    // A distinctive time: other code in this process may set timers meanwhile.
    const started = vi.spyOn(globalThis, 'setTimeout')
    const stopped = vi.spyOn(globalThis, 'clearTimeout')
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    const reader = toDribble('abc', { numberOfChunks: 3, totalDuration: 3 * 54_321 }).getReader()
    void reader.read()
    const findTimer = () => started.mock.results[started.mock.calls.findIndex(([, time]) => time === 54_321)]?.value
    const timer = await vi.waitUntil(findTimer, PATIENCE)
    const isStopped = () => stopped.mock.calls.some(([one]) => one === timer)
    expect(isStopped()).toBe(false)
    await reader.cancel()
    expect(isStopped()).toBe(true)
  })
})
