import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MockOptions } from '../../src/app/options/options.ts'
import { controlHeaders } from '../../src/service/http/control-headers.ts'
import { commonHeaderNames } from '../../src/service/http/request-head.ts'
import { createClient, draft, errorOf, idOf } from '../support/client.ts'
import type { CallHeaders, Client } from '../support/client.ts'
import { PATIENCE } from '../support/patience.ts'

const base = '/acme/resource'
const origin = { Origin: 'https://shop.example' }

/** A scenario whose response has headers of its own. */
const COUNTED = JSON.stringify({
  description: 'For a test',
  rules: [
    {
      effect: {
        answer: {
          status: 200,
          body: {},
          headers: {
            'X-Total-Count': '42',
            'access-control-expose-headers': 'x-sent-later, ETAG',
            'Cache-Control': 'no-store',
            'Set-Cookie': 'a=b',
          },
        },
      },
    },
  ],
})

/** Sends the preflight that a public site's page sends before a POST. */
const sendPreflight = (client: Client, from: string) =>
  client.send('OPTIONS', base, {
    Origin: from,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Private-Network': 'true',
  })

it('docs/decisions.md documents every header that any response may have', () => {
  const page = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Errors\n')
  const [errors = ''] = section.split('\n## ')
  expect(commonHeaderNames.filter((name) => !errors.includes(`\`${name}`))).toEqual([])
})

describe('X-Correlation-ID', () => {
  it.each(['12345678', 'A_-9'.repeat(64)])('is echoed: %.20s', async (id) => {
    const client = await createClient()
    expect((await client.get(base, { 'X-Correlation-ID': id })).headers.get('X-Correlation-ID')).toBe(id)
    expect((await client.get('/nowhere', { 'X-Correlation-ID': id })).headers.get('X-Correlation-ID')).toBe(id)
  })

  it('is generated if missing, and unique to each request', async () => {
    const client = await createClient()
    const ids = [await client.get(base), await client.get(base), await client.get('/nowhere')].map(({ headers }) =>
      headers.get('X-Correlation-ID'),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it.each(['1234567', 'x'.repeat(257), '12345678 9', '12345678;', ''])('is refused: %.20j', async (id) => {
    const client = await createClient()
    const reply = await client.post(base, draft({}, 'abc'), { 'X-Correlation-ID': id })
    expect(errorOf(reply)).toMatchObject({ status: 400, code: 'InvalidField', field: 'X-Correlation-ID' })
    expect(reply.headers.get('X-Correlation-ID')).not.toBe(id)
    expect((await client.get(`${base}/key=abc`)).status).toBe(404)
  })
})

describe('CORS', () => {
  it('lets any origin send requests without credentials', async () => {
    const client = await createClient()
    for (const reply of [
      await client.get(base, origin),
      await client.get('/nowhere', origin),
      await client.head(base, origin),
    ]) {
      expect(reply.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
      expect(reply.headers.get('Access-Control-Allow-Credentials')).toBe(null)
      expect(reply.headers.get('Vary')).toBe('Origin')
    }
  })

  it('exposes every header that the mock sends', async () => {
    const client = await createClient()
    const { headers } = await client.post(`${base}?x=1`, draft(), origin)
    const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ') ?? []
    expect(exposed).toEqual(
      expect.arrayContaining([
        'Location',
        'Content-Location',
        'ETag',
        'Allow',
        'WWW-Authenticate',
        'Content-Language',
        'Retry-After',
        'Preference-Applied',
        'RateLimit-Limit',
        'RateLimit-Remaining',
        'RateLimit-Reset',
        'Sl-Violations',
      ]),
    )
    for (const name of headers.keys()) {
      // Except headers that need no permission, and those that frame a message on its connection.
      const isPlain =
        /^(access-control-.*|content-type|content-length|vary|x-content-type-options|connection|date|keep-alive|transfer-encoding)$/.test(
          name,
        )
      expect(isPlain || exposed.some((one) => one.toLowerCase() === name), name).toBe(true)
    }
  })

  it('exposes what a scenario sends, and what it exposes itself', async () => {
    const client = await createClient({ scenarios: { 'counted.json': COUNTED } })
    const { headers } = await client.get(`${base}/namespace-action`, { ...origin, 'X-Mock-Scenario': 'counted' })
    const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ') ?? []
    expect(exposed).toEqual(expect.arrayContaining(['X-Total-Count', 'x-sent-later', 'ETag']))
    expect(exposed.filter((name) => /^(?:Vary|Set-Cookie|ETag|Cache-Control)$/i.test(name))).toEqual(['ETag'])
  })

  it('ignores a request without an origin', async () => {
    const { headers } = await (await createClient()).get(base)
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it.each([base, `${base}/1`, '/oauth/token', '/nowhere'])(
    'answers the preflight for %s without a token',
    async (path) => {
      const client = await createClient()
      const { status, headers } = await client.send('OPTIONS', path, {
        ...origin,
        Authorization: undefined,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization, x-mock-scenario',
      })
      expect(status).toBe(204)
      expect(headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
      expect(headers.get('Access-Control-Allow-Methods')).toContain('POST')
      expect(headers.get('Access-Control-Allow-Headers')).toBe('authorization, x-mock-scenario')
    },
  )

  it.each([
    'http://localhost:5173',
    'https://localhost',
    'http://127.0.0.1:3000',
    'http://127.1.2.3',
    'http://[::1]:8080',
    'http://shop.localhost:4020',
    'http://api.eu.gcp.localhost',
  ])('lets the loopback origin %s send credentials and access a private network', async (from) => {
    const client = await createClient()
    expect((await client.get(base, { Origin: from })).headers.get('Access-Control-Allow-Credentials')).toBe('true')
    const { headers } = await sendPreflight(client, from)
    expect(headers.get('Access-Control-Allow-Credentials')).toBe('true')
    expect(headers.get('Access-Control-Allow-Private-Network')).toBe('true')
  })

  it.each([
    'https://shop.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'null',
    'http://10.0.0.1',
  ])('lets %s neither send credentials nor access a private network', async (from) => {
    const client = await createClient()
    const { headers } = await sendPreflight(client, from)
    expect(headers.get('Access-Control-Allow-Origin')).toBe(from)
    expect(headers.has('Access-Control-Allow-Credentials')).toBe(false)
    expect(headers.has('Access-Control-Allow-Private-Network')).toBe(false)
  })

  it('lets listed origins send credentials, and still allows loopback origins', async () => {
    const client = await createClient({ cors: ['https://shop.example'] })
    for (const from of ['https://shop.example', 'http://localhost:5173']) {
      const { headers } = await client.get(base, { Origin: from })
      expect(headers.get('Access-Control-Allow-Origin')).toBe(from)
      expect(headers.get('Access-Control-Allow-Credentials')).toBe('true')
    }
  })

  it('returns the methods of the path in a preflight', async () => {
    const client = await createClient()
    const preflight = { ...origin, 'Access-Control-Request-Method': 'DELETE' }
    const { headers } = await client.send('OPTIONS', `${base}/images`, preflight)
    expect(headers.get('Access-Control-Allow-Methods')).toBe('POST, OPTIONS')
  })

  it('allows the listed origins and no other public ones', async () => {
    const client = await createClient({ cors: ['https://shop.example'] })
    const allowedFor = async (from: string) => {
      const { headers } = await client.get(base, { Origin: from })
      return [headers.get('Access-Control-Allow-Origin'), headers.get('Vary')]
    }
    expect(await allowedFor('https://shop.example')).toEqual(['https://shop.example', 'Origin'])
    for (const other of ['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example', 'null']) {
      expect(await allowedFor(other)).toEqual([null, 'Origin'])
    }
    const preflight = await sendPreflight(client, 'https://evil.example')
    expect(preflight.headers.has('Access-Control-Allow-Methods')).toBe(false)
  })

  it('adds no headers when it is off', async () => {
    const client = await createClient({ cors: 'off' })
    for (const reply of [
      await client.get(base, origin),
      await client.send('OPTIONS', base, { ...origin, 'Access-Control-Request-Method': 'POST' }),
    ]) {
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('extends the Vary header of the response', async () => {
    const client = await createClient()
    const { headers } = await client.get(`${base}/namespace-action-with-headers`, {
      ...origin,
      Accept: '*/*',
      'Storefront-Locale': 'de',
    })
    expect(headers.get('Vary')).toBe('Storefront-Locale, Origin')
  })
})

describe('X-Content-Type-Options', () => {
  it.each([
    ['GET', base],
    ['HEAD', base],
    ['POST', base],
    ['GET', '/nowhere'],
    ['OPTIONS', base],
    ['POST', '/oauth/token'],
    ['GET', '/__admin/health'],
    ['GET', '/__admin/nowhere'],
    ['GET', '/%zz'],
  ])('is nosniff for %s %s', async (method, path) => {
    const client = await createClient()
    expect((await client.send(method, path)).headers.get('X-Content-Type-Options')).toBe('nosniff')
  })
})

describe('X-Mock-Warning', () => {
  it('has at most five warnings, then the number of the others', async () => {
    const client = await createClient()
    const search = Array.from({ length: 8 }, (_none, at) => `unknown${at}=1`).join('&')
    const warning = (await client.get(`${base}?${search}`)).headers.get('X-Mock-Warning')
    expect(warning?.match(/D4 /g)).toHaveLength(5)
    expect(warning).toMatch(/, and 3 more$/)
  })

  it('is ASCII of at most 1 KiB, whatever the warning', async () => {
    const client = await createClient()
    for (const name of ['ä\u{1f600}', 'a\r\nSet-Cookie: x=1', 'x'.repeat(3000)]) {
      const { headers, status } = await client.post(base, { objectTypeProperty: {}, [name]: 1 })
      expect(status).toBe(201)
      expect(headers.has('Set-Cookie')).toBe(false)
      expect(headers.get('X-Mock-Warning')).toMatch(/^[\x20-\x7e]{1,1024}$/)
    }
  })

  it('is an error under --strict, for every warning', async () => {
    const client = await createClient({ strict: true })
    expect(errorOf(await client.get(`${base}?limt=1`))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      decision: 'D4',
      message: expect.stringContaining('Unknown query parameter "limt" is ignored. Did you mean "limit"?'),
    })
    const untyped = await client.send('POST', `${base}/namespace-action`, {}, new TextEncoder().encode('{}'))
    expect(errorOf(untyped)).toMatchObject({ status: 400, decision: 'D9' })
  })
})

describe('headers that control the mock', () => {
  it('are all in docs/decisions.md', () => {
    const [, section = ''] = readFileSync('docs/decisions.md', 'utf8').split('<a id="d99"></a>')
    const [table = ''] = section.split('An invalid value')
    const listed = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
    expect(listed).toEqual(Object.values(controlHeaders).map(({ name }) => name))
  })

  it.each([
    ['X-Mock-Dealy', 'Unknown header "x-mock-dealy" is ignored. Did you mean "X-Mock-Delay"?'],
    ['X-Mock-Scenarios', 'Unknown header "x-mock-scenarios" is ignored. Did you mean "X-Mock-Scenario"?'],
    ['X-Mock-Response-Body', 'Unknown header "x-mock-response-body" is ignored.'],
  ])('warn of %s, which is unknown (D99)', async (name, sentence) => {
    const { status, headers } = await (await createClient()).get(base, { [name]: '10' })
    expect(status).toBe(200)
    expect(headers.get('X-Mock-Warning')?.toLowerCase()).toBe(`d99 ${sentence.toLowerCase()}`)
  })

  it('warn of an unknown one once, also for a path without an endpoint and for a token', async () => {
    const client = await createClient()
    for (const path of ['/products', '/oauth/unknown', '/__admin/health']) {
      const { headers } = await client.get(path, { 'X-Mock-Dealy': '10' })
      expect(headers.get('X-Mock-Warning')?.match(/D99/g)).toHaveLength(1)
    }
  })

  it('are refused under --strict if they are unknown', async () => {
    const client = await createClient({ strict: true })
    expect(errorOf(await client.get(base, { 'X-Mock-Dealy': '10' }))).toMatchObject({ status: 400, decision: 'D99' })
  })

  it('may be repeated, unless the values do not fit together', async () => {
    const client = await createClient()
    const reply = await client.get(base, { 'X-Mock-Scenario': 'none', 'X-Request-ID': '1', 'X-Mock-Delay': '1, 2' })
    expect(errorOf(reply)).toMatchObject({ status: 400, field: 'X-Mock-Delay' })
  })
})

describe('X-Mock-Delay', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each<[string, MockOptions, CallHeaders]>([
    ['for the request', {}, { 'X-Mock-Delay': '300' }],
    ['for every endpoint', { delay: { from: 300, to: 300 } }, {}],
    ['for the request rather than for every endpoint', { delay: { from: 1, to: 1 } }, { 'X-Mock-Delay': '300' }],
  ])('applies the full delay: %s', async (_case, options, headers) => {
    // The store's client has timers, too.
    const client = await createClient({ ...options, store: undefined })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let isAnswered = false
    const answering = client.get(base, headers).then(() => (isAnswered = true))
    // Over a socket the request needs some turns of the event loop to arrive.
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(299)
    expect(isAnswered).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await answering
  })

  it.each(['0', '1', '0-2', ' 1 - 2 '])('accepts %j', async (delay) => {
    expect((await (await createClient()).get(base, { 'X-Mock-Delay': delay })).status).toBe(200)
  })

  it.each(['/oauth/token', '/nowhere', `${base}/images`])('refuses an out-of-range value with %s too', async (path) => {
    const client = await createClient()
    expect(errorOf(await client.get(path, { 'X-Mock-Delay': '60001' }))).toMatchObject({
      status: 400,
      field: 'X-Mock-Delay',
    })
  })

  it.each(['-1', 'soon', '1.5', '60001', '2-1', '1-60001', '1-2-3', ''])('refuses %j', async (delay) => {
    const reply = await (await createClient()).get(base, { 'X-Mock-Delay': delay })
    expect(errorOf(reply)).toMatchObject({ status: 400, code: 'InvalidField', field: 'X-Mock-Delay' })
  })

  it('stops when the client disconnects', async () => {
    const onRequest = vi.fn()
    const { mock } = await createClient({ onRequest })
    const leaving = new AbortController()
    const request = new Request(`http://mock${base}`, {
      headers: { 'X-Mock-Delay': '60000', Authorization: 'Bearer a' },
      signal: leaving.signal,
    })
    const answering = mock.fetch(request)
    leaving.abort()
    await expect(answering).rejects.toThrow('This operation was aborted')
    await vi.waitFor(() => expect(onRequest).toHaveBeenCalledTimes(1), PATIENCE)
  })
})

describe('a frozen clock', () => {
  it('gives equal requests equal responses, ids included', async () => {
    const run = async () => {
      const client = await createClient({ clock: '2026-01-31T12:00:00Z', seed: 7 })
      const created = await client.post(base, draft({ arrayOfIntExample: [1] }, 'abc'))
      const listed = await client.get(base)
      return [created.headers.get('Location'), created.headers.get('X-Correlation-ID'), listed.text]
    }
    expect(await run()).toEqual(await run())
  })

  it('still generates unique ids', async () => {
    const client = await createClient({ clock: '2026-01-31T12:00:00Z' })
    const ids = await Promise.all(Array.from({ length: 20 }, async () => idOf(await client.post(base, draft()))))
    expect(new Set(ids).size).toBe(20)
  })

  it('is refused if it is not a date-time', async () => {
    await expect(createClient({ clock: 'noon' })).rejects.toThrow(
      'The option clock must be an ISO 8601 date-time with an offset, such as 2026-01-31T12:00:00Z, not "noon".',
    )
  })
})
