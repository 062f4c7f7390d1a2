import { describe, expect, it } from 'vitest'
import { findViolations } from '../../../src/service/contract/check-response.ts'
import { endpoints } from '../../../src/service/contract/endpoints.ts'
import { errorCodes } from '../../../src/service/contract/error-responses.ts'
import type { OperationId } from '../../../src/service/contract/endpoints.ts'

const COMMON = {
  'X-Correlation-ID': 'checkout-7f3a',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json; charset=utf-8',
}
const READ = { ...COMMON, ETag: '"1"', 'Content-Location': '/acme/resource/1' }
const RESOURCE = '{"version":1,"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}'

const toError = (statusCode: number, more: object = {}, envelope: object = {}) =>
  JSON.stringify({
    statusCode,
    message: 'M',
    errors: [{ code: errorCodes[statusCode]?.at(-1), message: 'M', ...more }],
    ...envelope,
  })

const TIME = '2024-01-01T00:00:00.000Z'
const ENTRY = {
  id: '1',
  version: 1,
  objectTypeProperty: { arrayOfIntExample: [1] },
  createdAt: TIME,
  lastModifiedAt: TIME,
}
const toPage = (more: object = {}) =>
  JSON.stringify({ limit: 2, offset: 1, count: 1, total: 2, results: [ENTRY], ...more })

const WITH_ID = { operation: 'getResourceById', body: RESOURCE.replace('{', '{"id":"1",') } as const

interface Case {
  readonly operation: OperationId
  readonly method?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

function violationsOf({ operation, method = 'GET', status = 200, headers = READ, body }: Case): readonly string[] {
  const found = findViolations(endpoints[operation], method, { status, headers: new Headers(headers), body })
  return found.map(({ path, message }) => `${path}: ${message}`)
}

describe('a response that matches the contract', () => {
  it.each<[string, Case]>([
    ['a resource, 64-bit integers and all', { operation: 'getResourceById', body: RESOURCE }],
    ['a body of bytes', { operation: 'getResourceById', body: new TextEncoder().encode(RESOURCE) }],
    ['a documented error', { operation: 'getResourceById', status: 404, headers: COMMON, body: toError(404) }],
    [
      'a conflict that tells the actual version',
      { operation: 'updateResource', status: 409, headers: COMMON, body: toError(409, { currentVersion: 2 }) },
    ],
    ['a page', { operation: 'sortedQuery', headers: COMMON, body: toPage() }],
    ['a page without total', { operation: 'sortedQuery', headers: COMMON, body: toPage({ total: undefined }) }],
    [
      'a page past the end',
      { operation: 'sortedQuery', headers: COMMON, body: toPage({ offset: 9, count: 0, results: [], total: 9 }) },
    ],
    [
      'a page of limit 0',
      { operation: 'searchResources', headers: COMMON, body: toPage({ limit: 0, count: 0, results: [], total: 9 }) },
    ],
    [
      'a query, its arrays those of the first result',
      { operation: 'queryResources', headers: COMMON, body: toPage({ arrayOfIntExample: [1] }) },
    ],
    [
      'a media type in capitals',
      { operation: 'getResourceById', headers: { ...READ, 'Content-Type': 'Application/JSON' }, body: RESOURCE },
    ],
    ['an id that its place ends with', { ...WITH_ID, headers: READ }],
    ['HEAD, whose body is not sent', { operation: 'getResourceById', method: 'HEAD' }],
    ['HEAD without a match', { operation: 'checkResources', method: 'HEAD', status: 404, headers: COMMON }],
    ['a cart of no language', { operation: 'getAction', headers: COMMON, body: '[1,"any JSON"]' }],
    [
      'a preferred answer, which is of no resource',
      { operation: 'getResourceById', headers: { ...COMMON, 'Preference-Applied': 'dynamic=true' }, body: RESOURCE },
    ],
  ])('has no violations: %s', (_what, answered) => {
    expect(violationsOf(answered)).toEqual([])
  })
})

describe('a response that breaks the contract', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(READ).filter(([one]) => one !== name))
  const read = { operation: 'getResourceById' } as const
  const page = { operation: 'sortedQuery', headers: COMMON } as const
  it.each<[Case, string]>([
    [
      { ...read, status: 202, body: RESOURCE },
      'status: expected a documented status (200, 400, 401, 403, 404, 429, 500, 502, 503), got 202.',
    ],
    [
      { ...read, status: 409, body: toError(409) },
      'status: expected a documented status (200, 400, 401, 403, 404, 429, 500, 502, 503), got 409.',
    ],
    [{ ...read, headers: without('ETag'), body: RESOURCE }, 'headers.ETag: expected a value, got nothing.'],
    [
      { ...read, headers: { ...READ, ETag: 'W/"1"' }, body: RESOURCE },
      'headers.ETag: expected a value such as "3", got "W/\\"1\\"".',
    ],
    [
      { ...read, headers: without('X-Correlation-ID'), body: RESOURCE },
      'headers.X-Correlation-ID: expected a value, got nothing.',
    ],
    [
      { ...read, headers: { ...READ, 'Content-Type': 'text/plain' }, body: RESOURCE },
      'headers.Content-Type: expected application/json, got text/plain.',
    ],
    [
      { ...read, headers: { ...READ, 'Content-Type': 'application/json-seq' }, body: RESOURCE },
      'headers.Content-Type: expected application/json, got application/json-seq.',
    ],
    [{ ...read }, 'body: expected a body, got nothing.'],
    [
      { ...read, body: '{"version":1' },
      'body: expected JSON, got text that is not JSON (line 1, column 13: unexpected end of the text).',
    ],
    [{ ...read, body: '[]' }, 'body: expected JSON Object, got an array.'],
    [{ ...read, body: '{"version":1}' }, 'body.objectTypeProperty: expected JSON Object, got nothing.'],
    [{ ...read, body: RESOURCE.replace('1', '1.5') }, 'body.version: expected JSON Integer, got 1.5.'],
    [
      { ...read, body: RESOURCE.replace('807]', '808]') },
      'body.objectTypeProperty.arrayOfIntExample[0]: expected integer between -9223372036854775808 and 9223372036854775807, got 9223372036854775808.',
    ],
    [
      { ...read, body: RESOURCE.replace('{', '{"extra":1,') },
      'body.extra: expected only documented members, got "extra".',
    ],
    [
      { ...read, status: 404, headers: COMMON, body: toError(403) },
      'body.statusCode: expected 404, the status, got 403.',
    ],
    [
      { ...read, status: 404, headers: COMMON, body: toError(404).replace('M', 'N') },
      'body.message: expected "M", as in the first error, got "N".',
    ],
    [{ ...read, status: 404, headers: COMMON, body: '{}' }, 'body.statusCode: expected JSON Integer, got nothing.'],
    [
      { ...read, status: 401, headers: COMMON, body: toError(401) },
      'headers.WWW-Authenticate: expected a value, got nothing.',
    ],
    [
      { operation: 'checkResources', headers: COMMON, body: '{}' },
      'body: expected nothing, as no body is documented, got a body.',
    ],
    [
      { ...read, status: 405, headers: COMMON, body: toError(405) },
      'headers.Allow: expected the allowed methods, got nothing (D24).',
    ],
    [
      { ...read, headers: { ...READ, ETag: '"2"' }, body: RESOURCE },
      'headers.ETag: expected "1", the version of the body, got "\\"2\\"" (D5).',
    ],
    [
      { ...WITH_ID, headers: { ...READ, 'Content-Location': '/acme/resource/2' } },
      'headers.Content-Location: expected a path that ends with /1, got "/acme/resource/2" (D5).',
    ],
    [
      { ...read, status: 404, headers: COMMON, body: toError(404, { code: 'NotFound' }) },
      'body.errors[0].code: expected "ResourceNotFound", got "NotFound".',
    ],
    [
      { ...read, status: 400, headers: COMMON, body: toError(400, { code: 'InvalidField' }) },
      'body.errors[0].field: expected JSON String, got nothing.',
    ],
    [
      { ...read, status: 400, headers: COMMON, body: toError(400, { code: 'InvalidJsonInput' }) },
      'body.errors[0].detailedErrorMessage: expected JSON String, got nothing.',
    ],
    [
      { operation: 'updateResource', status: 409, headers: COMMON, body: toError(409) },
      'body.errors[0].currentVersion: expected the current version, as an integer, got nothing.',
    ],
    [
      { operation: 'deleteResource', status: 409, headers: COMMON, body: toError(409, { currentVersion: '2' }) },
      'body.errors[0].currentVersion: expected the current version, as an integer, got "2".',
    ],
    [
      { ...read, status: 401, headers: COMMON, body: toError(401, {}, { error: 'invalid_token' }) },
      'body.error_description: expected JSON String, got nothing (D33).',
    ],
    [
      { ...read, status: 403, headers: COMMON, body: toError(403) },
      'body.error: expected "insufficient_scope", got nothing (D33).',
    ],
    [
      { ...read, status: 429, headers: COMMON, body: toError(429) },
      'headers.Retry-After: expected a value, got nothing.',
    ],
    [{ ...page, body: toPage({ count: 2 }) }, 'body.count: expected 1, the length of results, got 2 (D20).'],
    [
      { ...page, body: toPage({ limit: 0 }) },
      'body.results: expected at most 0 results, the value of limit, got 1 (D20).',
    ],
    [
      { ...page, body: toPage({ total: 1 }) },
      'body.total: expected at least 2, the sum of offset and count, got 1 (D20).',
    ],
    [
      { ...page, operation: 'searchResources', body: toPage({ total: 3 }) },
      'body.total: expected at most 2, as there are fewer results than limit, got 3 (D14).',
    ],
    [
      { ...page, operation: 'queryResources', body: toPage({ arrayOfIntExample: [2] }) },
      'body.arrayOfIntExample: expected the array of the first result, got another array (D10).',
    ],
    [
      { ...page, operation: 'queryResources', body: toPage({ count: 0, offset: 2, results: [] }) },
      'body.arrayOfIntExample: expected an empty array, got nothing (D10).',
    ],
  ])('%j is reported: %s', (answered, sentence) => {
    expect(violationsOf(answered)).toContain(sentence)
  })
})
