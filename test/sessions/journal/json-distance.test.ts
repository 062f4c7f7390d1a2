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

  it('is 0 in any order only if each element has a separate equal', () => {
    const scalar = fc.constantFrom<unknown>(1, 1n, 2, '1', null, '${json-unit.any-number}', '${json-unit.ignore}')
    const item = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(fc.constantFrom('a', 'b'), scalar))
    const list = fc.array(item, { maxLength: 4 })
    fc.assert(
      fc.property(list, list, fc.constantFrom(UNORDERED, LOOSE), (expected, actual, how) => {
        expect(measureJson(expected, actual, how) === 0).toBe(canPair(expected, actual, how))
      }),
      { numRuns: 2000 },
    )
  })

  it('compares each of a thousand elements once to find its equal in any order', () => {
    let spent = 0
    const budget = { spend: (values: number) => void (spent += values), isPauseDue: () => false }
    const list = Array.from({ length: 1000 }, (_, at) => ({ at }))
    expect(measureJson(list, list.toReversed(), { ...UNORDERED, budget })).toBe(0)
    expect(measureJson(list, [...list.slice(1), { at: -1 }], { ...UNORDERED, budget })).toBeGreaterThan(0)
    expect(spent).toBeLessThan(40_000)
  })
})
