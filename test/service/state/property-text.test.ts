import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrayNames } from '../../../src/service/contract/models.ts'
import type { ArrayTestType } from '../../../src/service/contract/models.ts'
import { parseJson } from '../../../src/service/http/json.ts'
import { toArrayTestType, toPropertyText } from '../../../src/service/state/resource.ts'

const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value))
const int32 = fc.integer()
const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0))
const fraction = decimal.filter((value) => !Number.isInteger(value))

/** Any ArrayTestType, its members in any order. */
const property: fc.Arbitrary<ArrayTestType> = fc
  .record(
    {
      arrayOfIntExample: fc.array(int64),
      arrayOfUniqueIntExample: fc.array(int64),
      arrayOfTwonumbersExample: fc.array(int64),
      arrayOfFloatExample: fc.array(fraction),
      arrayOfNumberNoDefaultsExample: fc.array(fraction),
      arrayOfStringExample: fc.array(fc.string()),
      arrayOfObjectType: fc.array(
        fc.record({ integerExample: int64, integerExampleInt32: int32 }, { requiredKeys: [], noNullPrototype: true }),
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .chain((value) => fc.shuffledSubarray(Object.entries(value)).map((entries) => Object.fromEntries(entries)))

describe('the text of an ArrayTestType', () => {
  it('is parsed to the written value, digit for digit', () => {
    fc.assert(
      fc.property(property, (value) => {
        expect(parseJson(toPropertyText(value))).toEqual(value)
      }),
    )
  })

  it('has the arrays in the order of the specification', () => {
    fc.assert(
      fc.property(property, (value) => {
        const names = Object.keys(toArrayTestType(value))
        expect(names).toEqual(arrayNames.filter((name) => Object.hasOwn(value, name)))
        expect(toPropertyText(value)).toBe(toPropertyText(toArrayTestType(value)))
      }),
    )
  })

  it('has no undocumented members', () => {
    const body = {
      other: 1,
      arrayOfObjectType: [{ integerExampleInt32: 2, other: 3, integerExample: 9007199254740993n }],
      arrayOfIntExample: [1],
    }
    expect(toPropertyText(body)).toBe(
      '{"arrayOfIntExample":[1],"arrayOfObjectType":[{"integerExample":9007199254740993,"integerExampleInt32":2}]}',
    )
  })
})

describe('a copied ArrayTestType', () => {
  it('shares nothing with the body', () => {
    const body = { arrayOfIntExample: [1], arrayOfObjectType: [{ integerExample: 1 }] }
    const copy = toArrayTestType(body)
    body.arrayOfIntExample.push(2)
    body.arrayOfObjectType[0] = { integerExample: 2 }
    Object.assign(body.arrayOfObjectType, { integerExample: 3 })
    expect(copy).toEqual({ arrayOfIntExample: [1], arrayOfObjectType: [{ integerExample: 1 }] })
  })
})
