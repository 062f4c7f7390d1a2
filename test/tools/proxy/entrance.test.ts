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

describe('a mock behind the proxy', () => {
  it.each([
    '/@a/@b/__admin/shutdown',
    '/@a/@b/@c/__admin/shutdown',
    '/@a/%40b/__admin/shutdown',
    '/@a/%2540b/%255f_admin/shutdown',
    '/@a//@b/__admin/shutdown',
    '/@a/x/../@b/__admin/shutdown',
    '/@a/%2e%2e/@b/__admin/shutdown',
    '/@a/@b/eu/gcp/__admin/shutdown',
    '/@a/@b%2F__admin/shutdown',
    String.raw`/@a/@b%5C__admin/shutdown`,
    '/@a/@b/_pactSetup',
    '/api/__admin/shutdown',
    'http://proxy/@a/@b/__admin/shutdown',
  ])('gets no request to its admin API: %s', async (target) => {
    const seen: string[] = []
    for (const start of Object.values(starts)) {
      const mock = await start(({ url }) => {
        seen.push(url)
        return Response.json({})
      })
      const { pathname } = new URL(target, 'http://proxy')
      const request = new Request(`http://proxy${pathname}`, { method: 'POST' })
      const response = await mock.serve(request, { target, remoteAddress: '192.0.2.1' })
      expect([403, 404]).toContain(response.status)
    }
    expect(seen).toEqual([])
  })

  it.each([
    ['/@a/products', '/products'],
    ['/@a/@b/products?x=/@c/__admin', '/products?x=/@c/__admin'],
    ['/@a/%40b//products', '//products'],
    ['/@a', '/'],
    ['/products/@b', '/products/@b'],
  ])('gets %s without a session, as %s', async (target, path) => {
    const seen: string[] = []
    const { proxy } = await startProxy(({ url }) => {
      seen.push(url)
      return Response.json({})
    })
    await proxy.serve(new Request(`http://proxy${target}`), { target })
    expect(seen).toEqual([UPSTREAM + path])
  })

  it('gets no session that dot segments hide', async () => {
    const { proxy } = await startProxy(() => expect.fail('was called'))
    const response = await proxy.serve(new Request('http://proxy/@a/@b/x'), { target: '/@a/x/../@b/x' })
    expect(response.status).toBe(403)
  })
})
