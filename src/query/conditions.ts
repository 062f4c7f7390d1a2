import { arrayNames } from '../contract/models.ts'
import type { ArrayName } from '../contract/models.ts'
import { readNumber } from '../http/json.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'
import { isEqualContent, parseInstant, toUniform } from './values.ts'
import type { Scalar } from './values.ts'
import { arrayPaths } from './fields.ts'
import type { ListField } from './fields.ts'
import { pageBounds } from '../contract/results.ts'
import { problem } from '../errors.ts'
import type { Input } from '../contract/handler.ts'
import type { StoredResource } from '../state/resource.ts'

type ConditionQuery = Input<'queryResources'>['query']
type Condition = (resource: StoredResource) => boolean

// D11 throughout.

function holdsIn(value: Scalar, values: readonly Scalar[] | undefined, { spend }: Effort): boolean {
  if (values === undefined) return false
  spend(values.length)
  return values.some((one) => toUniform(one) === value)
}

/** The value is in the array. */
function isIn(given: Scalar, name: Exclude<ArrayName, 'arrayOfObjectType'>, effort: Effort): Condition {
  const value = toUniform(given)
  return ({ objectTypeProperty }) => holdsIn(value, objectTypeProperty[name], effort)
}

/** The value is in one of the fields at least. */
function isInAny(given: Scalar, fields: readonly ListField<StoredResource>[], effort: Effort): Condition {
  const value = toUniform(given)
  return (resource) => fields.some(({ read }) => holdsIn(value, read(resource), effort))
}

/** A text of the resource or, written exactly `<number> in <arrayField>`, a number of that field. */
function toStringCondition(text: string, effort: Effort): Condition {
  const isText = isIn(text, 'arrayOfStringExample', effort)
  const [, digits = '', name = ''] = /^(\S+) in (\S+)$/.exec(text) ?? []
  const number = readNumber(digits)
  const field = arrayPaths.get(name)
  if (number === undefined || field === undefined) return isText
  const isNumber = isInAny(number, [field], effort)
  return (resource) => isText(resource) || isNumber(resource)
}

const numberFields = arrayNames.flatMap((name) => {
  const field = arrayPaths.get(name)
  return field?.type === 'number' ? [field] : []
})

function toUnionCondition(union: NonNullable<ConditionQuery['unionParameter']>, effort: Effort): Condition {
  if (typeof union === 'number' || typeof union === 'bigint') return isInAny(union, numberFields, effort)
  if (typeof union === 'string') {
    const since = parseInstant(union)
    return ({ lastModifiedAt }) => since !== undefined && Date.parse(lastModifiedAt) >= since
  }
  const { version, objectTypeProperty } = union
  return (resource) => resource.version === version && isEqualContent(resource.objectTypeProperty, objectTypeProperty)
}

/** The parameters of 4.1, as far as they are conditions. */
function* toConditions(query: ConditionQuery, effort: Effort): Generator<Condition> {
  const { stringParameter, floatParameter, integerParameter, withMarkdownDescription, unionParameter } = query
  if (stringParameter !== undefined) yield toStringCondition(stringParameter, effort)
  if (floatParameter !== undefined) yield isIn(floatParameter, 'arrayOfFloatExample', effort)
  if (integerParameter !== undefined) yield isIn(integerParameter, 'arrayOfIntExample', effort)
  if (withMarkdownDescription !== undefined)
    yield isIn(withMarkdownDescription, 'arrayOfNumberNoDefaultsExample', effort)
  const { arrayOfString = [], arrayOfStringWithDescription = [], objectParameter } = query
  for (const text of [...arrayOfString, ...arrayOfStringWithDescription, ...(objectParameter?.arrayOfString ?? [])]) {
    yield isIn(text, 'arrayOfStringExample', effort)
  }
  if (unionParameter !== undefined) yield toUnionCondition(unionParameter, effort)
}

/**
 * Compiles the conditions of 4.1 and 4.5 into one test that holds where all of them hold (D11); undefined when there
 * are none, so that nothing has to be filtered.
 */
export function compileConditions(query: ConditionQuery, effort: Effort = UNLIMITED): Condition | undefined {
  const conditions = [...toConditions(query, effort)]
  if (conditions.length === 0) return undefined
  return (resource) => conditions.every((condition) => condition(resource))
}

/** Which part of the results is answered, and whether their number is (D10). */
export interface Page {
  readonly limit: number
  readonly offset: number
  readonly withTotal: boolean
}

/** `20.0` is 20, `20.5` is refused (D20). */
function parseBounded(field: keyof typeof pageBounds, value: number | bigint | undefined): number {
  const { least, most, standard } = pageBounds[field]
  if (value === undefined) return standard
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw problem.invalidField({
    field,
    invalidValue: value,
    message: `Malformed parameter: ${field}: expected a whole number from ${least} to ${most}, got ${value}.`,
  })
}

/**
 * Reads the paging parameters.
 *
 * @throws {Problem} 400 InvalidField for what is out of bounds or not whole.
 */
export function parsePage(query: {
  readonly limit?: number | bigint
  readonly offset?: number | bigint
  readonly withTotal?: boolean
}): Page {
  return {
    limit: parseBounded('limit', query.limit),
    offset: parseBounded('offset', query.offset),
    withTotal: query.withTotal ?? true,
  }
}
