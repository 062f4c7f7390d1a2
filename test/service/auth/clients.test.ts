import { describe, expect, it } from 'vitest'
import { basic, createTokenService } from './token-service.ts'

type Fields = Readonly<Record<string, string>>

/** Requests a token with these client credentials. */
async function ask(clients: readonly string[] | undefined, authorization: string | undefined, fields: Fields = {}) {
  const { post, tokens } = createTokenService(clients === undefined ? {} : { clients })
  const { response, status, body } = await post('/oauth/token', {
    form: { grant_type: 'client_credentials', ...fields },
    headers: authorization === undefined ? {} : { Authorization: authorization },
  })
  const verification = status === 200 ? await tokens.verify(body.access_token) : undefined
  const clientId = verification?.kind === 'issued' ? verification.token.clientId : undefined
  return { response, status, body, clientId }
}

const ONLY = ['shop:s3cret', 'app:a:b c', 'open:']

describe('a client', () => {
  it.each([
    ['any client, with HTTP Basic', undefined, basic('anyone', 'anything'), {}, 'anyone'],
    ['any client, with a lowercase scheme', undefined, basic('anyone', 'x').replace('Basic', 'basic'), {}, 'anyone'],
    ['any client, without a secret', undefined, basic('anyone', ''), {}, 'anyone'],
    ['any client, in the form', undefined, undefined, { client_id: 'anyone', client_secret: 'x' }, 'anyone'],
    ['any client, with only an id', undefined, undefined, { client_id: 'anyone' }, 'anyone'],
    ['any client, if the list is empty', [], basic('anyone', 'x'), {}, 'anyone'],
    ['any client, with a non-ASCII id', undefined, basic('caf\u00E9', 'x'), {}, 'caf\u00E9'],
    ['a known client, with HTTP Basic', ONLY, basic('shop', 's3cret'), {}, 'shop'],
    ['a known client, with its id also in the form', ONLY, basic('shop', 's3cret'), { client_id: 'shop' }, 'shop'],
    ['a known client, in the form', ONLY, undefined, { client_id: 'shop', client_secret: 's3cret' }, 'shop'],
    ['a known client, with a colon in its secret', ONLY, basic('app', 'a:b c'), {}, 'app'],
    ['a known client, form-encoded for Basic', ONLY, basic('app', 'a%3Ab+c'), {}, 'app'],
    ['a known client with an empty secret', ONLY, undefined, { client_id: 'open' }, 'open'],
  ])('is accepted: %s', async (_, clients, authorization, fields, id) => {
    const { status, clientId } = await ask(clients, authorization, fields)
    expect([status, clientId]).toEqual([200, id])
  })

  it.each([
    ['no credentials', undefined, undefined, {}, /client id is missing/],
    ['an empty id', undefined, basic('', 'x'), {}, /client id is missing/],
    ['only a secret', undefined, undefined, { client_secret: 'x' }, /client id is missing/],
    ['a bearer token', undefined, 'Bearer abc', {}, /client id is missing/],
    ['a bearer token with an id', undefined, 'Bearer abc', { client_id: 'shop' }, /client id is missing/],
    ['empty Basic credentials', undefined, 'Basic', {}, /client id is missing/],
    ['Basic credentials that are not base64', undefined, 'Basic %%%', {}, /client id is missing/],
    ['Basic credentials without a colon', undefined, 'Basic YWJj', {}, /client id is missing/],
    ['a wrong secret', ONLY, basic('shop', 'wrong'), {}, /"shop" is unknown, or its secret is wrong\. .* --client/],
    ['a wrong secret in the form', ONLY, undefined, { client_id: 'shop', client_secret: 'x' }, /"shop" is unknown/],
    ['an unknown id', ONLY, basic('other', 's3cret'), {}, /"other" is unknown/],
    ['a malformed encoding', ONLY, basic('shop', '%'), {}, /"shop" is unknown/],
  ])('is refused: %s', async (_, clients, authorization, fields, sentence) => {
    const { response, status, body } = await ask(clients, authorization, fields)
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    expect(body.message).toMatch(sentence)
    expect(response.headers.get('WWW-Authenticate')).toBe('Basic realm="resource-mock", charset="UTF-8"')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })

  it('may not send its secret in two ways', async () => {
    const { status, body } = await ask(undefined, basic('shop', 's'), { client_id: 'shop', client_secret: 's' })
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  it('is required for introspection too', async () => {
    const { post } = createTokenService({ clients: ONLY })
    const { status, body } = await post('/oauth/introspect', { form: { token: 'abc' } })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
  })
})
