import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors.ts'
import { parseJson } from '../../../src/service/http/json.ts'
import { compileExpression, isSameJson } from '../../../src/sessions/journal/value-patterns.ts'

const test = (source: string, text: string): boolean => compileExpression(source, 'urlPattern')(text)

describe('a regular expression', () => {
  it.each([
    ['/acme', '/acme/resource', false],
    ['/acme/.*', '/acme/resource?limit=1', true],
    ['/(?:acme|other)/resource', '/third/resource', false],
    ['a|b', 'ab', false],
    ['^/acme$', '/acme', true],
    ['.*"limit": ?20.*', '{\n"limit": 20\n}', true],
    ['(?i)BEARER .*', 'bearer abc', true],
    ['(?is)BEARER.*', 'bearer\nabc', true],
    ['(?!/acme/).*', '/other/resource', true],
    ['(.)\\1', 'aa', true],
    ['', 'a', false],
  ])('%j on %j: %s', (source, text, expected) => {
    expect(test(source, text)).toBe(expected)
  })

  it.each([
    ['(a', 'Unterminated group'],
    ['a)|(b', 'Unmatched'],
    ['*a', 'Nothing to repeat'],
    ['a'.repeat(1001), 'the regular expression has 1001 characters. The limit is 1000.'],
  ])('%j is refused, with its member and the reason', (source, why) => {
    const compile = () => compileExpression(source, 'urlPattern')
    expect(compile).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining(why) }))
    expect(compile).toThrow(/^Malformed pattern: urlPattern: .*\.$/)
  })

  it('throws only problems, whatever its text', () => {
    const source = fc.string({ unit: fc.constantFrom(...'ab01()[]{}|*+?.^$\\,-:<>=!dwbux&i'.split('')), maxLength: 20 })
    fc.assert(
      fc.property(source, fc.string({ maxLength: 20 }), (expression, text) => {
        try {
          test(expression, text)
        } catch (fault) {
          expect(fault).toBeInstanceOf(Problem)
        }
      }),
    )
  })
})

const EXACT = {}
const UNORDERED = { ignoreArrayOrder: true }
const PARTIAL = { ignoreExtraElements: true }
const LOOSE = { ...UNORDERED, ...PARTIAL }

describe('JSON', () => {
  it.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}', EXACT, true],
    ['{"a":1}', '{"a":1,"b":2}', EXACT, false],
    ['{"a":1}', '{"a":1,"b":2}', PARTIAL, true],
    ['{"a":1,"b":2}', '{"a":1}', PARTIAL, false],
    ['[1,2]', '[2,1]', EXACT, false],
    ['[1,2]', '[2,1]', UNORDERED, true],
    ['[1,1,2]', '[1,2,2]', UNORDERED, false],
    ['[1,2]', '[1,2,3]', UNORDERED, false],
    ['[1,2]', '[1,2,3]', PARTIAL, true],
    ['[1,2]', '[3,1,2]', PARTIAL, false],
    ['[1,2]', '[3,2,1]', LOOSE, true],
    ['[{"a":1,"b":2},{"a":1}]', '[{"a":1},{"a":1,"b":2}]', LOOSE, true],
    ['[{"a":1},{"b":2}]', '[{"a":1,"c":3},{"a":1,"b":2}]', LOOSE, true],
    ['[[1,2],[3]]', '[[3],[2,1]]', UNORDERED, true],
    ['9223372036854775807', '9223372036854775807', EXACT, true],
    ['9223372036854775807', '9223372036854775806', EXACT, false],
    ['1', '1.0', EXACT, true],
    ['1', '"1"', EXACT, false],
    ['null', 'null', EXACT, true],
    ['null', '{}', EXACT, false],
    ['[]', '{}', EXACT, false],
    ['{"__proto__":1}', '{"__proto__":1}', EXACT, true],
    ['{"toString":1}', '{}', EXACT, false],
    ['{"a":"${json-unit.ignore}"}', '{"a":[1]}', EXACT, true],
    ['{"a":"${json-unit.any-string}"}', '{"a":"x"}', EXACT, true],
    ['{"a":"${json-unit.any-number}"}', '{"a":9223372036854775807}', EXACT, true],
    ['{"a":"${json-unit.any-boolean}"}', '{"a":"true"}', EXACT, false],
    ['["a","${json-unit.any-string}"]', '["b","a"]', UNORDERED, true],
  ])('%s matches %s under %j: %s', (expected, actual, how, isEqual) => {
    expect(isSameJson(parseJson(expected), parseJson(actual), how)).toBe(isEqual)
  })

  it('equals itself, and its arrays in any order if the order is ignored', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(EXACT, UNORDERED, PARTIAL, LOOSE), (value, how) => {
        expect(isSameJson(value, value, how)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 8 }), (list) => {
        expect(isSameJson(list, list.toReversed(), UNORDERED)).toBe(true)
      }),
    )
  })
})
