import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import type { Violation } from '../../../src/service/contract/check-response.ts'
import { arrayTestType, cart, money, objectEntry, objectTestType } from '../../../src/service/contract/models.ts'
import { pagedResult, searchResult } from '../../../src/service/contract/results.ts'
import { parseJson } from '../../../src/service/http/json.ts'
import { checkShape } from '../../../src/service/contract/check-response.ts'
import { checkSpelling } from '../../../src/tools/verify/answers.ts'

const INT32 = 'integer between -2147483648 and 2147483647'
/** The violations of a JSON text, as verify reports them. */
function check(schema: z.ZodType, text: string) {
  const { violations, unknown } = checkShape(schema, parseJson(text))
  const toBrief = ({ path, expected, actual }: Violation) => ({ path, expected, actual })
  return {
    violations: [...violations, ...checkSpelling(schema, text)].map(toBrief),
    unknown: unknown.map(({ path }) => path),
  }
}

const held = { version: 1, objectTypeProperty: {} }

describe('a shape', () => {
  it.each([
    [objectTestType, '{"version":1,"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}'],
    [arrayTestType, '{"arrayOfFloatExample":[1,1.0,1e3],"arrayOfNumberNoDefaultsExample":[9007199254740993,2.50]}'],
    [money, '{"fractionDigits":2,"centAmount":-9223372036854775808,"currencyCode":"1.0"}'],
    [searchResult, '{"limit":1,"offset":0,"count":0,"results":[],"facets":{}}'],
  ])('holds: %#', (schema, text) => {
    expect(check(schema, text)).toEqual({ violations: [], unknown: [] })
  })

  it.each([
    [objectTestType, '{"version":1.0,"objectTypeProperty":{}}', 'version', 'JSON Integer', 'the float 1.0'],
    [objectTestType, '{"version":1e0,"objectTypeProperty":{}}', 'version', 'JSON Integer', 'the float 1e0'],
    [objectTestType, '{"version":1.5,"objectTypeProperty":{}}', 'version', 'JSON Integer', '1.5'],
    [objectTestType, '{"version":"1","objectTypeProperty":{}}', 'version', 'JSON Integer', '"1"'],
    [objectTestType, '{"version":1}', 'objectTypeProperty', 'JSON Object', 'nothing'],
    [objectTestType, '[]', '', 'JSON Object', 'an array'],
    [arrayTestType, '{"arrayOfIntExample":[1,2.0]}', 'arrayOfIntExample[1]', 'JSON Integer', 'the float 2.0'],
    [objectEntry, '{"integerExampleInt32":2147483648}', 'integerExampleInt32', INT32, '2147483648'],
    [arrayTestType, '{"arrayOfStringExample":[1]}', 'arrayOfStringExample[0]', 'JSON String', '1'],
    [arrayTestType, '{"arrayOfFloatExample":["1"]}', 'arrayOfFloatExample[0]', 'JSON Number', '"1"'],
    [arrayTestType, '{"arrayOfFloatExample":null}', 'arrayOfFloatExample', 'JSON Array', 'null'],
    [
      pagedResult,
      '{"limit":1,"offset":0,"count":1,"results":[{"id":"a","version":1,"objectTypeProperty":{},"createdAt":"now","lastModifiedAt":"2024-01-01T00:00:00Z"}]}',
      'results[0].createdAt',
      'ISO 8601 date-time',
      '"now"',
    ],
  ])('is broken: %#', (schema, text, at, expected, actual) => {
    const path = at === '' ? 'body' : `body.${at}`
    expect(check(schema, text).violations).toEqual([{ path, expected, actual }])
  })

  it('names every undocumented member, and does not count it as a finding', () => {
    const text = JSON.stringify({ ...held, extra: 1, objectTypeProperty: { other: 2 } })
    expect(check(objectTestType, text)).toEqual({
      violations: [],
      unknown: ['body.objectTypeProperty.other', 'body.extra'],
    })
  })

  it('names every missing member', () => {
    const { violations } = check(cart, '{}')
    expect(violations.map(({ path }) => path)).toEqual(Object.keys(cart.shape).map((name) => `body.${name}`))
  })
})
