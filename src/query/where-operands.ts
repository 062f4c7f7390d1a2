import { didYouMean } from '../util/did-you-mean.ts'
import { readNumber } from '../http/query.ts'
import { abridge } from './abridge.ts'
import type { Effort } from './effort.ts'
import { parseInstant } from './scalars.ts'
import type { Scalar, ScalarType } from './scalars.ts'
import type { FieldName, Operand } from './where-parser.ts'
import { malformedWhere } from './where-problem.ts'

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
