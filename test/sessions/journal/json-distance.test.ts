import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/service/http/json.ts'
import { measureJson } from '../../../src/sessions/journal/value-patterns.ts'

const EXACT = { ignoreArrayOrder: false, ignoreExtraElements: false }
const UNORDERED = { ...EXACT, ignoreArrayOrder: true }
const PARTIAL = { ...EXACT, ignoreExtraElements: true }
const LOOSE = { ignoreArrayOrder: true, ignoreExtraElements: true }

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
    ['[{"a":1},{"a":1,"b":2}]', '[{"a":1,"b":2},{"a":1}]', LOOSE, true],
    ['[{"a":1},{"b":2}]', '[{"a":1,"b":2},{"a":1}]', LOOSE, true],
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
  ])('%s matches %s under %j: %s', (expected, actual, how, isEqual) => {
    expect(measureJson(parseJson(expected), parseJson(actual), how) === 0).toBe(isEqual)
  })

  it('grows with the number of differences', () => {
    const near = measureJson({ a: 1, b: 2, c: 3 }, { a: 1, b: 2, c: 4 }, EXACT)
    const far = measureJson({ a: 1, b: 2, c: 3 }, { a: 1, b: 3, d: 4 }, EXACT)
    expect(near).toBeGreaterThan(0)
    expect(far).toBeGreaterThan(near)
    expect(measureJson({ a: 1 }, 'other', EXACT)).toBe(1)
  })

  it('is 0 from a value to itself, in the same or any order', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(EXACT, UNORDERED, PARTIAL, LOOSE), (value, how) => {
        expect(measureJson(value, value, how)).toBe(0)
      }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (list, order) => {
          const shuffled = list
            .map((one) => ({ one, at: order.next().value }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ one }) => one)
          expect(measureJson(list, shuffled, UNORDERED)).toBe(0)
        },
      ),
    )
  })

  /** Whether each of `expected` equals a different one of `actual`, found by brute force. */
  function canPair(expected: readonly unknown[], actual: readonly unknown[], how: typeof EXACT): boolean {
    const [first, ...others] = expected
    if (expected.length === 0) return how.ignoreExtraElements || actual.length === 0
    return actual.some((one, at) => measureJson(first, one, how) === 0 && canPair(others, actual.toSpliced(at, 1), how))
  }

  const scalar = fc.constantFrom<unknown>(1, 1n, 2, '1', null)
  const placeholder = fc.constantFrom('${json-unit.any-number}', '${json-unit.ignore}')
  const toList = (one: fc.Arbitrary<unknown>) =>
    fc.array(fc.oneof(one, fc.array(one, { maxLength: 2 }), fc.dictionary(fc.constantFrom('a', 'b'), one)), {
      maxLength: 4,
    })

  it('is 0 in any order only if each element has a separate equal', () => {
    const list = toList(fc.oneof(scalar, placeholder))
    fc.assert(
      fc.property(list, list, fc.constantFrom(UNORDERED, LOOSE), (expected, actual, how) => {
        if (measureJson(expected, actual, how) === 0) expect(canPair(expected, actual, how)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('is 0 in any order whenever each element has a separate equal, if no placeholder or extra element leaves a choice', () => {
    const list = toList(scalar)
    fc.assert(
      fc.property(list, list, (expected, actual) => {
        expect(measureJson(expected, actual, UNORDERED) === 0).toBe(canPair(expected, actual, UNORDERED))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['["${json-unit.any-string}","a"]', '["a","b"]', UNORDERED, true],
    ['[{"a":"${json-unit.ignore}"},{"a":1}]', '[{"a":1},{"a":2}]', LOOSE, true],
    ['[{"a":1},{"b":2}]', '[{"a":1,"b":2},{"a":1,"c":3}]', LOOSE, false],
  ])('lets the elements that require most choose first: %s and %s', (expected, actual, how, isEqual) => {
    expect(measureJson(parseJson(expected), parseJson(actual), how) === 0).toBe(isEqual)
  })

  it('compares thousands of elements in any order by name', () => {
    const list = Array.from({ length: 10_000 }, (_, at) => ({ at }))
    expect(measureJson(list, list.toReversed(), UNORDERED)).toBe(0)
    expect(measureJson(list, [...list.slice(1), { at: -1 }], UNORDERED)).toBeGreaterThan(0)
  })
})
