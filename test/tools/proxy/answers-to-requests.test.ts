import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/service/http/json.ts'
import { builtinFixtureTexts } from '../../../src/service/state/builtin-fixtures.ts'
import { TABLE, startProxiedMock, startProxy } from './proxying.ts'
import type { Ask } from './proxying.ts'

const SEARCH = '/acme/resource/searchApiPattern'
const QUERY = '/acme/resource/sorted-query-parameters'
const UPDATE = { version: 1, actions: [{ action: 'doSomeThing' }] }
const PAGE = { limit: 20, offset: 0, count: 0, total: 0, results: [] }
const RESOURCE = { version: 1, objectTypeProperty: {} }
const toConflict = (currentVersion: number) => ({
  statusCode: 409,
  message: 'M',
  errors: [{ code: 'ConcurrentModification', message: 'M', currentVersion }],
})
const toError = (statusCode: number, code: string) => ({ statusCode, message: 'M', errors: [{ code, message: 'M' }] })
const LOCALISED = '/acme/resource/namespace-action-with-headers'
const CART = parseJson(builtinFixtureTexts['cart.json'] ?? '')
const WRITTEN = { ETag: '"1"', Location: TABLE }

describe('a response that does not fit its request', () => {
  it.each<[string, (ask: Ask) => ReturnType<Ask>, ResponseInit & { readonly json: unknown }, readonly string[]]>([
    ['the same limit and offset', (ask) => ask('GET', `${QUERY}?limit=20.0&offset=0`), { json: PAGE }, []],
    ['another limit', (ask) => ask('GET', `${QUERY}?limit=5`), { json: PAGE }, ['D20 response.body.limit']],
    [
      'another limit than the default one',
      (ask) => ask('GET', QUERY),
      { json: { ...PAGE, limit: 50 } },
      ['D20 response.body.limit'],
    ],
    ['another offset', (ask) => ask('GET', `${SEARCH}?offset=7`), { json: PAGE }, ['D14 response.body.offset']],
    [
      'an unsolicited total',
      (ask) => ask('GET', `${QUERY}?withTotal=false`),
      { json: PAGE },
      ['D20 response.body.total'],
    ],
    ['no total', (ask) => ask('GET', QUERY), { json: { ...PAGE, total: undefined } }, ['D20 response.body.total']],
    [
      'no facets',
      (ask) => ask('GET', `${SEARCH}?facet=arrayOfIntExample`),
      { json: PAGE },
      ['D14 response.body.facets'],
    ],
    [
      'a version that no update created',
      (ask) => ask('POST', TABLE, { json: UPDATE }),
      { json: RESOURCE, headers: WRITTEN },
      ['D7 response.body.version'],
    ],
    [
      'an unchanged version after an update without actions',
      (ask) => ask('POST', TABLE, { json: { ...UPDATE, actions: [] } }),
      { json: RESOURCE, headers: WRITTEN },
      [],
    ],
    [
      'the deletion of another version',
      (ask) => ask('DELETE', `${TABLE}?version=2`),
      { json: RESOURCE, headers: { ETag: '"1"' } },
      ['D19 response.body.version'],
    ],
    [
      'another id',
      (ask) => ask('DELETE', TABLE),
      { json: { id: 'b', ...RESOURCE }, headers: { ETag: '"1"' } },
      ['D5 response.body.id'],
    ],
    ['a conflict', (ask) => ask('POST', TABLE, { json: UPDATE }), { json: toConflict(2), status: 409 }, []],
    [
      'a conflict whose versions are equal',
      (ask) => ask('POST', TABLE, { json: UPDATE }),
      { json: toConflict(1), status: 409 },
      ['Errors response.body.errors.0.currentVersion'],
    ],
    [
      'a cart in another language',
      (ask) => ask('GET', LOCALISED, { headers: { Accept: '*/*', 'Storefront-Locale': 'de_DE' } }),
      { json: CART, headers: { 'Content-Language': 'fr-FR' } },
      ['D23 response.headers.Content-Language'],
    ],
    [
      'a cart in the language of the locale',
      (ask) => ask('GET', LOCALISED, { headers: { Accept: '*/*', 'Storefront-Locale': 'de_AT' } }),
      { json: CART, headers: { 'Content-Language': 'de-DE' } },
      [],
    ],
    [
      'a rejected media type that the client accepts',
      (ask) => ask('GET', LOCALISED, { headers: { Accept: 'text/html, application/*', 'Storefront-Locale': 'de' } }),
      { json: toError(406, 'InvalidInput'), status: 406 },
      ['D23 response.status'],
    ],
    [
      'a rate limit without its headers',
      (ask) => ask('GET', TABLE),
      { json: toError(429, 'TooManyRequests'), status: 429, headers: { 'Retry-After': '1', 'RateLimit-Limit': '5' } },
      ['Errors response.headers.RateLimit-Remaining', 'Errors response.headers.RateLimit-Reset'],
    ],
    [
      'another correlation id',
      (ask) => ask('DELETE', TABLE, { headers: { 'X-Correlation-ID': 'checkout-1' } }),
      { json: RESOURCE, headers: { ETag: '"1"', 'X-Correlation-ID': 'checkout-2' } },
      ['Errors response.headers.X-Correlation-ID'],
    ],
    [
      "another correlation id than the proxy's",
      (ask) => ask('DELETE', TABLE),
      { json: RESOURCE, headers: { ETag: '"1"', 'X-Correlation-ID': 'checkout-2' } },
      ['Errors response.headers.X-Correlation-ID'],
    ],
    [
      'no correlation id although the request has one',
      (ask) => ask('DELETE', TABLE, { headers: { 'X-Correlation-ID': 'checkout-1' } }),
      { json: RESOURCE, headers: { ETag: '"1"' } },
      ['Errors response.headers.X-Correlation-ID'],
    ],
    [
      'the same correlation id',
      (ask) => ask('DELETE', TABLE, { headers: { 'X-Correlation-ID': 'checkout-1' } }),
      { json: RESOURCE, headers: { ETag: '"1"', 'X-Correlation-ID': 'checkout-1' } },
      [],
    ],
    [
      'a rejected method without the allowed methods',
      (ask) => ask('DELETE', '/acme/resource/images'),
      { json: {}, status: 405 },
      ['Error request.method', 'D24 response.headers.Allow'],
    ],
  ])('is relayed, and reported: %s', async (_what, send, { json, ...init }, violations) => {
    const { ask } = await startProxy(() => Response.json(json, init))
    const reply = await send(ask)
    expect([...reply.violations, ...reply.differences]).toEqual(violations)
  })
})

describe('a request that should have been refused', () => {
  const image = { headers: { 'Content-Type': 'image/gif' }, body: 'GIF89a' }
  const cases: readonly [string, (ask: Ask) => ReturnType<Ask>, string, string][] = [
    [
      'fuzzyLevel too high',
      (ask) => ask('GET', `${SEARCH}?text.en=shirt&fuzzyLevel=2`),
      'request.query.fuzzyLevel',
      'D14',
    ],
    ['a filter of no field', (ask) => ask('GET', `${SEARCH}?filter=colour:red`), 'request.query.filter', 'D14'],
    ['a limit too high', (ask) => ask('GET', '/acme/resource?limit=501'), 'request.query.limit', 'D10'],
    ['a predicate of no field', (ask) => ask('GET', `${QUERY}?where=colour%3D1`), 'request.query.where', 'D20'],
    ['a sort of no field', (ask) => ask('GET', `${QUERY}?sort=colour`), 'request.query.sort', 'D20'],
    [
      'an unknown action',
      (ask) => ask('POST', TABLE, { json: { version: 1, actions: [...UPDATE.actions, { action: 'paint' }] } }),
      'request.body.actions.1.action',
      'D18',
    ],
    [
      'an incomplete action',
      (ask) => ask('POST', TABLE, { json: { version: 1, actions: [{ action: 'changeSomeProperty' }] } }),
      'request.body.actions.0.someProperty',
      'D18',
    ],
    [
      'an invalid locale',
      (ask) => ask('GET', LOCALISED, { headers: { Accept: '*/*', 'Storefront-Locale': 'german' } }),
      'request.headers.Storefront-Locale',
      'D23',
    ],
    [
      'a cart as a page',
      (ask) => ask('GET', LOCALISED, { headers: { Accept: 'text/html', 'Storefront-Locale': 'de' } }),
      'request.headers.Accept',
      'D23',
    ],
    ['a truncated image', (ask) => ask('POST', '/acme/resource/images', image), 'request.body', 'D21'],
  ]
  it.each(cases)('differs in a service that accepted it: %s', async (_what, send, place, decision) => {
    const { ask } = await startProxy(() => Response.json(RESOURCE))
    expect((await send(ask)).differences).toContain(`${decision} ${place}`)
  })

  it.each(cases)('does not differ in a service that refused it: %s', async (_what, send) => {
    const { ask } = await startProxiedMock()
    const { status, violations, differences } = await send(ask)
    expect([status < 500 && status >= 400, violations, differences]).toEqual([true, [], []])
  })

  it('is a violation by a service that accepts what is not an image', async () => {
    const { ask } = await startProxy(() => Response.json(RESOURCE))
    const { violations, headers } = await ask('POST', '/acme/resource/images', { ...image, body: 'no image' })
    expect(violations).toEqual(['Error request.body'])
    expect(headers.get('Sl-Violations')).toContain('The service accepted what section 8 refuses: ')
  })
})

describe('the responses of the mock', () => {
  it.each<[string, (ask: Ask) => ReturnType<Ask>]>([
    ['a query', (ask) => ask('GET', '/acme/resource?limit=2&offset=1&sort=version&where=version%20%3E%200')],
    ['a query without matches', (ask) => ask('GET', '/acme/resource?stringParameter=nowhere')],
    ['a search', (ask) => ask('GET', `${SEARCH}?text.en=a&facet=arrayOfIntExample&facet=arrayOfStringExample&limit=0`)],
    ['a variable', (ask) => ask('GET', `${QUERY}?where=key%20%3D%20:k&var.k=a&withTotal=false`)],
    ['a read with its identity', (ask) => ask('GET', TABLE, { headers: { Prefer: 'identity=body' } })],
    ['an update', (ask) => ask('POST', TABLE, { json: UPDATE })],
    ['a stale update', (ask) => ask('POST', TABLE, { json: { ...UPDATE, version: 9 } })],
    ['a deletion', (ask) => ask('DELETE', `${TABLE}?version=1`)],
    ['a made-up body', (ask) => ask('GET', TABLE, { headers: { Prefer: 'dynamic=true' } })],
    ['a made-up page', (ask) => ask('GET', QUERY, { headers: { Prefer: 'dynamic=true' } })],
    ['no resource', (ask) => ask('GET', '/acme/resource/none')],
    [
      'a localised cart',
      (ask) => ask('GET', LOCALISED, { headers: { Accept: 'application/json', 'Storefront-Locale': 'de_AT' } }),
    ],
    ['a rejected method', (ask) => ask('DELETE', '/acme/resource/images')],
  ])('have no violations: %s', async (_what, send) => {
    const { ask } = await startProxiedMock()
    const { violations, differences } = await send(ask)
    expect([...violations, ...differences].filter((one) => one.includes('response'))).toEqual([])
  })
})
