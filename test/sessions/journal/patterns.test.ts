import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors.ts'
import { KEPT_BYTES } from '../../../src/sessions/journal/record.ts'
import { findDifferences, matchEntries, parsePattern } from '../../../src/sessions/journal/patterns.ts'
import { hurry } from '../../support/hurry.ts'
import { toTestEntry } from './exchanges.ts'

const entry = toTestEntry({
  method: 'POST',
  url: 'http://127.0.0.1:4010/@s1/eu/gcp/acme/resource?tag=a&tag=b&name=J%C3%B6rg+K',
  requestHeaders: new Headers({
    'Content-Type': 'application/json',
    Authorization: 'Bearer abc',
    Cookie: 'mock-session=s1; theme=dark',
  }),
  requestBody: '{"numbers":[9223372036854775807,2],\n"text":"Hello World"}',
})
const bare = toTestEntry({
  method: 'GET',
  url: 'http://h/',
  operation: undefined,
  requestHeaders: new Headers(),
  requestBody: undefined,
})
const isMatch = (pattern: unknown, of = entry): boolean => findDifferences(parsePattern(pattern), of).length === 0

describe('a request pattern', () => {
  it.each([
    [{}, true],
    [{ method: 'POST' }, true],
    [{ method: 'post' }, true],
    [{ method: 'ANY' }, true],
    [{ method: 'GET' }, false],
    [{ url: '/@s1/eu/gcp/acme/resource?tag=a&tag=b&name=J%C3%B6rg+K' }, true],
    [{ url: '/acme/resource?tag=a&tag=b&name=J%C3%B6rg+K' }, true],
    [{ url: '/acme/resource' }, false],
    [{ urlPath: '/acme/resource' }, true],
    [{ urlPath: '/@s1/eu/gcp/acme/resource' }, true],
    [{ urlPath: '/acme/resource/' }, false],
    [{ urlPattern: '/acme/resource\\?tag=a.*' }, true],
    [{ urlPattern: '/acme/resource' }, false],
    [{ urlPathPattern: '/[^/]+/resource' }, true],
    [{ urlPathPattern: '/acme' }, false],
    [{ operation: 'createResource' }, true],
    [{ operation: 'updateResource' }, false],
    [{ clientLeft: false }, true],
    [{ clientLeft: true }, false],
    [{ queryParameters: { tag: { equalTo: 'b' } } }, true],
    [{ queryParameters: { tag: { equalTo: 'c' } } }, false],
    [{ queryParameters: { name: { equalTo: 'Jörg K' } } }, true],
    [{ queryParameters: { Tag: { equalTo: 'a' } } }, false],
    [{ queryParameters: { other: { absent: true } } }, true],
    [{ queryParameters: { tag: { absent: true } } }, false],
    [{ queryParameters: { tag: { absent: false } } }, true],
    [{ headers: { 'CONTENT-TYPE': { contains: 'json' } } }, true],
    [{ headers: { authorization: { matches: 'Bearer .*' } } }, true],
    [{ headers: { authorization: { equalTo: 'Bearer abc' } } }, false],
    [{ headers: { accept: { equalTo: '' } } }, false],
    [{ headers: { accept: { doesNotMatch: '.*' } } }, true],
    [{ headers: { accept: { doesNotContain: 'xml' } } }, true],
    [{ headers: { accept: { absent: true }, 'content-type': { equalTo: 'application/json' } } }, true],
    [{ cookies: { theme: { matches: '.*' } } }, true],
    [{ cookies: { admin: { absent: true } } }, true],
    [{ bodyPatterns: [] }, true],
    [{ bodyPatterns: [{ contains: 'Hello' }, { contains: 'World' }] }, true],
    [{ bodyPatterns: [{ contains: 'Hello' }, { contains: 'Nobody' }] }, false],
    [{ bodyPatterns: [{ doesNotContain: 'Nobody' }] }, true],
    [{ bodyPatterns: [{ matches: '.*numbers.*World.*' }] }, true],
    [{ bodyPatterns: [{ matches: 'Hello' }] }, false],
    [{ bodyPatterns: [{ doesNotMatch: 'Hello' }] }, true],
    [{ bodyPatterns: [{ absent: true }] }, false],
    [{ bodyPatterns: [{ absent: false }] }, true],
    [{ bodyPatterns: [{ equalToJson: '{"text":"Hello World","numbers":[9223372036854775807,2]}' }] }, true],
    [{ bodyPatterns: [{ equalToJson: '{"numbers":[2]}', ignoreExtraElements: true }] }, false],
    [{ bodyPatterns: [{ equalToJson: '{"numbers":[2]}', ignoreExtraElements: true, ignoreArrayOrder: true }] }, true],
  ])('%j on a POST with everything: %s', (pattern, expected) => {
    expect(isMatch(pattern)).toBe(expected)
  })

  it.each([
    [{ method: 'GET', url: '/' }, true],
    [{ operation: 'getAction' }, false],
    [{ bodyPatterns: [{ absent: true }] }, true],
    [{ bodyPatterns: [{ absent: false }] }, false],
    [{ bodyPatterns: [{ equalTo: '' }] }, true],
    [{ bodyPatterns: [{ doesNotMatch: '.*' }] }, false],
    [{ bodyPatterns: [{ equalToJson: '{}' }] }, false],
    [{ cookies: { theme: { absent: true } } }, true],
  ])('%j on a bare GET: %s', (pattern, expected) => {
    expect(isMatch(pattern, bare)).toBe(expected)
  })

  it.each([
    ['9223372036854775807', true],
    ['9223372036854775806', false],
  ])('compares %s exactly, as JSON or as its text: %s', (digits, expected) => {
    const numbers = [BigInt(digits), 2]
    for (const equalToJson of [{ text: 'Hello World', numbers }, `{"text":"Hello World","numbers":[${digits},2]}`]) {
      expect(isMatch({ bodyPatterns: [{ equalToJson }] })).toBe(expected)
    }
  })

  it.each([
    [{ equalTo: 'APPLICATION/JSON', caseInsensitive: true }, true],
    [{ equalTo: 'APPLICATION/JSON', caseInsensitive: false }, false],
    [{ equalTo: 'APPLICATION/JSON' }, false],
  ])('compares %j with its case option: %s', (value, expected) => {
    expect(isMatch({ headers: { 'Content-Type': value } })).toBe(expected)
  })

  it.each([
    [null, 'request: expected an object, got null.'],
    [[], 'request: expected an object, got [].'],
    ['GET', 'request: expected an object, got "GET".'],
    [{ urlPth: '/' }, 'request: unknown member "urlPth". Did you mean "urlPath"?'],
    [{ basicAuthCredentials: {} }, 'request: unknown member "basicAuthCredentials". Known names: method, url,'],
    [{ constructor: 1 }, 'request: unknown member "constructor".'],
    [{ url: '/', urlPath: '/' }, 'request: url and urlPath are mutually exclusive. Use one of them.'],
    [{ method: 1 }, 'method: expected a string, got 1. Put it in quotes.'],
    [{ url: null }, 'url: expected a string, got null.'],
    [{ clientLeft: 'yes' }, 'clientLeft: expected true or false, got "yes".'],
    [{ operation: 'updateResorce' }, 'operation: unknown operation "updateResorce". Did you mean "updateResource"?'],
    [{ urlPattern: '(' }, 'urlPattern: Invalid regular expression: /(/: Unterminated group.'],
    [{ headers: [] }, 'headers: expected an object, got [].'],
    [{ headers: { accept: 'a/b' } }, 'headers.accept: expected a pattern, got "a/b". Use {"equalTo": "a/b"}.'],
    [{ headers: { accept: { equalsTo: 'x' } } }, 'headers.accept: unknown member "equalsTo". Did you mean "equalTo"?'],
    [{ headers: { accept: { equalTo: 1 } } }, 'headers.accept.equalTo: expected a string, got 1.'],
    [{ headers: { accept: {} } }, 'headers.accept: expected exactly one of equalTo, contains,'],
    [
      { headers: { accept: { equalTo: 'a', contains: 'b' } } },
      'headers.accept: expected exactly one of equalTo, contains,',
    ],
    [
      { headers: { accept: { contains: 'b', caseInsensitive: true } } },
      '"caseInsensitive" is not supported with "contains".',
    ],
    [{ headers: { accept: { absent: 'yes' } } }, 'headers.accept.absent: expected true or false, got "yes".'],
    [{ bodyPatterns: { contains: 'a' } }, 'bodyPatterns: expected an array of patterns, got {"contains":"a"}.'],
    [
      { bodyPatterns: [{ equalTo: 'a' }, { matches: '[' }] },
      'bodyPatterns[1].matches: Invalid regular expression: /[/: Unterminated character class.',
    ],
    [{ bodyPatterns: [{ equalToJson: '{"a":' }] }, 'bodyPatterns[0].equalToJson: "{\\"a\\":" is not JSON.'],
    [{ bodyPatterns: [{ equalToJson: '{"a":1,"a":2}' }] }, 'is not JSON'],
  ])('%j is refused, with the member and the reason', (pattern, message) => {
    expect(() => parsePattern(pattern)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) }),
    )
  })

  it('reports the differing members of a request', () => {
    const pattern = parsePattern({
      method: 'PUT',
      urlPath: '/acme/resource',
      headers: { Accept: { equalTo: 'a/b' } },
      queryParameters: { tag: { equalTo: 'c' } },
      bodyPatterns: [{ contains: 'Hello' }, { contains: 'Nobody' }],
    })
    expect(findDifferences(pattern, entry)).toEqual([
      { member: 'method', expected: 'PUT', actual: 'POST' },
      { member: 'queryParameters.tag', expected: { equalTo: 'c' }, actual: ['a', 'b'] },
      { member: 'headers.Accept', expected: { equalTo: 'a/b' }, actual: null },
      { member: 'bodyPatterns[1]', expected: { contains: 'Nobody' }, actual: entry.request.body?.text },
    ])
  })

  it('reports that a body was truncated', () => {
    const long = toTestEntry({ requestBody: 'x'.repeat(KEPT_BYTES + 1) })
    const [difference] = findDifferences(parsePattern({ bodyPatterns: [{ contains: 'y' }] }), long)
    expect(difference?.actual).toMatch(/^x{500}… \(truncated: the first 65536 of 65537 bytes\)$/)
  })
})

const token = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'.split('')), minLength: 1, maxLength: 8 })
const someEntry = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    path: fc.array(fc.webSegment(), { maxLength: 5 }),
    query: fc.webQueryParameters(),
    headers: fc.dictionary(token, token, { maxKeys: 4 }),
    body: fc.oneof(fc.string(), fc.json(), fc.uint8Array()),
  })
  .map(({ method, path, query, headers, body }) =>
    toTestEntry({
      method,
      url: `http://127.0.0.1:4010/${path.join('/')}?${query}`,
      requestHeaders: new Headers(headers),
      requestBody: body,
    }),
  )

describe('any request', () => {
  it('matches a pattern made from its own values', () => {
    fc.assert(
      fc.property(someEntry, (one) => {
        const { method, url, headers, body } = one.request
        const target = url.slice(url.indexOf('/', 'http://'.length))
        const equalTo = (values: Iterable<readonly [string, string]>) =>
          Object.fromEntries([...values].map(([name, value]) => [name, { equalTo: value }]))
        for (const address of [{ url: target }, { urlPath: target.split('?')[0] }]) {
          const pattern = parsePattern({
            method,
            ...address,
            queryParameters: equalTo(new URL(url).searchParams),
            headers: equalTo(Object.entries(headers)),
            bodyPatterns: [{ equalTo: body?.text ?? '' }],
          })
          expect(findDifferences(pattern, one)).toEqual([])
        }
      }),
    )
  })

  it('throws only problems when matched with any pattern', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          equalTo: fc.string(),
          contains: fc.string(),
          matches: fc.string(),
          doesNotMatch: fc.string(),
          absent: fc.boolean(),
          equalToJson: fc.oneof(fc.json(), fc.jsonValue()),
          ignoreArrayOrder: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    )
    const pattern = fc.oneof(
      fc.anything(),
      fc.record(
        {
          method: fc.oneof(fc.string(), fc.constant('GET')),
          urlPattern: fc.string(),
          headers: fc.dictionary(fc.string(), value, { maxKeys: 2 }),
          queryParameters: fc.dictionary(fc.string(), value, { maxKeys: 2 }),
          bodyPatterns: fc.array(value, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(pattern, someEntry, (json, one) => {
        try {
          findDifferences(parsePattern(json), one)
        } catch (fault) {
          if (!(fault instanceof Problem)) throw fault
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('the work of a pattern', () => {
  it('is limited to 100 conditions', () => {
    const bodyPatterns = Array.from({ length: 100 }, () => ({ contains: 'a' }))
    expect(parsePattern({ bodyPatterns }).checks).toHaveLength(100)
    expect(() => parsePattern({ method: 'POST', bodyPatterns })).toThrow(
      'Malformed pattern: request: it has 101 conditions. The limit is 100. Use fewer.',
    )
  })

  it('is stopped in a batch of requests, and the pattern refused, if it takes too long', async () => {
    const matched = matchEntries(parsePattern({}), [{ entry }], () => false)
    await expect(matched.next()).rejects.toThrow(
      'Malformed pattern: request: it takes too long to match a request. Use simpler regular expressions and shorter arrays, or contains.',
    )
  })

  it('lets others run between requests', async () => {
    const yields = hurry()
    let tasks = 0
    const matched = matchEntries(parsePattern({}), [{ entry }, { entry }, { entry }], (task) => {
      tasks += 1
      task()
      return true
    })
    let found = 0
    for await (const { differences } of matched) found += differences.length === 0 ? 1 : 0
    expect(found).toBe(3)
    expect(tasks).toBeGreaterThanOrEqual(3)
    expect(yields.mock.calls.length).toBeGreaterThanOrEqual(3)
  })
})
