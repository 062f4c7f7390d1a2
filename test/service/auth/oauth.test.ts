import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTokenService } from './token-service.ts'

const TOKEN = '/oauth/token'
const ANONYMOUS = '/oauth/acme/anonymous/token'
const CUSTOMERS = '/oauth/acme/customers/token'
const INTROSPECT = '/oauth/introspect'
const CLIENT = { grant_type: 'client_credentials' }
const PASSWORD = { grant_type: 'password', username: 'jane@example.com', password: 'secret' }

describe('a token endpoint', () => {
  it.each([
    [TOKEN, CLIENT, false],
    [ANONYMOUS, CLIENT, true],
    [CUSTOMERS, PASSWORD, true],
  ])('%s responds to %o with a bearer token, and with a refresh token: %s', async (path, form, refreshes) => {
    const { post, tokens } = createTokenService()
    const { response, status, body } = await post(path, { form: { ...form, scope: 'view_test:acme manage_test:b' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 172_800,
      scope: 'view_test:acme manage_test:b',
      ...(refreshes ? { refresh_token: expect.any(String) } : {}),
    })
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Pragma')).toBe('no-cache')
    expect(await tokens.verify(body.access_token)).toMatchObject({
      token: { kind: 'access', clientId: 'shop', scopes: ['view_test:acme', 'manage_test:b'] },
    })
  })

  it.each([
    [TOKEN, CLIENT],
    [ANONYMOUS, CLIENT],
    [CUSTOMERS, PASSWORD],
  ])('%s grants every scope of every project by default', async (path, form) => {
    const { post } = createTokenService()
    expect((await post(path, { form })).body.scope).toBe('manage_project:*')
    expect((await post(path, { form: { ...form, scope: '' } })).body.scope).toBe('manage_project:*')
    expect((await post(path, { form: { ...form, scope: ' ' } })).body.scope).toBe('manage_project:*')
  })

  it('lists a duplicate scope once', async () => {
    const { post } = createTokenService()
    const { body } = await post(TOKEN, { form: { ...CLIENT, scope: 'view_test:a  view_test:b view_test:a' } })
    expect(body.scope).toBe('view_test:a view_test:b')
  })

  it.each(['view_test', 'view_test:a view', 'view_test:a,view_test:b', 'view_test:"', 'all'])(
    'refuses the scope %j',
    async (scope) => {
      const { post } = createTokenService()
      const { status, body } = await post(TOKEN, { form: { ...CLIENT, scope } })
      expect(status).toBe(400)
      expect(body).toMatchObject({ statusCode: 400, error: 'invalid_scope', errors: [{ code: 'invalid_scope' }] })
      expect(body.message).toContain('name:projectKey')
    },
  )

  it.each([
    [TOKEN, 'password', 'client_credentials or refresh_token'],
    [TOKEN, 'authorization_code', 'client_credentials or refresh_token'],
    [TOKEN, '__proto__', 'client_credentials or refresh_token'],
    [TOKEN, 'toString', 'client_credentials or refresh_token'],
    [ANONYMOUS, 'password', 'client_credentials'],
    [ANONYMOUS, 'refresh_token', 'client_credentials'],
    [CUSTOMERS, 'client_credentials', 'password'],
  ])('%s does not support the grant type %s, and lists the supported ones', async (path, grantType, offered) => {
    const { post } = createTokenService()
    const { status, body } = await post(path, { form: { grant_type: grantType } })
    expect(status).toBe(400)
    expect(body.error).toBe('unsupported_grant_type')
    expect(body.error_description).toBe(body.message)
    expect(body.message).toBe(`The grant type "${grantType}" is not supported at ${path}. Use grant_type=${offered}.`)
  })

  it.each([
    [TOKEN, {}, 'grant_type'],
    [TOKEN, { grant_type: '' }, 'grant_type'],
    [TOKEN, { grant_type: 'refresh_token' }, 'refresh_token'],
    [ANONYMOUS, {}, 'grant_type'],
    [CUSTOMERS, { grant_type: 'password', password: 'p' }, 'username'],
    [CUSTOMERS, { grant_type: 'password', username: 'u' }, 'password'],
    [CUSTOMERS, { ...PASSWORD, password: '' }, 'password'],
    [INTROSPECT, {}, 'token'],
  ])('%s with %o reports the missing %s', async (path, form, name) => {
    const { post } = createTokenService()
    const { status, body } = await post(path, { form })
    expect(status).toBe(400)
    expect(body.error).toBe('invalid_request')
    expect(body.message).toContain(`"${name}"`)
  })
})

describe('parameters', () => {
  it('are read from the query', async () => {
    const { post } = createTokenService()
    const { body } = await post(TOKEN, { query: { ...CLIENT, scope: 'view_test:acme' } })
    expect(body.scope).toBe('view_test:acme')
  })

  it('are read from both, and the form wins', async () => {
    const { post } = createTokenService()
    const query = { grant_type: 'password', scope: 'view_test:query' }
    expect((await post(TOKEN, { query, form: CLIENT })).body.scope).toBe('view_test:query')
    expect((await post(TOKEN, { query, form: { ...CLIENT, scope: 'view_test:form' } })).body.scope).toBe(
      'view_test:form',
    )
  })

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'nonsense', ''])(
    'are read from a form of Content-Type "%s"',
    async (type) => {
      const { post } = createTokenService()
      const headers = { 'Content-Type': type, Authorization: 'Basic YTpi' }
      expect((await post(TOKEN, { form: CLIENT, headers })).status).toBe(200)
    },
  )

  it.each([
    ['form', { form: 'grant_type=client_credentials&grant_type=client_credentials' }],
    ['form', { form: 'grant_type=client_credentials&scope=&scope=view_test:a' }],
    ['form', { form: 'grant_type=client_credentials&other=1&other=1' }],
    ['query', { query: 'grant_type=client_credentials&scope=view_test:a&scope=view_test:b' }],
  ])('given more than once in the %s are refused', async (place, asked) => {
    const { post } = createTokenService()
    const { status, body } = await post(TOKEN, asked)
    expect(status).toBe(400)
    expect(body.error).toBe('invalid_request')
    expect(body.message).toContain(`repeated in the ${place}`)
  })

  it('are refused in a form that is not UTF-8', async () => {
    const { app } = createTokenService()
    const response = await app.request(TOKEN, { method: 'POST', body: new Uint8Array([0x61, 0x3d, 0xff]) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('are read from a form of 64 KiB, and refused in one of a byte more, declared or streamed', async () => {
    const { app } = createTokenService()
    const start = 'grant_type=client_credentials&client_id=shop&filler='
    const bytes = (size: number) => new TextEncoder().encode(start.padEnd(size, 'x'))
    const send = (size: number, streamed: boolean) =>
      app.request(TOKEN, {
        method: 'POST',
        body: streamed ? new Blob([bytes(size)]).stream() : bytes(size),
        ...(streamed ? { duplex: 'half' } : { headers: { 'Content-Length': String(size) } }),
      })
    for (const streamed of [false, true]) {
      expect((await send(65_536, streamed)).status).toBe(200)
      const refused = await send(65_537, streamed)
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({ errors: [{ code: 'ContentTooLarge', limit: 65_536 }] })
    }
  })

  it('never cause an internal error, whatever they are', async () => {
    const { post } = createTokenService()
    const path = fc.constantFrom(TOKEN, ANONYMOUS, CUSTOMERS, INTROSPECT)
    const name = fc.oneof(
      fc.constantFrom('grant_type', 'scope', 'token', 'refresh_token', 'client_secret'),
      fc.string(),
    )
    const value = fc.oneof(fc.constantFrom('client_credentials', 'refresh_token', 'password'), fc.string())
    await fc.assert(
      fc.asyncProperty(path, fc.array(fc.tuple(name, value), { maxLength: 5 }), async (path, fields) => {
        const { status, body } = await post(path, { form: new URLSearchParams(fields).toString() })
        if (status === 200) expect(body.active ?? body.token_type).toBeDefined()
        else expect(body).toMatchObject({ statusCode: 400, error: expect.any(String), errors: [{}] })
      }),
    )
  })
})

describe('the method', () => {
  it.each([TOKEN, ANONYMOUS, CUSTOMERS, INTROSPECT])('of %s is POST only', async (path) => {
    const { app } = createTokenService()
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const response = await app.request(path, { method })
      expect([method, response.status, response.headers.get('Allow')]).toEqual([method, 405, 'POST'])
    }
  })

  it('of a preflight is left to the surrounding app', async () => {
    const { app } = createTokenService()
    const response = await app.request(TOKEN, {
      method: 'OPTIONS',
      headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(response.status).toBe(404)
  })
})

it('issues a separate token to each of many concurrent requests', async () => {
  const { post, tokens } = createTokenService()
  const scopes = Array.from({ length: 30 }, (_, index) => `view_test:p${index}`)
  const answers = await Promise.all(scopes.map((scope) => post(ANONYMOUS, { form: { ...CLIENT, scope } })))
  const issued = answers.map(({ body }) => body.access_token)
  expect(new Set([...issued, ...answers.map(({ body }) => body.refresh_token)]).size).toBe(60)
  const verified = await Promise.all(issued.map((token) => tokens.verify(token)))
  expect(verified.map((one) => one.kind === 'issued' && one.token.scopes.join())).toEqual(scopes)
})
