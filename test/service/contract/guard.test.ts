import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { createGuard } from '../../../src/service/contract/check.ts'
import * as models from '../../../src/service/contract/models.ts'

const schemas: readonly (readonly [string, z.ZodType])[] = [
  ['objectTestTypeDraft', models.objectTestTypeDraft],
  ['strictDraft', models.strictDraft],
  ['updateRequest', models.updateRequest],
  ['updateAction', models.updateAction],
  ['outOfOrderPropertiesTestType', models.outOfOrderPropertiesTestType],
  ['arrayTestType', models.arrayTestType],
  ['cart', models.cart],
]

const names = [
  ...Object.keys(models.arrayTestType.shape),
  ...Object.keys(models.objectEntry.shape),
  ...Object.keys(models.outOfOrderPropertiesTestType.shape),
  'objectTypeProperty',
  'actions',
  'action',
  'someProperty',
  '__proto__',
  'constructor',
  'other',
]

/** Nearly valid values: documented and other names, numbers at the limits. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 'a', 'changeSomeProperty', 'k-1', '2024-01-01T00:00:00Z'),
    fc.constantFrom(0, -0, 1.5, Infinity, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 2n ** 63n - 1n, 2n ** 63n),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 4 }),
  ),
})).any

describe.each(schemas)('the guard of %s', (_name, schema) => {
  const guard = createGuard(schema)

  it('agrees with the schema', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(guard(one)).toBe(schema.safeParse(one).success)
      }),
      { numRuns: 500 },
    )
  })
})

it('accepts valid values, also with a bigint', () => {
  const guard = createGuard(models.objectTestTypeDraft)
  const objectTypeProperty = {
    arrayOfIntExample: [1, -(2n ** 63n)],
    arrayOfStringExample: ['a', ''],
    arrayOfObjectType: [{ integerExample: 1 }, {}],
  }
  expect(guard({ objectTypeProperty })).toBe(true)
  expect(guard({ objectTypeProperty, key: 'a-key' })).toBe(true)
  expect(guard({ objectTypeProperty, key: '!' })).toBe(false)
  expect(guard({ objectTypeProperty: { ...objectTypeProperty, other: 1 } })).toBe(false)
})
