import { describe, expect, it } from 'vitest'
import { createClient } from '../support/client.ts'
import type { CallHeaders } from '../support/client.ts'

const FORM: CallHeaders = {
  'Content-Type': 'application/x-www-form-urlencoded',
  Authorization: `Basic ${btoa('shop:secret')}`,
}
const GRANT = 'grant_type=client_credentials'

describe('an error of a token endpoint', () => {
  it.each<readonly [string, number, string, string, CallHeaders, string]>([
    ['no grant type', 400, 'invalid_request', 'POST', {}, ''],
    ['an unknown grant type', 400, 'unsupported_grant_type', 'POST', {}, 'grant_type=x'],
    ['an invalid scope', 400, 'invalid_scope', 'POST', {}, `${GRANT}&scope=x`],
    ['an invalid refresh token', 400, 'invalid_grant', 'POST', {}, 'grant_type=refresh_token&refresh_token=x'],
    ['no client', 401, 'invalid_client', 'POST', { Authorization: undefined }, GRANT],
    ['a form that is too large', 413, 'invalid_request', 'POST', {}, `${GRANT}&a=${'x'.repeat(70_000)}`],
    ['an uncompressed form declared as gzip', 400, 'invalid_request', 'POST', { 'Content-Encoding': 'gzip' }, GRANT],
    ['a form in Latin-1', 400, 'invalid_request', 'POST', {}, `${GRANT}&username=J%FCrgen`],
    ['an unknown encoding', 415, 'invalid_request', 'POST', { 'Content-Encoding': 'br' }, GRANT],
    ['another method', 405, 'invalid_request', 'PUT', {}, GRANT],
    ['an invalid correlation id', 400, 'invalid_request', 'POST', { 'X-Correlation-ID': 'x' }, GRANT],
  ])('has the OAuth error format: %s', async (_case, status, error, method, headers, form) => {
    const client = await createClient()
    for (const path of ['/oauth/token', '/eu/gcp/oauth/token', '/@s1/oauth/acme/anonymous/token']) {
      if (error === 'invalid_grant' && path.includes('anonymous')) continue
      const { body } = await client.send(method, path, { ...FORM, ...headers }, form)
      expect(body).toMatchObject({
        statusCode: status,
        error,
        error_description: (body as { message: string }).message,
      })
    }
  })

  it('has this format for a query in Latin-1 too', async () => {
    const client = await createClient()
    const { body } = await client.send('POST', `/oauth/token?${GRANT}&username=J%FCrgen`, FORM, '')
    const message =
      'Malformed parameter: username: %FC at character 42 of the query is not percent-encoded UTF-8. Encode ü as %C3%BC.'
    expect(body).toMatchObject({ statusCode: 400, message, error: 'invalid_request', error_description: message })
  })

  it('has this format for an invalid session name too', async () => {
    const client = await createClient()
    const { body } = await client.send('POST', '/@a b/oauth/token', FORM, GRANT)
    expect(body).toMatchObject({ statusCode: 400, error: 'invalid_request' })
  })

  it('is server_error when the session limit is reached', async () => {
    const client = await createClient({ maxSessions: 1 })
    await client.post('/@full/acme/resource', { objectTypeProperty: {} })
    const { body } = await client.send('POST', '/@late/oauth/token', FORM, GRANT)
    expect(body).toMatchObject({ statusCode: 503, error: 'server_error' })
  })

  it('is not used for a path that only looks like one', async () => {
    const client = await createClient()
    for (const path of ['/oauth/tokens', '/oauth/resource/none', '/oauth/gcp/acme/resource/none']) {
      const { status, body } = await client.get(path)
      expect([status, body]).toEqual([404, expect.not.objectContaining({ error: expect.anything() })])
    }
  })

  it('does not affect the resources of a region called oauth', async () => {
    const client = await createClient({ resources: [{ key: 'abc', objectTypeProperty: {} }] })
    const { status, headers } = await client.get('/oauth/gcp/acme/resource/key=abc')
    expect([status, headers.get('Content-Location')]).toEqual([
      200,
      expect.stringMatching(/^\/oauth\/gcp\/acme\/resource\//),
    ])
  })
})
