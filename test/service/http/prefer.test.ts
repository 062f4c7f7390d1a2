import { expect, it } from 'vitest'
import { parsePrefer } from '../../../src/service/http/control-headers.ts'

it.each([
  ['code=203, example="custom2"', { code: '203', example: 'custom2' }],
  ['  Code = 203 ;example=a=b', { code: '203', example: 'a=b' }],
  ['code=203, code=200', { code: '203' }],
  ['dynamic', { dynamic: '' }],
  ['example="a b"', { example: 'a b' }],
  ['example=a b, code=200', { code: '200' }],
  ['a b=1, =2, é=3, code=200', { code: '200' }],
  [`a${' '.repeat(100_000)}b`, {}],
  [`a=${' '.repeat(100_000)}b`, { a: 'b' }],
  ['', {}],
])('parses the preferences %.60j', (header, preferences) => {
  expect(Object.fromEntries(parsePrefer(header))).toEqual(preferences)
})
