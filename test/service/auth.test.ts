import { describe, expect, it } from 'vitest'
import { createClient, draft, errorOf } from '../support/client.ts'
import type { CallHeaders, Client } from '../support/client.ts'

const base = '/acme/resource'
const bearing = (token: string): CallHeaders => ({ Authorization: `Bearer ${token}` })
const NO_TOKEN: CallHeaders = { Authorization: undefined }
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** The smallest GIF: one pixel. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (character) => character.charCodeAt(0))

const reads = ['manage_test', 'view_test']
const writes = ['manage_test']

/** Every endpoint, with the scopes that section 5 of the specification and D30 accept; an empty list accepts any token. */
const table: readonly [string, string, readonly string[], CallHeaders?, BodyInit?][] = [
  ['GET', base, reads],
  ['GET', `${base}/1`, reads],
  ['GET', `${base}/key=abc`, reads],
  ['GET', `${base}/searchApiPattern`, reads],
  ['HEAD', base, reads],
  ['POST', base, writes, JSON_TYPE, '{"objectTypeProperty":{}}'],
  ['PATCH', base, writes, JSON_TYPE, '{"objectTypeProperty":{}}'],
  ['PUT', base, writes, JSON_TYPE, '{"objectTypeProperty":{}}'],
  ['POST', `${base}/artificially-complex/path/uri-parameter-one=a/b`, writes, JSON_TYPE, '{}'],
  ['POST', `${base}/1`, writes, JSON_TYPE, '{"version":1,"actions":[]}'],
  ['DELETE', `${base}/1`, writes],
  ['GET', `${base}/sorted-query-parameters`, reads],
  ['POST', `${base}/images`, ['manage_products'], { 'Content-Type': 'image/gif' }, gif],
  ['POST', `${base}/namespace-action`, [], JSON_TYPE, '{}'],
  ['GET', `${base}/namespace-action`, []],
  ['GET', `${base}/namespace-action-with-example`, []],
  ['GET', `${base}/namespace-action-with-headers`, [], { Accept: '*/*', 'Storefront-Locale': 'de' }],
]

const tokens = [
  'view_test:acme',
  'manage_test:acme',
  'manage_products:acme',
  'manage_project:acme',
  'manage_project:*',
  'view_test:other',
  'manage_project:other',
]

/** Whether a token with the single scope is accepted if any of these scopes is required. */
const isAccepted = (token: string, scopes: readonly string[]): boolean =>
  scopes.length === 0 ||
  ['manage_project:acme', 'manage_project:*'].includes(token) ||
  scopes.some((scope) => `${scope}:acme` === token)

describe('scopes', () => {
  it.each(table)('%s %s accepts %j', async (method, path, scopes, headers = {}, body) => {
    const client = await createClient()
    for (const token of tokens) {
      const { status } = await client.send(method, path, { ...headers, ...bearing(token) }, body)
      expect({ token, isForbidden: status === 403 }).toEqual({ token, isForbidden: !isAccepted(token, scopes) })
    }
  })

  it.each(table)('%s %s requires a token', async (method, path, _scopes, headers = {}, body) => {
    const client = await createClient()
    expect((await client.send(method, path, { ...headers, ...NO_TOKEN }, body)).status).toBe(401)
  })

  it('may be combined in one token', async () => {
    const client = await createClient()
    const both = bearing('manage_products:acme,manage_test:acme')
    await client.post(base, draft(), both)
    expect((await client.send('POST', `${base}/images`, { ...both, 'Content-Type': 'image/gif' }, gif)).status).toBe(
      200,
    )
  })
})

describe('401', () => {
  it('reports a missing token in body and header', async () => {
    const client = await createClient()
    const reply = await client.get(base, NO_TOKEN)
    expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer realm="acme", error="invalid_token"')
    expect(reply.body).toEqual({
      statusCode: 401,
      message: 'Any token works here: Authorization: Bearer any. The request has no Authorization header.',
      error: 'invalid_token',
      error_description: 'Any token works here: Authorization: Bearer any. The request has no Authorization header.',
      errors: [{ code: 'invalid_token', message: expect.any(String) }],
    })
  })

  it.each(['%22%0D%0A', '%F0%9F%98%80', '%5C', '%00'])('is sent for any project key: %s', async (projectKey) => {
    const client = await createClient()
    const reply = await client.get(`/${projectKey}/resource`, NO_TOKEN)
    expect([reply.status, reply.headers.get('WWW-Authenticate')]).toEqual([
      401,
      `Bearer realm="${projectKey}", error="invalid_token"`,
    ])
    const forbidden = await client.get(`/${projectKey}/resource`, bearing('view_test:acme'))
    expect([forbidden.status, forbidden.headers.get('WWW-Authenticate')]).toEqual([
      403,
      `Bearer realm="${projectKey}", error="insufficient_scope", scope="manage_test:${projectKey} view_test:${projectKey}"`,
    ])
  })

  it.each([
    ['Basic', 'Basic abc'],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
  ])('is sent for %s', async (_case, authorization) => {
    expect((await (await createClient()).get(base, { Authorization: authorization })).status).toBe(401)
  })

  it('is checked before the rest of the request', async () => {
    const client = await createClient()
    const reply = await client.send(
      'POST',
      `${base}/nope?version=x`,
      { ...NO_TOKEN, 'Content-Type': 'text/plain' },
      '{',
    )
    expect(reply.status).toBe(401)
  })
})

describe('a token that only a bug sends', () => {
  it.each([
    ['undefined', 'The bearer token is "undefined".'],
    ['null', 'The bearer token is "null".'],
    ['NaN', 'The bearer token is "NaN".'],
    ['[object Object]', 'The bearer token is "[object Object]".'],
    ['[object Promise]', 'The bearer token is "[object Promise]".'],
    ['<ACCESS_TOKEN>', 'The bearer token is a placeholder.'],
    ['${token}', 'The bearer token is a placeholder.'],
    ['{{token}}', 'The bearer token is a placeholder.'],
    ['%7B%7Btoken%7D%7D', 'The bearer token is a placeholder.'],
  ])('is warned in lenient mode, and refused in strict mode: %s', async (token, sentence) => {
    const lenient = await (await createClient()).get(base, bearing(token))
    expect([lenient.status, lenient.headers.get('X-Mock-Warning')]).toEqual([200, expect.stringMatching(/^D32 /)])
    expect(lenient.headers.get('X-Mock-Warning')).toContain(sentence)
    const strict = await (await createClient({ auth: 'strict' })).get(base, bearing(token))
    expect(strict.status).toBe(401)
  })

  it.each(['any', 'undefined-1', 'nullable', 'a{b}'])('is not taken for one: %s', async (token) => {
    const { status, headers } = await (await createClient()).get(base, bearing(token))
    expect([status, headers.get('X-Mock-Warning')]).toEqual([200, null])
  })
})

describe('403', () => {
  it('reports missing scopes in body and header', async () => {
    const client = await createClient()
    const reply = await client.post(base, draft(), bearing('view_test:acme'))
    const message = 'Insufficient scope. One of the following scopes is missing: manage_test:acme.'
    expect(reply.headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="acme", error="insufficient_scope", scope="manage_test:acme"',
    )
    expect(reply.body).toEqual({
      statusCode: 403,
      message,
      error: 'insufficient_scope',
      error_description: message,
      errors: [
        {
          code: 'insufficient_scope',
          message,
          detailedErrorMessage: 'Get a token that has it from POST /oauth/token, such as with scope=manage_project:*.',
        },
      ],
    })
  })

  it('is checked before the rest of the request', async () => {
    const client = await createClient()
    const reply = await client.send(
      'POST',
      `${base}/nope`,
      { ...bearing('view_test:acme'), 'Content-Type': 'text/plain' },
      '{',
    )
    expect(reply.status).toBe(403)
  })
})

describe('tokens', () => {
  async function tokenFor(client: Client, scope?: string): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
    const { body } = await client.send('POST', '/oauth/token', { Authorization: `Basic ${btoa('id:secret')}` }, form)
    return (body as { readonly access_token: string }).access_token
  }

  it('are limited to their scopes if issued', async () => {
    const client = await createClient({ auth: 'strict' })
    const token = await tokenFor(client, 'view_test:acme')
    expect((await client.get(base, bearing(token))).status).toBe(200)
    expect((await client.post(base, draft(), bearing(token))).status).toBe(403)
    expect((await client.get('/other/resource', bearing(token))).status).toBe(403)
    expect((await client.post(base, draft(), bearing(await tokenFor(client)))).status).toBe(201)
  })

  it('of any kind are accepted under lenient, and only issued or spelled-out ones under strict', async () => {
    const [lenient, strict] = [await createClient(), await createClient({ auth: 'strict' })]
    expect((await lenient.post(base, draft(), bearing('anything'))).status).toBe(201)
    expect((await strict.post(base, draft(), bearing('anything'))).status).toBe(401)
    expect((await strict.post(base, draft(), bearing('manage_test:acme'))).status).toBe(201)
  })

  it('are not required under off', async () => {
    const client = await createClient({ auth: 'off' })
    for (const headers of [NO_TOKEN, bearing('view_test:other'), { Authorization: 'Basic x' }]) {
      expect((await client.post(base, draft(), headers)).status).toBe(201)
    }
  })

  it('are refused with 401 if tampered with', async () => {
    const client = await createClient()
    const token = await tokenFor(client)
    const at = token.length - 10
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    expect(errorOf(await client.get(base, bearing(changed)))).toMatchObject({ status: 401, code: 'invalid_token' })
  })
})
