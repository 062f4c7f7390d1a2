import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { check } from '../../../src/service/contract/check.ts'
import {
  objectTestTypeDraft,
  outOfOrderPropertiesTestType,
  updateRequest,
} from '../../../src/service/contract/models.ts'

const invalidJson = (detailedErrorMessage: string) => ({
  code: 'InvalidJsonInput',
  message: 'Request body does not contain valid JSON.',
  detailedErrorMessage,
})
const ofArrays = (objectTypeProperty: unknown) => ({ objectTypeProperty })

describe('check', () => {
  it.each([
    ['an empty draft', ofArrays({})],
    ['the int64 bounds', ofArrays({ arrayOfIntExample: [9223372036854775807n, -9223372036854775808n] })],
    [
      'the int32 bounds',
      ofArrays({ arrayOfObjectType: [{ integerExampleInt32: 2 ** 31 - 1 }, { integerExampleInt32: -(2 ** 31) }] }),
    ],
    ['an entry without members', ofArrays({ arrayOfObjectType: [{}] })],
    ['a key', { key: 'a_-9', ...ofArrays({}) }],
  ])('finds no problems in %s', (_case, value) => {
    expect(check(objectTestTypeDraft, value)).toEqual({ problems: [], unknown: [], moreUnknown: 0 })
  })

  it.each([
    ['null', null, invalidJson('JSON Object expected.')],
    ['an array', [], invalidJson('JSON Object expected.')],
    ['a string', 'x', invalidJson('JSON Object expected.')],
    ['a null member', ofArrays(null), invalidJson('objectTypeProperty: JSON Object expected.')],
    [
      'a string among integers',
      ofArrays({ arrayOfIntExample: [1, '2'] }),
      invalidJson('objectTypeProperty.arrayOfIntExample[1]: JSON Integer expected.'),
    ],
    [
      'a fraction among integers',
      ofArrays({ arrayOfIntExample: [1.5] }),
      invalidJson('objectTypeProperty.arrayOfIntExample[0]: JSON Integer expected.'),
    ],
    [
      'a number among strings',
      ofArrays({ arrayOfStringExample: [1] }),
      invalidJson('objectTypeProperty.arrayOfStringExample[0]: JSON String expected.'),
    ],
    [
      'a string among decimals',
      ofArrays({ arrayOfFloatExample: ['1'] }),
      invalidJson('objectTypeProperty.arrayOfFloatExample[0]: JSON Number expected.'),
    ],
    [
      'an object instead of an array',
      ofArrays({ arrayOfIntExample: {} }),
      invalidJson('objectTypeProperty.arrayOfIntExample: JSON Array expected.'),
    ],
    ['a numeric key', { key: 12, ...ofArrays({}) }, invalidJson('key: JSON String expected.')],
    [
      'a missing member',
      {},
      { code: 'RequiredField', message: 'objectTypeProperty: Missing required value.', field: 'objectTypeProperty' },
    ],
    [
      'a number beyond int64',
      ofArrays({ arrayOfIntExample: [9223372036854775808n] }),
      {
        code: 'InvalidField',
        message:
          'objectTypeProperty.arrayOfIntExample[0]: integer between -9223372036854775808 and 9223372036854775807 expected.',
        field: 'objectTypeProperty.arrayOfIntExample[0]',
        invalidValue: 9223372036854775808n,
      },
    ],
    [
      'a number beyond int32',
      ofArrays({ arrayOfObjectType: [{ integerExampleInt32: 2147483648 }] }),
      {
        code: 'InvalidField',
        message:
          'objectTypeProperty.arrayOfObjectType[0].integerExampleInt32: integer between -2147483648 and 2147483647 expected.',
        field: 'objectTypeProperty.arrayOfObjectType[0].integerExampleInt32',
        invalidValue: 2147483648,
      },
    ],
    [
      'a one-character key',
      { key: 'a', ...ofArrays({}) },
      {
        code: 'InvalidField',
        message: 'key: 2 to 256 characters of A-Z, a-z, 0-9, "_" and "-" expected.',
        field: 'key',
        invalidValue: 'a',
      },
    ],
  ])('finds the problem in %s', (_case, value, fault) => {
    expect(check(objectTestTypeDraft, value)).toEqual({ problems: [fault], unknown: [], moreUnknown: 0 })
  })

  it('finds every error, in order', () => {
    const { problems } = check(objectTestTypeDraft, { key: 'a', ...ofArrays({ arrayOfIntExample: ['1', 1.5] }) })
    expect(problems.map(({ code }) => code)).toEqual(['InvalidField', 'InvalidJsonInput', 'InvalidJsonInput'])
  })

  it('keeps undocumented members apart from errors', () => {
    const value = { more: 1, ...ofArrays({ arrayOfInts: [], arrayOfObjectType: [{ x: 1 }] }) }
    const { problems, unknown } = check(objectTestTypeDraft, value)
    expect(problems).toEqual([])
    expect(unknown.toSorted()).toEqual([
      'more',
      'objectTypeProperty.arrayOfInts',
      'objectTypeProperty.arrayOfObjectType[0].x',
    ])
  })

  it('treats a member named __proto__ as undocumented', () => {
    const value: unknown = JSON.parse('{"objectTypeProperty": {}, "__proto__": {"key": "a"}}')
    expect(check(objectTestTypeDraft, value)).toEqual({ problems: [], unknown: ['__proto__'], moreUnknown: 0 })
  })

  it('explains what a date-time is', () => {
    expect(check(outOfOrderPropertiesTestType, { createdAt: 'yesterday' }).problems).toEqual([
      {
        code: 'InvalidField',
        message: 'createdAt: ISO 8601 date-time expected.',
        field: 'createdAt',
        invalidValue: 'yesterday',
      },
    ])
  })

  it('reports the maximum number of actions in an update', () => {
    const actions = Array.from({ length: 501 }, () => ({ action: 'doSomeThing' }))
    expect(check(updateRequest, { version: 1, actions }).problems).toMatchObject([
      { code: 'InvalidField', message: 'actions: at most 500 actions expected.', field: 'actions' },
    ])
  })

  it('starts its paths at the path of the value', () => {
    expect(check(objectTestTypeDraft, {}, ['list', 1]).problems).toMatchObject([
      { field: 'list[1].objectTypeProperty' },
    ])
  })
})

describe('more errors than are reported', () => {
  const faultsOf = (count: number) =>
    check(objectTestTypeDraft, ofArrays({ arrayOfIntExample: Array.from({ length: count }, () => 'x') })).problems

  it('are reported one by one up to 50', () => {
    expect(faultsOf(50)).toHaveLength(50)
    expect(faultsOf(50).at(-1)).toEqual(invalidJson('objectTypeProperty.arrayOfIntExample[49]: JSON Integer expected.'))
  })

  it('are counted in the last of 50', () => {
    const problems = faultsOf(200_000)
    expect(problems).toHaveLength(50)
    expect(problems[48]).toEqual(invalidJson('objectTypeProperty.arrayOfIntExample[48]: JSON Integer expected.'))
    expect(problems[49]).toEqual({ code: 'InvalidInput', message: '199951 more values in the body are invalid.' })
  })

  it('are counted in objects of an array, too', () => {
    const entries = Array.from({ length: 60 }, () => ({ integerExample: 'x', integerExampleInt32: 'y' }))
    const { problems } = check(objectTestTypeDraft, ofArrays({ arrayOfObjectType: entries }))
    expect(problems[49]).toEqual({ code: 'InvalidInput', message: '71 more values in the body are invalid.' })
  })
})

it('names the first 1,000 unknown members, and counts the others', () => {
  const members = Object.fromEntries(Array.from({ length: 130_000 }, (_, at) => [`m${at}`, 1]))
  const { problems, unknown, moreUnknown } = check(objectTestTypeDraft, { ...ofArrays({}), ...members })
  expect(problems).toEqual([])
  expect([unknown.length, unknown[0], unknown.at(-1)]).toEqual([1000, 'm0', 'm999'])
  expect(moreUnknown).toBe(129_000)
})

it('skips the entries after the first wrong one if one error is enough', () => {
  let checked = 0
  const item = z.custom(() => {
    checked += 1
    return checked <= 2
  })
  expect(check(z.array(item), [1, 2, 3, 4, 5, 6], [], true).problems).toHaveLength(1)
  // The guard checks each entry once up to the invalid one; the check that finds its problem follows.
  expect(checked).toBeLessThan(8)
})

it('checks the length of an array before its items', () => {
  let checked = 0
  const item = z.custom(() => {
    checked += 1
    return false
  })
  const schema = z.array(item).max(3, { error: 'at most 3 items expected.' })
  expect(check(schema, [1, 2, 3, 4]).problems).toEqual([
    expect.objectContaining({ code: 'InvalidField', message: 'at most 3 items expected.' }),
  ])
  expect(checked).toBe(0)
  expect(check(schema, [1, 2, 3]).problems).toHaveLength(3)
})
