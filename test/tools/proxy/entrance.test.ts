import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Mock } from '../../../src/mock.ts'
import { createPassthrough } from '../../../src/tools/proxy/passthrough.ts'
import { TABLE, UPSTREAM, createClient, startProxy } from './proxying.ts'
import type { Upstream } from './proxying.ts'

/** The events of a mock in order, named by their kind and correlation id. */
async function listen(mock: Mock) {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const { body } = await mock.fetch(
    new Request('http://localhost/__admin/events?pending=true', { signal: gone.signal }),
  )
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.fail('there is no stream')
  let text = ''
  return async function next(): Promise<string> {
    for (;;) {
      const end = text.indexOf('\n\n')
      const block = text.slice(0, Math.max(end, 0))
      if (end !== -1) text = text.slice(end + 2)
      const kind = /^event: (\w+)$/m.exec(block)?.[1]
      if (kind !== undefined) return block.includes('slow-request') ? `${kind} slow-request` : kind
      if (end !== -1) continue
      const { value, done } = await reader.read()
      if (done) throw new Error('The stream ended.')
      text += value
    }
  }
}

const starts: Readonly<Record<string, (upstream: Upstream) => Promise<Mock>>> = {
  'the proxy': async (upstream) => (await startProxy(upstream)).proxy,
  'the proxy, before it falls back': async (upstream) => (await startProxy(upstream, { fallback: true })).proxy,
  '--passthrough': (upstream) => createPassthrough({ passthrough: UPSTREAM, client: createClient(upstream) }),
}

const ask = (mock: Mock, path: string) =>
  mock.fetch(new Request(`http://mock${path}`, { headers: { 'X-Correlation-ID': 'slow-request' } }))

describe('a request that waits for another service', () => {
  it.each(Object.keys(starts))('is reported as pending until it is answered: %s', async (name) => {
    let answer: (response: Response) => void = () => undefined
    const answered = new Promise<Response>((resolve) => (answer = resolve))
    const mock = (await starts[name]?.(() => answered)) ?? expect.fail(name)
    const next = await listen(mock)
    const asked = ask(mock, '/products')
    expect(await next()).toBe('pending slow-request')
    answer(Response.json({}))
    expect((await asked).status).toBe(200)
    expect(await next()).toBe('request slow-request')
  })

  it('is reported once, and not after the mock has answered as the fallback', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { proxy } = await startProxy(() => Promise.reject(new TypeError('fetch failed')), { fallback: true })
    const next = await listen(proxy)
    const response = await ask(proxy, TABLE)
    expect(response.headers.get('X-Mock-Fallback')).toBe('unreachable')
    vi.advanceTimersByTime(1000)
    await proxy.session('default').use('slow')
    expect([await next(), await next()]).toEqual(['request slow-request', 'scenario'])
  })

  it.each(Object.keys(starts))('may have headers that the mock would refuse: %s', async (name) => {
    const mock = await starts[name]?.(() => Response.json({ ok: true }))
    const headers = { 'X-Correlation-ID': 'a b' }
    const response = await mock?.fetch(new Request('http://mock/products', { headers }))
    expect(response?.status).toBe(200)
  })
})
