import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, parseLosslessly } from '../../../src/service/http/json.ts'
import { hasInexactNumber, parseNumber, readInteger, readNumber } from '../../../src/service/http/numbers.ts'

describe('parseNumber', () => {
  it.each([
    ['0', 0],
    ['-0.0', -0],
    ['1.50e1', 15],
    ['100e-2', 1],
    ['1.5', 1.5],
    ['1e18', 1e18],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-922337203.6854775808e10', -9223372036854775808n],
    ['12345678901234567.000', 12345678901234567n],
    ['0.0000000000000000', 0],
    ['0e999999999999', 0],
    ['-0.0000000000000000e999999999999', -0],
    ['1e-400', 0],
    ['-12e-401', -0],
    [`0.${'0'.repeat(400)}1`, 0],
    ['1e400', Infinity],
    ['-1e400', -Infinity],
    ['1.7976931348623157e+308', 1.7976931348623157e308],
  ])('reads %s', (text, value) => {
    expect(parseNumber(text)).toBe(value)
  })

  it.each([
    ['1.00000000000000000000001', 1, 1.0000000000000002],
    ['-1.00000000000000000000001', -1.0000000000000002, -1],
    ['0.99999999999999999999999', 0.9999999999999998, 1],
    ['123456789012345.9999999999', 123456789012345.5, 123456789012346],
    ['2251799813685248.1', 2251799813685248, 2251799813685248.5],
  ])('does not round the fraction %s to an integer', (text, low, high) => {
    const value = parseNumber(text)
    expect(value).not.toSatisfy(Number.isInteger)
    expect(value).toBeGreaterThanOrEqual(low)
    expect(value).toBeLessThanOrEqual(high)
  })

  it.each(['9007199254740992.5', '-4503599627370496.5', '12345678901234567890.1'])(
    'is not a number for %s, which no double can tell from an integer',
    (text) => {
      expect(parseNumber(text)).toBeNaN()
    },
  )

  it('keeps the order of an integer and the fraction right above it', () => {
    const integer = fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((one) => one !== 0)
    fc.assert(
      fc.property(integer, fc.integer({ min: 20, max: 400 }), (whole, zeros) => {
        const fraction = parseNumber(`${whole}.${'0'.repeat(zeros)}1`)
        expect(Math.trunc(Number(fraction))).toBe(whole)
        expect(fraction).not.toBe(whole)
      }),
    )
  })

  it('parses any double as the platform does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(parseJson(String(value)))).toBe(Number(String(value)))
      }),
    )
  })
})

describe('hasInexactNumber', () => {
  it.each([
    '9007199254740993',
    '[9007199254740993]',
    '[0,-9007199254740993]',
    '{"a":1.00000000000000000000001}',
    '{"a":\r\n\t9007199254740993}',
    '[1,\n-9007199254740993 ]',
  ])('finds the number in %j', (text) => {
    expect(hasInexactNumber(text)).toBe(true)
  })

  it.each(['"2de2f886-d6c9-4727-b000-d044ecbe5e-4321"', '"9007199254740993"', '[9007199254740991,1.5,1e-30]', ''])(
    'finds none in %j, so that the platform parses it',
    (text) => {
      expect(hasInexactNumber(text)).toBe(false)
    },
  )

  it('finds all numbers that the platform would parse differently', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,18})(?:\.\d{1,18})?(?:[eE][+-]?\d{1,3})?$/)
    const text = fc
      .array(
        fc.oneof(
          digits,
          fc.uuid().map((one) => JSON.stringify(one)),
        ),
      )
      .map((all) => `[${all.join()}]`)
    fc.assert(
      fc.property(text, (json) => {
        if (!hasInexactNumber(json)) expect(JSON.parse(json)).toEqual(parseLosslessly(json))
      }),
    )
  })
})

describe('readInteger', () => {
  it.each([
    ['+5', 5],
    ['1.0', 1],
    ['1e3', 1000],
    ['12345678901234567890', 12345678901234567890n],
    ['1.5', undefined],
    ['1.00000000000000000000001', undefined],
    ['9007199254740992.5', undefined],
    ['1e-400', 0],
    ['1e999999999', undefined],
    ['5.', undefined],
    ['abc', undefined],
    ['', undefined],
  ])('of %j is %s', (text, value) => {
    expect(readInteger(text)).toBe(value)
  })
})

describe('readNumber', () => {
  it.each([
    ['20.0', 20],
    ['5.', 5],
    ['.5', 0.5],
    ['-1.5e3', -1500],
    ['1.00000000000000000000001', 1.0000000000000002],
    ['9007199254740993', 9007199254740993n],
    ['9007199254740992.5', undefined],
    ['1e400', undefined],
    ['0x10', undefined],
    ['', undefined],
  ])('of %j is %s', (text, value) => {
    expect(readNumber(text)).toBe(value)
  })
})
