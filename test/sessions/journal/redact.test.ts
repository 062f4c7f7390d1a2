import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toKeptBody } from '../../../src/sessions/journal/record.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'
import { endpoints } from '../../../src/service/contract/endpoints.ts'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import { builtinFixtureTexts } from '../../../src/service/state/builtin-fixtures.ts'
import { toTestEntry } from './exchanges.ts'

const R = '[redacted]'
const redactor = createRedactor([])
const TOKEN_URL = 'http://127.0.0.1:4010/oauth/token'

describe('headers', () => {
  it.each([
    ['authorization', 'Bearer abc', `Bearer ${R}`],
    ['authorization', 'bearer abc', `bearer ${R}`],
    ['authorization', 'Basic aWQ6c2VjcmV0', `Basic ${R}`],
    ['authorization', 'Bearer view_test:acme,manage_products:*', 'Bearer view_test:acme,manage_products:*'],
    ['authorization', 'Bearer view_test:acme,secret', `Bearer ${R}`],
    ['authorization', 'Bearer 12345:secret', `Bearer ${R}`],
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
    ['x-api-key', 'abc', R],
    ['x-auth-token', 'abc', R],
    ['x-amz-security-token', 'abc', R],
    ['ocp-apim-subscription-key', 'abc', R],
    ['x-csrf-token', 'abc', R],
    ['baggage', 'userId=alice,token=abc;secret=def', R],
    ['tracestate', 'vendor=abc, other=def', R],
    ['forwarded', 'for="[2001:db8::1]:80";by=secret;proto=https', R],
    ['x-forwarded-for', '203.0.113.7, 10.0.0.1', R],
    ['x-real-ip', '203.0.113.7', R],
    ['cf-connecting-ip', '203.0.113.7', R],
    ['x-forwarded-proto', 'https', 'https'],
    ['sec-websocket-protocol', 'graphql-ws, bearer.abc', R],
    [
      'traceparent',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ],
    ['x-forwarded-authorization', 'Bearer abc', `Bearer ${R}`],
    ['access-control-allow-credentials', 'true', 'true'],
    ['access-control-allow-headers', 'x-api-key', 'x-api-key'],
    ['www-authenticate', 'Bearer realm="acme"', 'Bearer realm="acme"'],
    ['location', 'https://jo:hunter2@a.example/b?c=1#access_token=d', `https://${R}@a.example/b?c=1#access_token=${R}`],
    ['content-location', '/a?sig=b', `/a?sig=${R}`],
    ['link', '<https://a.example/b?page=2&token=c>', `<https://a.example/b?page=2&token=${R}`],
    ['referer', 'http://localhost:4010/__admin?token=abc', `http://localhost:4010/__admin?token=${R}`],
    ['accept', 'application/json', 'application/json'],
    ['host', 'me:pw@localhost:4010', `${R}@localhost:4010`],
    ['x-correlation-id', 'authorization', 'authorization'],
  ])('%s: %s becomes %s', (name, value, expected) => {
    expect(redactor.header(name, value)).toBe(expected)
  })
})

describe('a URL', () => {
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
    ['/a?api_key=1&apiKey=2&API-KEY=3&sig=4&jwt=5', `/a?api_key=${R}&apiKey=${R}&API-KEY=${R}&sig=${R}&jwt=${R}`],
    ['/a?code=a?b&where=c="d"&access_token=e', `/a?code=${R}&where=c="d"&access_token=${R}`],
    ['/a?X-Amz-Signature=1&X-Amz-Security-Token=2', `/a?X-Amz-Signature=${R}&X-Amz-Security-Token=${R}`],
    ['/a?countryCode=de&var.token=1&text.en=token', '/a?countryCode=de&var.token=1&text.en=token'],
    ['/a?var.code=1&var.password=2&text.de=3', '/a?var.code=1&var.password=2&text.de=3'],
    ['/@s1/a?b=c@d', '/@s1/a?b=c@d'],
    ['/acme/resource?stringParameter=a%20b&limit=1', '/acme/resource?stringParameter=a%20b&limit=1'],
    ['/acme/resource', '/acme/resource'],
  ])('%s becomes %s', (url, expected) => {
    expect(redactor.url(`http://127.0.0.1:4010${url}`)).toBe(`http://127.0.0.1:4010${expected}`)
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
    ['{"user":"cut of', R],
    ['"abc"', R],
    ['abc', R],
  ])('%s becomes %s', (text, expected) => {
    const body = { text, encoding: 'utf-8', size: text.length, isCut: false } as const
    expect(redactor.body(TOKEN_URL, body)).toEqual({ ...body, text: expected })
  })

  it('is hidden if it is not text', () => {
    const body = { text: 'iVD/', encoding: 'base64', size: 3, isCut: false } as const
    expect(redactor.body(TOKEN_URL, body)).toEqual({ text: R, encoding: 'utf-8', size: 3, isCut: false })
  })

  it.each([
    '/@s1/oauth/token',
    '/eu/gcp/oauth/token',
    '/o%61uth/token',
    '/OAuth/introspect',
    '/oauth/acme/customers/token',
    '/x/y/z/oauth/token',
    '/%zz',
  ])('is recognised under %s too', (path) => {
    const body = { text: 'password=a', encoding: 'utf-8', size: 10, isCut: false } as const
    expect(redactor.body(`http://127.0.0.1:4010${path}`, body)?.text).toBe(`password=${R}`)
  })
})

describe('a body', () => {
  const show = (text: string, names: readonly string[] = []) => {
    const body = { text, encoding: 'utf-8', size: text.length, isCut: false } as const
    return createRedactor(names).body('http://127.0.0.1:4010/acme/resource', body)?.text
  }

  it.each([
    ['{"password":"a"}', `{"password":"${R}"}`],
    [
      '{"pass":"a","authentication":"b","bearer":"c","bypass":"d"}',
      `{"pass":"${R}","authentication":"${R}","bearer":"${R}","bypass":"d"}`,
    ],
    [String.raw`{"body":"{\"password\":\"a\",\"n\":1}"}`, String.raw`{"body":"{\"password\":\"${R}\",\"n\":1}"}`],
    ['{"body":"user=jo&password=a"}', `{"body":"user=jo&password=${R}"}`],
    ['{"url":"https://a.example/b?access_token=c"}', `{"url":"https://a.example/b?access_token=${R}"}`],
    ['payload=%7B%22password%22%3A%22a%22%7D&n=1', `payload=${encodeURIComponent(`{"password":"${R}"}`)}&n=1`],
    ['{ "user" : { "passWord" :  "a\\"b" } , "n": 1.5 }', `{"user":{"passWord":"${R}"},"n":1.5}`],
    ['{"api_key":9223372036854775807,"n":9223372036854775807}', `{"api_key":"${R}","n":9223372036854775807}`],
    ['{"pass\\u0077ord":"a"}', `{"password":"${R}"}`],
    ['{"secret":{"a":["}"],"b":{}},"c":1}', `{"secret":"${R}","c":1}`],
    ['[{"tokens":["a","b"]},{"client-secret":"x"}]', `[{"tokens":"${R}"},{"client-secret":"${R}"}]`],
    ['{"hasPassword":true,"token":null,"secret":""}', '{"hasPassword":true,"token":null,"secret":""}'],
    ['{"value":"a \\"token\\": b","token":"c"}', `{"value":"a \\"token\\": b","token":"${R}"}`],
    ['{"a":"b:","api key"\n : "c"}', `{"a":"b:","api key":"${R}"}`],
    ['{"token":"cut o', R],
    ['{"token","c"}', R],
    ['{"api_key":1,"api_key":2}', R],
    ['<user password="a"/>', R],
    ['token: yaml', R],
    ['user=jo&user_password=a%26b&code=c&x=1', `user=jo&user_password=${R}&code=${R}&x=1`],
    ['--b\r\ncontent-disposition: form-data; name="api_key"\r\n\r\nk\r\n--b--\r\n', R],
  ])('%s becomes %s', (text, expected) => {
    expect(show(text)).toBe(expected)
  })

  it.each([
    '{"tokenizer":"a","token_type":"b","tokenCount":2,"secretary":"c","keyboard":"d","laptop":"e","apiKeyId":"f"}',
    '{"errors":[{"code":"InvalidInput","message":"token=abc"}],"key":"k","signature":"s","sessionName":"n"}',
    '"token"',
    'a text about tokenizers',
    '{"name":"cut o',
    '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
  ])('is unchanged: %s', (text) => {
    expect(show(text)).toBe(text)
  })

  it('has the values of additional names redacted', () => {
    expect(show('{"E-Mail":"a","iban":"b","mail":"c"}', ['email', 'x,IBAN'])).toBe(
      `{"E-Mail":"${R}","iban":"${R}","mail":"c"}`,
    )
  })

  it('that is not UTF-8 has its secrets redacted too', () => {
    const text = btoa('{"password":"h\u00fcnter2"}')
    const body = { text, encoding: 'base64', size: 22, isCut: false } as const
    const shown = redactor.body('http://127.0.0.1:4010/acme/resource', body)
    expect(shown).toEqual({ ...body, encoding: 'utf-8', text: `{"password":"${R}"}` })
  })

  it('of an image is unchanged', () => {
    const body = { text: btoa('\u0089PNG token password'), encoding: 'base64', size: 22, isCut: false } as const
    expect(redactor.body('http://127.0.0.1:4010/acme/resource', body)).toBe(body)
  })
})

describe('a body of bytes', () => {
  const show = (bytes: Uint8Array) =>
    redactor.body('http://127.0.0.1:4010/telemetry', toKeptBody(bytes) ?? expect.fail('it is empty'))
  const json = '{"user":"jö","password":"s3cret"}'
  const little = Buffer.from(json, 'utf16le')

  it.each([
    ['UTF-16LE', little],
    ['UTF-16LE with a byte order mark', Buffer.concat([Buffer.of(0xff, 0xfe), little])],
    ['UTF-16BE', Buffer.from(little).swap16()],
  ])('is redacted in %s', (_name, bytes) => {
    expect(show(bytes)?.text).toBe(`{"user":"jö","password":"${R}"}`)
  })

  it.each([gzipSync(json), Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 1, 2)])('is not kept if it is compressed', (bytes) => {
    expect(show(bytes)?.text).toBe(R)
  })

  it('is kept if it is an image', () => {
    const png = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)
    expect(show(png)).toEqual({ text: png.toString('base64'), encoding: 'base64', size: 12, isCut: false })
  })
})

describe('additional names', () => {
  it('are redacted in headers and parameters, whatever their case and separators', () => {
    const { header, url } = createRedactor(['customer_id'])
    expect([header('customer-id', '1'), header('x-customer-id', '2')]).toEqual([R, '2'])
    expect(url('/a?customerId=1&id=2')).toBe(`/a?customerId=${R}&id=2`)
  })

  it('are redacted as query variables by their full name', () => {
    expect(createRedactor(['var.code']).url('/a?var.code=1&var.id=2')).toBe(`/a?var.code=${R}&var.id=2`)
  })
})

describe("the specification's own fields", () => {
  const parameters = Object.values(endpoints).flatMap((endpoint: Endpoint) => [
    ...Object.keys(endpoint.query),
    ...Object.values(endpoint.families).map(({ prefix }) => `${prefix}token`),
  ])
  const headers = Object.values(endpoints).flatMap((endpoint: Endpoint) => Object.keys(endpoint.headers))

  it.each([...new Set(parameters)])('the parameter %s is shown', (name) => {
    expect(redactor.isSecretName(name, 'parameter')).toBe(false)
  })

  it.each([...new Set(headers)])('the header %s is shown', (name) => {
    expect(redactor.isSecretName(name, 'header')).toBe(false)
  })

  it('are shown in every fixture', async () => {
    for (const text of Object.values(builtinFixtureTexts)) {
      const body = { text, encoding: 'utf-8', size: text.length, isCut: false } as const
      expect(redactor.body('http://mock/acme/resource', body)).toBe(body)
    }
  })
})

describe('an entry', () => {
  it('has no secrets, wherever the exchange had them', () => {
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

describe('text that people and tools write', () => {
  it.each([
    ['Authorization: Bearer abc', `Authorization: Bearer ${R}`],
    ['Error: Authorization: Bearer abc', `Error: Authorization: Bearer ${R}`],
    ['TypeError: expected 200', 'TypeError: expected 200'],
    ['  - x-api-key: abc', `  - x-api-key: ${R}`],
    [`{ "password": "a\\"b" }`, `{ "password": "${R}" }`],
    [String.raw`sent { password: 'C:\a\' }`, `sent { password: '${R}' }`],
    ['my"token": "abc"', `my"token": "${R}"`],
    ['GET http://x/a?token=b failed', `GET http://x/a?token=${R} failed`],
    ['redis://jo:pwd@host', `redis://${R}@host`],
    [
      "curl -H 'Authorization: Bearer a.b' -H 'X-Api-Key: k' -d @f",
      `curl -H 'Authorization: Bearer ${R}' -H 'X-Api-Key: ${R}' -d @f`,
    ],
    ['curl -u me:s3cret --url x', `curl -u ${R} --url x`],
    ['curl --user="me:s3cret" x', `curl --user="${R}" x`],
    ['{"name":"Authorization","value":"Bearer a"}', `{"name":"Authorization","value":"${R}"}`],
    ['[["Cookie","a=b"],["Accept","c"]]', `[["Cookie","${R}"],["Accept","c"]]`],
    ['body: "{\\"password\\":\\"a\\\\\\"b\\",\\"n\\":1}"', `body: "{\\"password\\":\\"${R}\\",\\"n\\":1}"`],
    ['sent payload=%7B%22password%22%3A%22a%22%7D', `sent payload=${encodeURIComponent(`{"password":"${R}"}`)}`],
    ['got user=jo&password=a at once', `got user=jo&password=${R} at once`],
    ['with Authorization: Bearer abc, then 401', `with Authorization: Bearer ${R}, then 401`],
    ['see https://a.example/b?x=1&access_token=c.', `see https://a.example/b?x=1&access_token=${R}`],
    ['expected 200, got 409', 'expected 200, got 409'],
  ])('%s becomes %s', (text, expected) => {
    expect(redactor.text(text)).toBe(expected)
  })
})
