import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactBody, redactHeaders, redactUrl } from '../../src/journal/redact.ts'
import { toTestEntry } from './exchanges.ts'

const R = '[redacted]'
const TOKEN_URL = 'http://127.0.0.1:4010/oauth/token'

describe('headers', () => {
  it.each([
    ['authorization', 'Bearer abc', `Bearer ${R}`],
    ['authorization', 'bearer abc', `bearer ${R}`],
    ['authorization', 'Basic aWQ6c2VjcmV0', `Basic ${R}`],
    ['authorization', 'abc', R],
    ['authorization', 'hunter2 and more', R],
    ['authorization', 'Bearer', R],
    ['proxy-authorization', 'Basic abc', `Basic ${R}`],
    ['cookie', 'mock-session=s1; theme="dark"', `mock-session=${R}; theme=${R}`],
    ['cookie', 'no-name', R],
    ['set-cookie', 'admin=abc; Path=/__admin; HttpOnly', `admin=${R}; Path=/__admin; HttpOnly`],
    [
      'set-cookie',
      'a=1; Expires=Sat, 31 Jan 2026 12:00:00 GMT\nb=2',
      `a=${R}; Expires=Sat, 31 Jan 2026 12:00:00 GMT\nb=${R}`,
    ],
    ['referer', 'http://localhost:4010/__admin?token=abc', `http://localhost:4010/__admin?token=${R}`],
    ['accept', 'application/json', 'application/json'],
    ['x-correlation-id', 'authorization', 'authorization'],
  ])('%s: %s becomes %s', (name, value, expected) => {
    expect(redactHeaders({ [name]: value })).toEqual({ [name]: expected })
  })
})

describe('an URL', () => {
  it.each([
    ['/__admin?token=abc', `/__admin?token=${R}`],
    ['/@s1/__admin/requests?limit=1&token=abc&since=2', `/@s1/__admin/requests?limit=1&token=${R}&since=2`],
    [
      '/oauth/token?grant_type=password&username=jo&password=a%26b',
      `/oauth/token?grant_type=password&username=jo&password=${R}`,
    ],
    ['/oauth/token?client%5Fsecret=abc', `/oauth/token?client%5Fsecret=${R}`],
    ['/oauth/token?CLIENT_SECRET=abc=def', `/oauth/token?CLIENT_SECRET=${R}`],
    ['/oauth/introspect?token', `/oauth/introspect?${R}`],
    ['/oauth/token?token_type=bearer&%zz=1', '/oauth/token?token_type=bearer&%zz=1'],
    ['/acme/resource?stringParameter=a%20b&limit=1', '/acme/resource?stringParameter=a%20b&limit=1'],
    ['/acme/resource', '/acme/resource'],
  ])('%s becomes %s', (url, expected) => {
    expect(redactUrl(`http://127.0.0.1:4010${url}`)).toBe(`http://127.0.0.1:4010${expected}`)
  })
})

describe('a body of the token endpoints', () => {
  it.each([
    ['grant_type=client_credentials&scope=a%3Ab', 'grant_type=client_credentials&scope=a%3Ab'],
    ['grant_type=password&username=jo&password=hunter2', `grant_type=password&username=jo&password=${R}`],
    ['grant_type=refresh_token&refresh_token=abc', `grant_type=refresh_token&refresh_token=${R}`],
    [
      'client_id=a&client_secret=b&client_assertion=c&code_verifier=d',
      `client_id=a&client_secret=${R}&client_assertion=${R}&code_verifier=${R}`,
    ],
    ['token=abc&token_type_hint=access_token', `token=${R}&token_type_hint=access_token`],
    [
      '{"access_token":"abc","token_type":"Bearer","expires_in":172800}',
      `{"access_token":"${R}","token_type":"Bearer","expires_in":172800}`,
    ],
    [
      '{"statusCode":401,"errors":[{"code":"invalid_client"}]}',
      '{"statusCode":401,"errors":[{"code":"invalid_client"}]}',
    ],
    [
      '[{"deep":{"clientSecret":{"a":1}}},9223372036854775807]',
      `[{"deep":{"clientSecret":"${R}"}},9223372036854775807]`,
    ],
    ['{"password":"cut of', R],
    ['"abc"', R],
    ['abc', R],
    ['--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2', R],
  ])('%s becomes %s', (text, expected) => {
    const body = { text, encoding: 'utf-8', size: text.length, isCut: false } as const
    expect(redactBody(TOKEN_URL, body)).toEqual({ ...body, text: expected })
  })

  it('is not shown at all when it is no text', () => {
    const body = { text: 'iVD/', encoding: 'base64', size: 3, isCut: false } as const
    expect(redactBody(TOKEN_URL, body)).toEqual({ text: R, encoding: 'utf-8', size: 3, isCut: false })
  })

  it.each([
    '/@s1/oauth/token',
    '/eu/gcp/oauth/token',
    '/o%61uth/token',
    '/OAuth/introspect',
    '/oauth/acme/customers/token',
    '/x/y/z/oauth/token',
    '/%zz',
  ])('is one under %s too', (path) => {
    const body = { text: 'password=a', encoding: 'utf-8', size: 10, isCut: false } as const
    expect(redactBody(`http://127.0.0.1:4010${path}`, body)?.text).toBe(`password=${R}`)
  })

  it('is one only there: what a resource holds is shown', () => {
    const body = { text: '{"password":"a"}', encoding: 'utf-8', size: 16, isCut: false } as const
    expect(redactBody('http://127.0.0.1:4010/acme/resource', body)).toBe(body)
  })
})

describe('an entry', () => {
  it('holds no secret, wherever the exchange had it', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{8,20}$/).map((text) => `S3CR3T${text}`)
    fc.assert(
      fc.property(secret, (text) => {
        const entry = toTestEntry({
          url: `${TOKEN_URL}?client_secret=${text}`,
          requestHeaders: new Headers({ Authorization: `Basic ${text}`, Cookie: `admin=${text}` }),
          requestBody: `username=jo&password=${text}`,
          responseHeaders: { 'Set-Cookie': `admin=${text}; HttpOnly`, Location: `/__admin?token=${text}` },
          responseBody: new TextEncoder().encode(JSON.stringify({ access_token: text, refresh_token: text })),
        })
        expect(JSON.stringify(entry)).not.toContain('S3CR3T')
      }),
    )
  })
})
