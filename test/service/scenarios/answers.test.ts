import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'

interface ScenarioRule {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The response of a mock with a scenario whose one rule has the effect. */
async function answerOf(
  effect: string,
  { method = 'GET', path = '/acme/resource', headers = {}, body }: ScenarioRule = {},
  options: MockOptions = {},
) {
  const mock = await createMock({
    ...options,
    scenarios: {
      'test.json': `{ "description": "For a test", "rules": [{ "effect": ${effect} }] }`,
      ...options.scenarios,
    },
    scenario: 'test',
  })
  const request = new Request(`http://mock${path}`, {
    method,
    headers: { Authorization: 'Bearer any', ...headers },
    body: body ?? null,
  })
  const response = await mock.fetch(request)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a response', () => {
  it('has the envelope, and the additional members of its error', async () => {
    const { status, headers, text } = await answerOf(
      '{ "answer": { "status": 409, "error": { "code": "C", "message": "M", "currentVersion": 9223372036854775807 } } }',
    )
    expect([status, headers.get('Content-Type')]).toEqual([409, 'application/json; charset=utf-8'])
    expect(text).toBe(
      '{"statusCode":409,"message":"M","errors":[{"code":"C","message":"M","currentVersion":9223372036854775807}]}',
    )
  })

  it.each([400, 404, 418, 500, 599])('with status %i and no body still has the envelope', async (status) => {
    const { text } = await answerOf(`{ "answer": { "status": ${status} } }`)
    const message = `The scenario "test" responds with status ${status}.`
    expect(JSON.parse(text)).toEqual({ statusCode: status, message, errors: [{ code: 'General', message }] })
  })

  it.each([204, 205, 304])('with status %i has no body', async (status) => {
    expect(await answerOf(`{ "answer": { "status": ${status} } }`)).toMatchObject({ status, text: '' })
  })

  it.each([
    ['its Content-Type', ', "headers": { "content-type": "text/html" }', 'text/html'],
    ['text/plain by default', '', 'text/plain; charset=utf-8'],
  ])('has the text of the scenario as it is, with %s', async (_name, headers, type) => {
    const sent = await answerOf(`{ "answer": { "status": 502, "text": "<p>\\u00fc</p>"${headers} } }`)
    expect([sent.status, sent.headers.get('Content-Type'), sent.text]).toEqual([502, type, '<p>ü</p>'])
  })

  it('has the JSON of the scenario, digit for digit', async () => {
    expect(
      (await answerOf('{ "answer": { "status": 200, "body": { "a": [9223372036854775807, null, "ü"] } } }')).text,
    ).toBe('{"a":[9223372036854775807,null,"ü"]}')
    expect((await answerOf('{ "answer": { "status": 200, "body": null } }')).text).toBe('null')
    expect((await answerOf('{ "answer": { "status": 500, "body": "no envelope" } }')).text).toBe('"no envelope"')
  })

  it('has the unchanged text of a file, and the media type from the scenario', async () => {
    const effect =
      '{ "answer": { "status": 502, "bodyFile": "page.html", "headers": { "content-type": "text/html" } } }'
    const { status, headers, text } = await answerOf(effect, {}, { scenarios: { 'page.html': '<h1>Bad Gateway' } })
    expect([status, headers.get('Content-Type'), text]).toEqual([502, 'text/html', '<h1>Bad Gateway'])
  })

  it('has the payload of a documented example, at any endpoint', async () => {
    const complex = {
      method: 'POST',
      path: '/acme/resource/artificially-complex/path/uri-parameter-one=a/b',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    }
    const { status, text } = await answerOf('{ "answer": { "status": 203, "example": "custom2" } }', complex)
    expect(status).toBe(203)
    expect(Object.keys(JSON.parse(text) as object)).toContain('arrayOfIntExample')
    expect(await answerOf('{ "answer": { "status": 200, "example": "custom2" } }')).toMatchObject({ status: 200, text })
  })

  it('has its headers without duplicates', async () => {
    const effect =
      '{ "answer": { "status": 503, "headers": { "Retry-After": "1", "x-correlation-id": "abcdefgh", "X-Own": "1" } } }'
    const { headers } = await answerOf(effect)
    expect(headers.get('Retry-After')).toBe('1')
    expect(headers.get('X-Correlation-ID')).toBe('abcdefgh')
    expect(headers.get('X-Own')).toBe('1')
    expect(headers.get('X-Mock-Scenario')).toBe('test')
    expect(headers.get('X-Mock-Operation')).toBe('queryResources')
  })

  it('is readable by a browser from another origin', async () => {
    const { headers } = await answerOf('{ "answer": { "status": 503, "stage": "gateway" } }', {
      headers: { Origin: 'http://app.test' },
    })
    expect(headers.get('Access-Control-Allow-Origin')).toBe('http://app.test')
  })

  it('has no body for HEAD', async () => {
    expect(await answerOf('{ "answer": { "status": 503 } }', { method: 'HEAD' })).toMatchObject({
      status: 503,
      text: '',
    })
  })
})

describe('the stage of a response', () => {
  const late = '{ "answer": { "status": 500 } }'
  const gateway = '{ "answer": { "status": 500, "stage": "gateway" } }'

  it.each<readonly [string, ScenarioRule, number]>([
    [
      'a read-only token',
      { method: 'DELETE', path: '/acme/resource/1', headers: { Authorization: 'Bearer view_test:acme' } },
      403,
    ],
    ['an invalid query', { path: '/acme/resource?limit=x' }, 400],
    ['an invalid body', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' }, 400],
    [
      'an image without a media type',
      { method: 'POST', path: '/acme/resource/images', headers: { 'Content-Type': 'text/plain' }, body: 'x' },
      415,
    ],
  ])('after validation does not replace the refusal of %s; at the gateway it does', async (_what, asked, status) => {
    expect((await answerOf(late, asked)).status).toBe(status)
    expect((await answerOf(gateway, asked)).status).toBe(500)
  })

  it('after validation precedes the operation: nothing is written', async () => {
    const mock = await createMock({
      scenarios: { 'test.json': `{ "description": "d", "rules": [{ "effect": ${late} }] }` },
    })
    const send = async (method: string, scenario: string, body: string | null) => {
      const headers = { Authorization: 'Bearer any', 'X-Mock-Scenario': scenario, 'Content-Type': 'application/json' }
      return mock.fetch(new Request('http://mock/new/resource', { method, headers, body }))
    }
    const total = async () => ((await (await send('GET', 'none', null)).json()) as { readonly total: number }).total
    const before = await total()
    expect((await send('POST', 'test', '{"objectTypeProperty":{}}')).status).toBe(500)
    expect(await total()).toBe(before)
  })

  it('answers an image upload whatever the image is', async () => {
    const asked = { method: 'POST', path: '/acme/resource/images', headers: { 'Content-Type': 'image/png' } }
    for (const body of [Uint8Array.from(atob(PNG), (one) => one.charCodeAt(0)), 'no image', '']) {
      expect((await answerOf(late, { ...asked, body })).status).toBe(500)
    }
  })
})

describe('a rate limit', () => {
  it('reports what is left, and then refuses with Retry-After', async () => {
    const mock = await createMock({ auth: 'off', scenario: 'rate-limited' })
    const ask = async () => (await mock.fetch(new Request('http://mock/acme/resource'))).headers
    const remaining = []
    for (let at = 0; at < 5; at += 1) remaining.push((await ask()).get('RateLimit-Remaining'))
    expect(remaining).toEqual(['4', '3', '2', '1', '0'])
    const response = await mock.fetch(new Request('http://mock/acme/resource'))
    expect(response.status).toBe(429)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '10',
      'retry-after': '2',
      'x-mock-scenario': 'rate-limited',
    })
    expect(await response.json()).toMatchObject({ statusCode: 429, errors: [{ code: 'TooManyRequests' }] })
  })
})
