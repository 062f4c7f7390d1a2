import { isDateTime } from '../contract/models.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { readNumber } from '../http/json.ts'
import { abridge } from './effort.ts'
import { malformedWhere } from './where-parser.ts'
import type { FieldName, Operand } from './where-parser.ts'
import type { Effort } from './effort.ts'

/** One comparable value of a resource. Whole numbers past 2^53 are `bigint` (D3). */
export type Scalar = string | number | bigint
/** What a field's values are; an `instant` is ISO 8601 text that compares as the moment it names. */
export type ScalarType = 'text' | 'number' | 'instant'

/** Negative, 0 or positive; JavaScript compares `number` with `bigint` exactly, where `===` tells them apart. */
export const compareScalars = (a: Scalar, b: Scalar): number => (a < b ? -1 : a > b ? 1 : 0)

/** One form for every value, so that equal numbers are one key of a Set or Map whatever their type. */
export function toUniform(value: Scalar): Scalar {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
  return value
}

/** Milliseconds since the epoch of an ISO 8601 date-time with its offset; undefined for anything else. */
export const parseInstant = (text: string): number | undefined => (isDateTime(text) ? Date.parse(text) : undefined)

/** What one predicate is compiled with. */
export interface WhereContext {
  readonly source: string
  /** By their names without `var.`. */
  readonly variables: ReadonlyMap<string, readonly string[]>
  readonly effort: Effort
}

const EXPECTED: Readonly<Record<ScalarType, string>> = {
  text: 'a string in double quotes',
  number: 'a number',
  instant: 'a date-time such as "2026-01-31T12:00:00.000Z"',
}

/** A literal as a value of the type; undefined where it is of another. */
function toScalar(value: string | number | bigint | boolean, type: ScalarType): Scalar | undefined {
  if (type === 'number') return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
  if (typeof value !== 'string') return undefined
  return type === 'instant' ? parseInstant(value) : value
}

/** A value as a message shows it. */
const describe = (value: string | number | bigint | boolean): string =>
  typeof value === 'string' ? JSON.stringify(abridge(value)) : abridge(String(value))

function findVariable(name: string, offset: number, { source, variables }: WhereContext): readonly string[] {
  const texts = variables.get(name)
  if (texts !== undefined && texts.length > 0) return texts
  const near = didYouMean(name, [...variables.keys()])
  throw malformedWhere(
    source,
    offset,
    `Undefined variable :${abridge(name)}.${near} Send it as the parameter var.${abridge(name)}.`,
  )
}

/** The values of one operand, as many as its variable has, in the type of the field; an instant is its milliseconds. */
function toOperandValues(
  operand: Operand,
  field: FieldName,
  type: ScalarType,
  context: WhereContext,
): readonly Scalar[] {
  const mismatch = (found: string) =>
    malformedWhere(context.source, operand.offset, `${field.name} takes ${EXPECTED[type]}, found ${found}.`)
  if (operand.kind === 'literal') {
    const value = toScalar(operand.value, type)
    if (value === undefined) throw mismatch(describe(operand.value))
    return [value]
  }
  return findVariable(operand.name, operand.offset, context).map((text) => {
    const value = toScalar(type === 'number' ? (readNumber(text) ?? text) : text, type)
    if (value === undefined) throw mismatch(`${describe(text)} in var.${operand.name}`)
    return value
  })
}

/**
 * The values of a list; a variable that was passed several times adds them all.
 *
 * @throws {Problem} 400 for an undefined variable and for a value of another type.
 */
export function toValues(
  operands: readonly Operand[],
  field: FieldName,
  type: ScalarType,
  context: WhereContext,
): readonly Scalar[] {
  return operands.flatMap((operand) => toOperandValues(operand, field, type, context))
}

/**
 * The one value of a comparison.
 *
 * @throws {Problem} 400 as {@link toValues}, and for a variable that was passed several times.
 */
export function toValue(operand: Operand, field: FieldName, type: ScalarType, context: WhereContext): Scalar {
  const [value, ...others] = toOperandValues(operand, field, type, context)
  if (value !== undefined && others.length === 0) return value
  // Only a variable that was passed several times has more values than one.
  const variable = operand.kind === 'variable' ? `:${operand.name}` : 'the value'
  const sentence = `A comparison takes one value, ${variable} has ${others.length + 1}. Use: ${field.name} in ${variable}.`
  throw malformedWhere(context.source, operand.offset, sentence)
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Whether two JSON values say the same: arrays in the same order, objects in any, numbers by value whatever their type.
 * A member that is undefined is one that is not there.
 */
export function isEqualContent(a: unknown, b: unknown): boolean {
  if (isNumeric(a) && isNumeric(b)) return toUniform(a) === toUniform(b)
  if (!isObject(a) || !isObject(b)) return a === b
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((one: unknown, at) => isEqualContent(one, b[at]))
  }
  const members = new Map(Object.entries(a))
  const others = new Map(Object.entries(b))
  return [...new Set([...members.keys(), ...others.keys()])].every((name) =>
    isEqualContent(members.get(name), others.get(name)),
  )
}
