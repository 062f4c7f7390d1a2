import type * as z from 'zod'
import type { ErrorItem } from '../errors.ts'
import { toPath } from '../http/json-faults.ts'
import { findIssues, guardOf } from './issues.ts'
import { isIntegral } from './numbers.ts'

/** What holding a value to a schema found. */
export interface Checked {
  /** In the order they were found; empty when the value conforms. Of more than 50, the last says how many more there are. */
  readonly faults: readonly ErrorItem[]
  /** Paths of members that nobody documents (D4); the first 1,000. */
  readonly unknown: readonly string[]
  /** How many more such members there are. */
  readonly moreUnknown: number
}

/** At most so many faults are told (decisions, "Errors"). */
const MOST_FAULTS = 50

const CONFORMS: Checked = { faults: [], unknown: [], moreUnknown: 0 }
const JSON_TYPES: Readonly<Record<string, string>> = {
  string: 'JSON String',
  number: 'JSON Number',
  array: 'JSON Array',
  object: 'JSON Object',
  record: 'JSON Object',
  boolean: 'JSON Boolean',
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return found
}

/** The sentence of an issue without its path: what was expected there. */
function toSentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `${JSON_TYPES[issue.expected] ?? issue.expected} expected.`
  if (issue.code === 'invalid_value')
    return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')} expected.`
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)) {
    return `one of ${issue.options.map((value) => JSON.stringify(value)).join(', ')} expected.`
  }
  return issue.message
}

/** Whether the value has the right JSON type and only its content is wrong. */
function isOutOfBounds(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code === 'custom') return isIntegral(value)
  return issue.code !== 'invalid_type' && issue.code !== 'invalid_union'
}

function toFault(issue: z.core.$ZodIssue, root: unknown, base: readonly PropertyKey[]): ErrorItem {
  const field = toPath([...base, ...issue.path])
  const value = valueAt(root, issue.path)
  if (value === undefined && issue.path.length > 0) {
    return { code: 'RequiredField', message: `${field}: Missing required value.`, field }
  }
  const sentence = field === '' ? toSentence(issue) : `${field}: ${toSentence(issue)}`
  if (isOutOfBounds(issue, value)) {
    return { code: 'InvalidField', message: sentence, field, invalidValue: value }
  }
  return {
    code: 'InvalidJsonInput',
    message: 'Request body does not contain valid JSON.',
    detailedErrorMessage: sentence,
  }
}

/**
 * Holds a parsed JSON value to a schema of the contract. The value itself is what is kept afterwards,
 * since what a schema gives back is reordered and stripped. `base` is where in the body the value stands; with
 * `isFirstEnough` the entries after the first wrong one are not looked at.
 */
export function check(
  schema: z.ZodType,
  value: unknown,
  base: readonly PropertyKey[] = [],
  isFirstEnough = false,
): Checked {
  // Most values conform: the schema itself is asked only what is wrong with one that does not.
  if (guardOf(schema)(value)) return CONFORMS
  const { first, count, unknown, unknownCount } = findIssues(schema, value, MOST_FAULTS, isFirstEnough)
  const faults = first.slice(0, MOST_FAULTS).map((issue) => toFault(issue, value, base))
  if (count > MOST_FAULTS) {
    const more = count - MOST_FAULTS + 1
    faults.splice(-1, 1, { code: 'InvalidInput', message: `${more} more values of the body are wrong.` })
  }
  return {
    faults,
    unknown: unknown.map((path) => toPath([...base, ...path])),
    moreUnknown: unknownCount - unknown.length,
  }
}
