import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSort } from '../../../src/service/query/list.ts'
import type { Order } from '../../../src/service/query/list.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'
import { catchProblem, createSample, toIds, toSorted } from './samples.ts'

const all = [
  createSample(
    'a',
    {
      arrayOfIntExample: [5, 1],
      arrayOfFloatExample: [2, 9],
      arrayOfObjectType: [{ integerExample: 9223372036854775807n }],
    },
    { key: 'kb', version: 2, createdAt: '2026-03-01T00:00:00.000Z' },
  ),
  createSample(
    'b',
    { arrayOfIntExample: [3, 2], arrayOfFloatExample: [1, 9], arrayOfStringExample: ['z', 'm'] },
    { version: 1, createdAt: '2026-01-01T00:00:00.000Z' },
  ),
  createSample(
    'c',
    {
      arrayOfIntExample: [],
      arrayOfObjectType: [{ integerExampleInt32: 1 }, { integerExample: 9223372036854775806n }],
    },
    { key: 'ka', version: 2, createdAt: '2026-02-01T00:00:00.000Z' },
  ),
]

const NO_ORDER: Order = { name: '', toKeys: () => [], compare: () => Number.NaN }

describe('sort', () => {
  it.each([
    [['version'], 'b a c'],
    [['version asc'], 'b a c'],
    [['version desc'], 'a c b'],
    [['version DESC'], 'a c b'],
    [['  version   desc '], 'a c b'],
    [['version desc', 'createdAt asc'], 'c a b'],
    [['version desc', 'createdAt desc'], 'a c b'],
    [['lastModifiedAt'], 'a b c'],
    // without the field: last, whatever the direction
    [['key asc'], 'c a b'],
    [['key desc'], 'a c b'],
    // an array's smallest member ascending, its largest descending
    [['arrayOfIntExample asc'], 'a b c'],
    [['objectTypeProperty.arrayOfIntExample asc'], 'a b c'],
    [['arrayOfIntExample desc'], 'a b c'],
    [['arrayOfStringExample'], 'b a c'],
    // so that a second key may be the same array in the other direction
    [['arrayOfFloatExample desc', 'arrayOfFloatExample asc'], 'b a c'],
    // past 2^53
    [['arrayOfObjectType.integerExample asc'], 'c a b'],
    [['arrayOfObjectType.integerExample desc'], 'a c b'],
  ])('%j', (sorts, ids) => {
    expect(toIds(toSorted(all, compileSort(sorts) ?? NO_ORDER))).toBe(ids)
  })

  it('is undefined without a path', () => {
    expect(compileSort([])).toBeUndefined()
  })

  it.each([
    ['verzion', 'Unknown field "verzion". Did you mean "version"?'],
    ['arrayOfObjectType', 'Unknown field "arrayOfObjectType". Known fields: id, key,'],
    ['objectTypeProperty', 'Unknown field "objectTypeProperty".'],
    ['', 'Unknown field "".'],
    ['version up', 'Expected "<path>", "<path> asc" or "<path> desc", found "version up".'],
    ['version asc desc', 'Expected "<path>", "<path> asc" or "<path> desc"'],
    ['toString', 'Unknown field "toString".'],
  ])('refuses %j', (sort, sentence) => {
    const problem = catchProblem(() => compileSort([sort]))
    expect(problem.status).toBe(400)
    expect(problem.message).toContain(`Malformed parameter: sort: ${sentence}`)
  })

  it('is a stable order of all resources', () => {
    const sorts = fc.uniqueArray(fc.constantFrom('key', 'key desc', 'version', 'arrayOfIntExample desc'), {
      minLength: 1,
    })
    const parts = fc.record({
      key: fc.option(fc.constantFrom('ka', 'kb'), { nil: undefined }),
      version: fc.constantFrom(1, 2),
      values: fc.array(fc.constantFrom(1, 2, 2n ** 60n, 2n ** 60n + 1n), { maxLength: 2 }),
    })
    fc.assert(
      fc.property(sorts, fc.array(parts, { maxLength: 12 }), (sorts, parts) => {
        const resources = parts.map(({ key, version, values }, at) =>
          createSample(String(at), { arrayOfIntExample: values }, { version, ...(key === undefined ? {} : { key }) }),
        )
        const order = compileSort(sorts) ?? NO_ORDER
        const sorted = toSorted(resources, order)
        const compare = (a: StoredResource, b: StoredResource) => order.compare(order.toKeys(a), order.toKeys(b))
        expect(new Set(sorted)).toEqual(new Set(resources))
        for (const [at, a] of sorted.entries()) {
          for (const b of sorted.slice(at + 1)) {
            expect(compare(a, b)).toBeLessThanOrEqual(0)
            expect(Math.sign(compare(a, b))).toBe(0 - Math.sign(compare(b, a)))
            if (compare(a, b) === 0) expect(Number(a.id)).toBeLessThan(Number(b.id))
          }
        }
      }),
    )
  })
})
