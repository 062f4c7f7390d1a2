import { describe, expect, it } from 'vitest'
import { findViolations } from '../../src/contract/check-response.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { OperationId } from '../../src/contract/endpoints.ts'

const COMMON = { 'X-Correlation-ID': 'checkout-7f3a', 'Content-Type': 'application/json; charset=utf-8' }
const READ = { ...COMMON, ETag: '"1"', 'Content-Location': '/acme/resource/1' }
const RESOURCE = '{"version":1,"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}'

const toError = (statusCode: number) =>
  JSON.stringify({ statusCode, message: 'M', errors: [{ code: 'C', message: 'M' }] })

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

describe('an answer that keeps to the contract', () => {
  it.each<[string, Case]>([
    ['a resource, 64-bit integers and all', { operation: 'getResourceById', body: RESOURCE }],
    ['a body of bytes', { operation: 'getResourceById', body: new TextEncoder().encode(RESOURCE) }],
    ['a documented error', { operation: 'getResourceById', status: 404, headers: COMMON, body: toError(404) }],
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

describe('an answer that breaks the contract', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(READ).filter(([one]) => one !== name))
  const read = { operation: 'getResourceById' } as const
  it.each<[Case, string]>([
    [{ ...read, status: 202, body: RESOURCE }, 'status: 202 is not documented.'],
    [{ ...read, status: 409, body: toError(409) }, 'status: 409 is not documented.'],
    [{ ...read, headers: without('ETag'), body: RESOURCE }, 'headers.ETag: Missing required header.'],
    [{ ...read, headers: { ...READ, ETag: 'W/"1"' }, body: RESOURCE }, 'headers.ETag: unexpected value "W/\\"1\\"".'],
    [
      { ...read, headers: without('X-Correlation-ID'), body: RESOURCE },
      'headers.X-Correlation-ID: Missing required header.',
    ],
    [
      { ...read, headers: { ...READ, 'Content-Type': 'text/plain' }, body: RESOURCE },
      'headers.Content-Type: application/json expected.',
    ],
    [{ ...read }, 'body: Missing.'],
    [{ ...read, body: '{"version":1' }, 'body: line 1, column 13: unexpected end of the text.'],
    [{ ...read, body: '[]' }, 'body: JSON Object expected.'],
    [{ ...read, body: '{"version":1}' }, 'body.objectTypeProperty: Missing required value.'],
    [{ ...read, body: RESOURCE.replace('1', '1.5') }, 'body.version: JSON Integer expected.'],
    [
      { ...read, body: RESOURCE.replace('807]', '808]') },
      'body.objectTypeProperty.arrayOfIntExample[0]: integer between -9223372036854775808 and 9223372036854775807 expected.',
    ],
    [{ ...read, body: RESOURCE.replace('{', '{"extra":1,') }, 'body.extra: is not documented.'],
    [{ ...read, status: 404, headers: COMMON, body: toError(403) }, 'body.statusCode: 404 expected, as answered.'],
    [
      { ...read, status: 404, headers: COMMON, body: toError(404).replace('M', 'N') },
      'body.message: the message of the first error expected.',
    ],
    [{ ...read, status: 404, headers: COMMON, body: '{}' }, 'body.statusCode: Missing required value.'],
    [
      { ...read, status: 401, headers: COMMON, body: toError(401) },
      'headers.WWW-Authenticate: Missing required header.',
    ],
    [{ operation: 'checkResources', headers: COMMON, body: '{}' }, 'body: no body is documented.'],
  ])('%j is told: %s', (answered, sentence) => {
    expect(violationsOf(answered)).toContain(sentence)
  })
})
