import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import { checkExchange } from '../../../src/tools/proxy/check-exchange.ts'
import { toObservations } from '../../../src/tools/proxy/observation.ts'
import { toViolationHeader } from '../../../src/tools/proxy/proxied-request.ts'
import type { ProxyViolation } from '../../../src/tools/proxy/proxied-request.ts'
import { TABLE, UPSTREAM, startProxiedMock, startProxy, startProxyOf } from './proxying.ts'
import type { Ask } from './proxying.ts'

const RESOURCE = { version: 1, objectTypeProperty: { arrayOfIntExample: [1] } }
const READ = { ETag: '"1"', 'Content-Location': TABLE }

describe('a request that breaks the contract', () => {
  const images = '/acme/resource/images'
  const SORTED = '/acme/resource/sorted-query-parameters'
  it.each<[string, (ask: Ask) => ReturnType<Ask>, readonly string[]]>([
    ['has an unknown path', (ask) => ask('GET', '/acme/basket'), ['Error request.path']],
    ['has an unknown method', (ask) => ask('DELETE', images), ['Error request.method']],
    [
      'has no token',
      (ask) => ask('GET', TABLE, { headers: { Authorization: 'Basic YTpi' } }),
      ['Error request.headers.Authorization'],
    ],
    [
      'has a query parameter of the wrong type',
      (ask) => ask('GET', `${SORTED}?limit=many`),
      ['Error request.query.limit'],
    ],
    ['has an unknown parameter', (ask) => ask('GET', '/acme/resource?size=1'), ['D4 request']],
    [
      'has a malformed parameter of a decision',
      (ask) => ask('GET', '/acme/resource?limit=many'),
      ['D10 request.query.limit'],
    ],
    [
      'has different values for one',
      (ask) => ask('GET', '/acme/resource?stringParameter=a&stringParameter=b'),
      ['D9 request.query.stringParameter'],
    ],
    [
      'has a malformed name',
      (ask) => ask('GET', '/acme/resource/searchApiPattern?text.english=a'),
      ['D14 request.query.text.english'],
    ],
    [
      'lacks fields of a draft',
      (ask) => ask('POST', '/acme/resource', { json: {} }),
      ['D2 request.body.objectTypeProperty'],
    ],
    [
      'lacks a header',
      (ask) => ask('GET', '/acme/resource/namespace-action-with-headers', { headers: { Accept: 'application/json' } }),
      ['Error request.headers.Storefront-Locale'],
    ],
    [
      'is not JSON',
      (ask) => ask('POST', '/acme/resource', { body: '{', headers: { 'Content-Type': 'application/json' } }),
      ['Error request.body'],
    ],
    [
      'has a body of the wrong shape',
      (ask) => ask('POST', TABLE, { json: { version: '1', actions: [{}] } }),
      ['Error request.body.version', 'Error request.body.actions.0.action'],
    ],
    [
      'is an image of another type',
      (ask) => ask('POST', images, { body: 'a', headers: { 'Content-Type': 'text/plain' } }),
      ['Error request.headers.Content-Type'],
    ],
  ])('is relayed, and reported, if it %s', async (_what, send, violations) => {
    const { ask } = await startProxy(() => new Response(null, { status: 500 }))
    const reply = await send(ask)
    const found = [...reply.violations, ...reply.differences].filter((one) => one.includes('request'))
    expect(found).toEqual(violations)
  })
})

describe('a response that breaks the contract', () => {
  it.each<[string, ResponseInit & { readonly json?: unknown }, readonly string[]]>([
    ['is valid', { json: RESOURCE, headers: READ }, []],
    ['has another status', { json: RESOURCE, status: 206, headers: READ }, ['Error response.status']],
    ['lacks a member', { json: { version: 1 }, headers: READ }, ['Error response.body.objectTypeProperty']],
    [
      'has a float instead of an integer',
      { json: { ...RESOURCE, version: 1.5 }, headers: READ },
      ['Error response.body.version'],
    ],
    [
      'has a string instead of a number',
      { json: { version: 1, objectTypeProperty: { arrayOfIntExample: ['1'] } }, headers: READ },
      ['Error response.body.objectTypeProperty.arrayOfIntExample.0'],
    ],
    ['has an additional member', { json: { ...RESOURCE, extra: 1 }, headers: READ }, ['D4 response.body.extra']],
    [
      'lacks headers required by decisions',
      { json: RESOURCE },
      ['D5 response.headers.ETag', 'D5 response.headers.Content-Location'],
    ],
    [
      'has errors of the wrong shape',
      { json: { error: 'no' }, status: 404 },
      ['Errors response.body.statusCode', 'Errors response.body.message', 'Errors response.body.errors'],
    ],
    ['is not JSON', { headers: { ...READ, 'Content-Type': 'text/html' } }, ['Error response.headers.Content-Type']],
  ])('is relayed, and reported: it %s', async (_what, { json, ...init }, violations) => {
    const upstream = () => (json === undefined ? new Response('<p>', init) : Response.json(json, init))
    const { ask } = await startProxy(upstream)
    const reply = await ask('GET', TABLE)
    expect([...reply.violations, ...reply.differences]).toEqual(violations)
    expect([reply.status, reply.body]).toEqual([init.status ?? 200, json])
  })

  it.each([
    ['conflict', 409],
    ['unavailable', 503],
    ['missing-scope', 403],
    ['rate-limited', 409],
  ])('is never sent by the mock: %s', async (scenario, status) => {
    const { ask } = await startProxiedMock({}, { scenario })
    const reply = await ask('POST', TABLE, { json: { version: 9, actions: [] } })
    expect([reply.status, reply.violations]).toEqual([status, []])
  })
})

describe('the proxy judges like verify', () => {
  const CART = '/acme/resource/namespace-action-with-example'
  const answer = (text: string, headers: Readonly<Record<string, string>> = READ) =>
    new Response(text, { headers: { 'Content-Type': 'application/json', ...headers } })

  it('reports an integer that is written as a decimal, at its position', async () => {
    const mock = await createMock()
    const { ask } = await startProxy(async (request) => {
      const response = await mock.fetch(request)
      return new Response((await response.text()).replace(/"centAmount":(\d+)/, '"centAmount":$1.0'), response)
    })
    expect((await ask('GET', CART)).differences).toEqual([
      expect.stringMatching(/^D3 response\.body\.lineItems\.0\..+\.centAmount$/),
    ])
  })

  it('allows any number to be written as a decimal, or with an exponent', async () => {
    const content = '{"version":1,"objectTypeProperty":{"arrayOfFloatExample":[1.0,1e2],"arrayOfIntExample":[10]}}'
    const { ask } = await startProxy(() => answer(content))
    expect((await ask('GET', TABLE)).violations).toEqual([])
  })

  it('reports a resource on another host, but not on that of the service', async () => {
    let host = 'https://elsewhere.example.com'
    const { ask } = await startProxy(() =>
      answer(JSON.stringify(RESOURCE), { ...READ, 'Content-Location': host + TABLE }),
    )
    expect((await ask('GET', TABLE)).differences).toEqual(['D5 response.headers.Content-Location'])
    host = UPSTREAM
    expect((await ask('GET', TABLE)).differences).toEqual([])
  })

  it('counts what only decisions add to a response, without a word in the response', async () => {
    const { ask } = await startProxyOf((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(RESOURCE))
    })
    const { violations, differences } = await ask('GET', TABLE)
    expect(violations).toEqual([])
    expect(differences).toEqual([
      'Errors response.headers.X-Content-Type-Options',
      'D5 response.headers.ETag',
      'D5 response.headers.Content-Location',
    ])
  })

  it.each<[string, (ask: Ask) => ReturnType<Ask>, ResponseInit & { readonly json?: unknown }, readonly string[]]>([
    [
      'an array of other types in a query',
      (ask) => ask('GET', '/acme/resource'),
      { json: { arrayOfIntExample: ['1'] } },
      ['Error response.body.arrayOfIntExample.0'],
    ],
    ['a query with other paging fields', (ask) => ask('GET', '/acme/resource'), { json: { items: [] } }, []],
    ['an error of any status and shape', (ask) => ask('GET', TABLE), { json: [], status: 418 }, []],
    [
      'no body after an update, whose response is not shown',
      (ask) => ask('POST', TABLE, { json: { version: 1, actions: [] } }),
      { status: 204 },
      [],
    ],
    [
      'a page of HTML after an update',
      (ask) => ask('POST', TABLE, { json: { version: 1, actions: [] } }),
      { headers: { 'Content-Type': 'text/html' } },
      ['Error response.headers.Content-Type'],
    ],
    ['another shape of a search', (ask) => ask('GET', '/acme/resource/searchApiPattern'), { json: [1] }, []],
    [
      'a status of success that is not documented',
      (ask) => ask('POST', '/acme/resource', { json: { objectTypeProperty: {} } }),
      { json: RESOURCE },
      ['Error response.status'],
    ],
    [
      'a fuzzyLevel above any',
      (ask) => ask('GET', '/acme/resource/searchApiPattern?fuzzyLevel=2000'),
      { json: {} },
      ['Error request.query.fuzzyLevel'],
    ],
  ])('reports only what the specification states: %s', async (_what, send, { json, ...init }, expected) => {
    const { ask } = await startProxy(() =>
      json === undefined ? new Response(init.status === 204 ? null : '<p>', init) : Response.json(json, init),
    )
    expect((await send(ask)).violations).toEqual(expected)
  })

  it('allows versions beyond 2^53 and counts beyond 32 bits', async () => {
    const read = '{"version":9007199254740993,"objectTypeProperty":{}}'
    const page = '{"limit":20,"offset":0,"count":0,"total":2147483648,"results":[]}'
    const { ask } = await startProxy(({ url }) =>
      url.includes('sorted') ? answer(page) : answer(read, { ...READ, ETag: '"9007199254740993"' }),
    )
    expect((await ask('GET', TABLE)).violations).toEqual([])
    expect((await ask('GET', '/acme/resource/sorted-query-parameters')).violations).toEqual([])
  })
})

it('checks an upload without visiting each of its bytes', async () => {
  // A trap for every access to the members of the body.
  const visited: PropertyKey[] = []
  const body = new Proxy(new Uint8Array(4), {
    ownKeys: (target) => (visited.push('keys'), Reflect.ownKeys(target)),
  })
  const asked = { query: {}, headers: { 'Content-Type': 'text/plain' }, families: {}, text: '', body }
  const answered = { status: 200, headers: new Headers(), decoded: new Uint8Array(), body: undefined }
  const found = { kind: 'operation', operation: 'uploadImage', parameters: { projectKey: 'acme' } } as const
  const outgoing = { found, body: { kind: 'whole', bytes: undefined }, decoded: asked, violations: [] } as const
  const rest = { statusText: '', rawHeaders: [], json: RESOURCE, trailers: () => [] }
  const sent = { method: 'POST', correlationId: 'an-id-of-it', header: () => undefined, findPath: () => undefined }
  checkExchange({ ...answered, ...rest }, outgoing, sent)
  toObservations({
    ...found,
    query: new URLSearchParams(),
    requestHeaders: new Headers(),
    requestJson: body,
    status: 200,
    headers: answered.headers,
    json: RESOURCE,
  })
  expect(visited).toEqual([])
})

describe('a secret that a violation would repeat', () => {
  it.each<[string, (ask: Ask) => ReturnType<Ask>, object?]>([
    ['a parameter', (ask) => ask('GET', '/acme/resource/sorted-query-parameters?limit=the-%22secret')],
    ['a path', (ask) => ask('GET', '/elsewhere//me:the-secret@example.com/')],
    ['a member of the response', (ask) => ask('GET', TABLE), { ...RESOURCE, version: 'the-secret' }],
  ])('is redacted in the response, the log and the journal: %s', async (_where, send, json = RESOURCE) => {
    const log: string[] = []
    const { proxy, ask } = await startProxy(() => Response.json(json, { headers: READ }), {
      redact: ['limit', 'ETag', 'version'],
      onRequest: (line) => void log.push(JSON.stringify(line)),
    })
    const shown = (await send(ask)).headers.get('Sl-Violations') ?? ''
    const listed = await proxy.fetch(new Request('http://proxy/__admin/requests'))
    const journal = (await listed.json()) as { readonly requests: readonly { readonly warnings: unknown }[] }
    const warnings = journal.requests[0]?.warnings
    for (const text of [shown, JSON.stringify(warnings), log[0]]) {
      expect(text).toContain('[redacted]')
      expect(text).not.toContain('secret')
    }
  })

  it('is redacted in a difference', async () => {
    const messages: string[] = []
    const { ask } = await startProxy(() => Response.json(RESOURCE, { headers: { ...READ, ETag: 'the-secret' } }), {
      redact: ['ETag'],
      differences: { add: (_by, _operation, { message }) => void messages.push(message) },
    })
    await ask('GET', TABLE)
    expect(messages).toContainEqual(expect.stringContaining('[redacted]'))
    expect(messages.join('\n')).not.toContain('secret')
  })
})

describe('the header Sl-Violations', () => {
  const violation = (message: string): ProxyViolation => ({
    location: ['request', 'body'],
    severity: 'Error',
    code: 'InvalidField',
    message,
  })

  it("is the JSON array of Prism's proxy, in ASCII", () => {
    const header = toViolationHeader([violation('größer 🪑')])
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(header)).toEqual([
      { location: ['request', 'body'], severity: 'Error', code: 'InvalidField', message: 'größer 🪑' },
    ])
  })

  it('contains as many violations as fit', () => {
    const header = toViolationHeader(Array.from({ length: 100 }, () => violation('ß'.repeat(10_000))))
    expect(header.length).toBeLessThanOrEqual(4096)
    expect((JSON.parse(header) as unknown[]).length).toBeGreaterThan(0)
  })
})
