import { describe, expect, it } from 'vitest'
import { compileConditions } from '../../../src/service/query/list.ts'
import { createSample, toIds } from './samples.ts'

const all = [
  createSample('a', {
    arrayOfIntExample: [1, 9223372036854775807n],
    arrayOfFloatExample: [0.5],
    arrayOfStringExample: ['red', 'blue', '7 in arrayOfIntExample'],
  }),
  createSample(
    'b',
    {
      arrayOfIntExample: [7],
      arrayOfTwonumbersExample: [4, 5],
      arrayOfNumberNoDefaultsExample: [1, 2.5],
      arrayOfStringExample: ['red'],
    },
    { version: 2, lastModifiedAt: '2026-02-01T00:00:00.000Z' },
  ),
  createSample('c', { arrayOfObjectType: [{ integerExample: 4, integerExampleInt32: 1 }] }, { version: 3 }),
]

type Query = Parameters<typeof compileConditions>[0]

const select = (query: Query) => {
  const condition = compileConditions(query)
  return condition === undefined ? 'no condition' : toIds(all.filter(condition))
}

describe('the conditions of 4.1 (D11)', () => {
  it.each<[Query, string]>([
    [{}, 'no condition'],
    [{ limit: 5, sort: ['key'], arrayOfString: [] }, 'no condition'],
    [{ stringParameter: 'red' }, 'a b'],
    [{ stringParameter: 're' }, ''],
    [{ stringParameter: '7 in arrayOfIntExample' }, 'a b'],
    [{ stringParameter: '9223372036854775807 in objectTypeProperty.arrayOfIntExample' }, 'a'],
    [{ stringParameter: '2.5 in arrayOfNumberNoDefaultsExample' }, 'b'],
    [{ stringParameter: '7  in arrayOfIntExample' }, ''],
    [{ stringParameter: '7 in version' }, ''],
    [{ floatParameter: 0.5 }, 'a'],
    [{ integerParameter: 1 }, 'a'],
    [{ integerParameter: 9223372036854775807n }, 'a'],
    [{ integerParameter: 9223372036854775806n }, ''],
    [{ integerParameter: 4 }, ''],
    [{ withMarkdownDescription: 2.5 }, 'b'],
    [{ unionParameter: 9223372036854775807n }, 'a'],
    [{ unionParameter: 9223372036854775806n }, ''],
    [{ arrayOfString: ['red'] }, 'a b'],
    [{ arrayOfString: ['red', 'blue'] }, 'a'],
    [{ arrayOfString: ['red'], arrayOfStringWithDescription: ['blue'] }, 'a'],
    [{ objectParameter: { arrayOfString: ['blue'] } }, 'a'],
    [{ objectParameter: {} }, 'no condition'],
    [{ stringParameter: 'red', integerParameter: 7 }, 'b'],
    [{ unionParameter: 5 }, 'b'],
    [{ unionParameter: 1 }, 'a b'],
    [{ unionParameter: 4 }, 'b'],
    [{ unionParameter: '2026-02-01T01:00:00+01:00' }, 'b'],
    [{ unionParameter: '2026-02-01T00:00:00.001Z' }, ''],
    [{ unionParameter: '2026-02-01T00:00:00.0000001Z' }, ''],
    [{ unionParameter: '2020-01-01T00:00:00Z' }, 'a b c'],
  ])('%o', (query, ids) => {
    expect(select(query)).toBe(ids)
  })

  it('compare an ObjectTestType by content, exact to the digit', () => {
    const asObject = (version: number, ...arrayOfIntExample: (number | bigint)[]): Query => ({
      unionParameter: {
        version,
        objectTypeProperty: {
          arrayOfStringExample: ['red', 'blue', '7 in arrayOfIntExample'],
          arrayOfFloatExample: [0.5],
          arrayOfIntExample,
        },
      },
    })
    expect(select(asObject(1, 1, 9223372036854775807n))).toBe('a')
    expect(select(asObject(1, 1n, 9223372036854775807n))).toBe('a')
    expect(select(asObject(1, 1, 9223372036854775806n))).toBe('')
    expect(select(asObject(1, 9223372036854775807n, 1))).toBe('')
    expect(select(asObject(1, 1))).toBe('')
    expect(select(asObject(2, 1, 9223372036854775807n))).toBe('')
    const objectTypeProperty = { arrayOfObjectType: [{ integerExampleInt32: 1, integerExample: 4 }] }
    expect(select({ unionParameter: { version: 3, objectTypeProperty } })).toBe('c')
  })
})
