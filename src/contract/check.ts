import type * as z from 'zod'
import type { ErrorItem } from '../errors.ts'
import { toPath } from '../http/json.ts'
import { createGuard } from './guard.ts'
import type { Guard } from './guard.ts'
import { isIntegral } from './numbers.ts'

/** What holding a value to a schema found. */
export interface Checked {
  /** In the order they were found; empty when the value conforms. */
  readonly faults: readonly ErrorItem[]
  /** Paths of members that nobody documents (D4). */
  readonly unknown: readonly string[]
}

const CONFORMS: Checked = { faults: [], unknown: [] }
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

const guards = new WeakMap<z.ZodType, Guard>()

function guardOf(schema: z.ZodType): Guard {
  const known = guards.get(schema)
  if (known !== undefined) return known
  const guard = createGuard(schema)
  guards.set(schema, guard)
  return guard
}

/**
 * Holds a parsed JSON value to a schema of the contract. The value itself is what is kept afterwards,
 * since what a schema gives back is reordered and stripped. `base` is where in the body the value stands.
 */
export function check(schema: z.ZodType, value: unknown, base: readonly PropertyKey[] = []): Checked {
  // Most values conform: the schema itself is asked only what is wrong with one that does not.
  if (guardOf(schema)(value)) return CONFORMS
  const result = schema.safeParse(value)
  if (result.success) return CONFORMS
  const faults: ErrorItem[] = []
  const unknown: string[] = []
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys')
      // One by one: a call takes only so many arguments.
      for (const key of issue.keys) unknown.push(toPath([...base, ...issue.path, key]))
    else faults.push(toFault(issue, value, base))
  }
  return { faults, unknown }
}
