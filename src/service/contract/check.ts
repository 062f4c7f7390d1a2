import * as z from 'zod'
import { isJsonObject, toPath, valueAt } from '../http/json.ts'
import { isIntegral } from './models.ts'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'
import type { ErrorItem } from '../../errors.ts'

/** Checks whether a parsed JSON value conforms to a schema. */
export type Guard = (value: unknown) => boolean

function guardObject({ shape, def }: z.ZodObject): Guard {
  const members = new Map(Object.entries<z.ZodType>(shape).map(([name, schema]) => [name, createGuard(schema)]))
  const required = Object.entries(shape).flatMap(([name, schema]) => (schema instanceof z.ZodOptional ? [] : [name]))
  const isOpen = !(def.catchall instanceof z.ZodNever)
  return function isConforming(value) {
    if (!isJsonObject(value)) return false
    for (const name in value) {
      const guard = members.get(name)
      if (guard === undefined ? !isOpen : !guard(value[name])) return false
    }
    for (const name of required) if (value[name] === undefined) return false
    return true
  }
}

function guardArray({ element }: z.ZodArray<z.ZodType>): Guard {
  const guard = createGuard(element)
  return function isConforming(value) {
    if (!Array.isArray(value)) return false
    // Not `for…of`: V8 calls its iterator for each entry, because lists of numbers and of texts differ.
    for (let at = 0; at < value.length; at += 1) if (!guard(value[at])) return false
    return true
  }
}

/**
 * A schema with only an array's own checks, such as its maximum length, and none for its entries; undefined if it has no
 * such checks.
 */
export function toOwnChecks({ def }: z.ZodArray): z.ZodArray | undefined {
  return def.checks?.length ? new z.ZodArray({ ...def, element: z.unknown() }) : undefined
}

/** The maximum length of an array, if that is its only check; the contract uses no other array checks. */
function findMaximum({ def: { checks = [] } }: z.ZodArray): number | undefined {
  const [first, ...others] = checks.map((one) => one._zod.def as Partial<z.core.$ZodCheckMaxLengthDef>)
  return others.length === 0 && first?.check === 'max_length' ? first.maximum : undefined
}

/** The regular expressions of a string, if it has no other checks. */
function findPatterns({ def: { checks = [] } }: z.ZodString): readonly RegExp[] | undefined {
  const defs = checks.map((one) => one._zod.def as Partial<z.core.$ZodCheckRegexDef>)
  const patterns = defs.flatMap(({ format, pattern }) => (format === 'regex' && pattern !== undefined ? [pattern] : []))
  return patterns.length === checks.length ? patterns : undefined
}

/**
 * Creates a guard for a schema. The guard returns the same result as the schema but allocates no object for each value; the
 * allocation takes most of the time for a valid body. For unsupported kinds of schema, the guard calls the schema.
 */
export function createGuard(schema: z.ZodType): Guard {
  if (schema instanceof z.ZodOptional) {
    const guard = createGuard(schema.unwrap() as z.ZodType)
    return (value) => value === undefined || guard(value)
  }
  if (schema instanceof z.ZodArray) {
    const guard = guardArray(schema as z.ZodArray<z.ZodType>)
    const own = toOwnChecks(schema)
    if (own === undefined) return guard
    const maximum = findMaximum(schema)
    if (maximum !== undefined) return (value) => Array.isArray(value) && value.length <= maximum && guard(value)
    return (value) => own.safeParse(value).success && guard(value)
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const guards = schema.options.map((option) => createGuard(option as z.ZodType))
    return (value) => guards.some((guard) => guard(value))
  }
  if (schema instanceof z.ZodLiteral) {
    const { values } = schema
    return (value) => values.has(value as z.core.util.Literal)
  }
  // The documented schema is stricter than the schema itself.
  const { documentedAs } = (schema.meta() ?? {}) as { readonly documentedAs?: z.ZodType }
  if (documentedAs !== undefined) {
    const guard = createGuard(documentedAs)
    return (value) => guard(value) || schema.safeParse(value).success
  }
  if (schema instanceof z.ZodString && !('format' in schema.def)) {
    const patterns = findPatterns(schema)
    if (patterns !== undefined)
      return (value) => typeof value === 'string' && patterns.every((pattern) => pattern.test(value))
  }
  if (!schema.def.checks?.length) {
    if (schema instanceof z.ZodObject) return guardObject(schema)
    if (schema instanceof z.ZodCustom) {
      const { fn } = schema.def
      return (value) => Boolean(fn(value))
    }
  }
  return (value) => schema.safeParse(value).success
}

/** The maximum number of unknown members whose paths are kept; any others are only counted. */
export const MOST_UNKNOWN = 1000

const guards = new WeakMap<z.core.$ZodType, Guard>()

/** The cached guard of a schema. */
export function guardOf(schema: z.ZodType): Guard {
  const known = guards.get(schema)
  if (known !== undefined) return known
  const guard = createGuard(schema)
  guards.set(schema, guard)
  return guard
}

/**
 * Finds the first issues of a value, in schema order, and the paths of the first {@link MOST_UNKNOWN} unknown members. Others
 * are only counted, because a body of 1 MB can have 500,000.
 *
 * @param isFirstEnough whether to skip an array's remaining entries after the first invalid one
 */
export function findIssues(schema: z.ZodType, value: unknown, limit: number, isFirstEnough = false) {
  const first: z.core.$ZodIssue[] = []
  const unknown: (readonly PropertyKey[])[] = []
  let count = 0
  let unknownCount = 0
  /** The path of the current value. */
  const path: PropertyKey[] = []

  function addUnknown(...steps: readonly PropertyKey[]) {
    unknownCount += 1
    if (unknown.length < MOST_UNKNOWN) unknown.push([...path, ...steps])
  }

  function visitObject({ shape, def }: z.ZodObject, members: Readonly<Record<string, unknown>>) {
    for (const [name, member] of Object.entries<z.ZodType>(shape)) {
      if (!guardOf(member)(members[name])) visitAt(name, member, members[name])
    }
    if (!(def.catchall instanceof z.ZodNever)) return
    for (const name of Object.keys(members)) if (!Object.hasOwn(shape, name)) addUnknown(name)
  }

  /** Visits the entries and returns whether any is invalid. */
  function visitEntries(element: z.ZodType, entries: readonly unknown[]): boolean {
    const guard = guardOf(element)
    let isAnyWrong = false
    for (const [at, entry] of entries.entries()) {
      if (guard(entry)) continue
      isAnyWrong = true
      visitAt(at, element, entry)
      if (isFirstEnough) break
    }
    return isAnyWrong
  }

  function visitAt(step: PropertyKey, part: z.ZodType, found: unknown): void {
    path.push(step)
    visit(part, found)
    path.pop()
  }

  /** Finds the issues of an invalid value. */
  function visit(part: z.ZodType, found: unknown): void {
    if (part instanceof z.ZodOptional) return visit(part.unwrap() as z.ZodType, found)
    if (part instanceof z.ZodArray && Array.isArray(found)) {
      // If the array is too long, its entries are not checked: there may be hundreds of thousands.
      const own = toOwnChecks(part)
      if (own !== undefined && !own.safeParse(found).success) return addIssues(own, found)
      if (visitEntries(part.element as z.ZodType, found)) return
    }
    if (part instanceof z.ZodObject && isJsonObject(found) && !part.def.checks?.length) return visitObject(part, found)
    addIssues(part, found)
  }

  function addIssues(part: z.ZodType, found: unknown): void {
    if (first.length >= limit) {
      count += 1
      return
    }
    const issues = part.safeParse(found).error?.issues ?? []
    // Unknown members have a count of their own.
    count += Math.max(1, issues.length) - issues.filter(({ code }) => code === 'unrecognized_keys').length
    for (const issue of issues.slice(0, limit)) {
      if (issue.code !== 'unrecognized_keys') first.push({ ...issue, path: [...path, ...issue.path] })
      else for (const name of issue.keys) addUnknown(...issue.path, name)
    }
  }

  if (!guardOf(schema)(value)) visit(schema, value)
  return { first, count, unknown, unknownCount }
}

/** The result of a check. */
export interface CheckedValue {
  /** Empty for a valid value. If there are more than 50, the last entry reports the number of remaining ones. */
  readonly problems: readonly ErrorItem[]
  /** Paths of the first 1,000 undocumented members (D4). */
  readonly unknown: readonly string[]
  /** The number of undocumented members that are not listed. */
  readonly moreUnknown: number
}

/** The maximum number of errors reported (decisions, "Errors"). */
export const MAX_ERRORS = 50

const CONFORMS: CheckedValue = { problems: [], unknown: [], moreUnknown: 0 }
const JSON_TYPES: Readonly<Record<string, string>> = {
  string: 'JSON String',
  number: 'JSON Number',
  array: 'JSON Array',
  object: 'JSON Object',
  record: 'JSON Object',
  boolean: 'JSON Boolean',
}

/** The message of an issue, without its path. */
function toIssueSentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `${JSON_TYPES[issue.expected] ?? issue.expected} expected.`
  if (issue.code === 'invalid_value')
    return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')} expected.`
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options))
    return `one of ${issue.options.map((value) => JSON.stringify(value)).join(', ')} expected.`
  return issue.message
}

/** The expected value of an issue, as a noun: `JSON String`, `one of "text", "number"`. */
export const toExpected = (issue: z.core.$ZodIssue): string => toIssueSentence(issue).replace(/ expected\.$|\.$/, '')

/** Whether the value has the right JSON type, but invalid content. */
function isOutOfBounds(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code === 'custom') return isIntegral(value)
  return issue.code !== 'invalid_type' && issue.code !== 'invalid_union'
}

function toErrorItem(issue: z.core.$ZodIssue, root: unknown, base: readonly PropertyKey[]): ErrorItem {
  const field = toPath([...base, ...issue.path])
  const value = valueAt(root, issue.path)
  if (value === undefined && issue.path.length > 0)
    return { code: 'RequiredField', message: `${field}: Missing required value.`, field }
  const sentence = field === '' ? toIssueSentence(issue) : `${field}: ${toIssueSentence(issue)}`
  if (isOutOfBounds(issue, value)) return { code: 'InvalidField', message: sentence, field, invalidValue: value }
  return {
    code: 'InvalidJsonInput',
    message: 'Request body does not contain valid JSON.',
    detailedErrorMessage: sentence,
  }
}

/**
 * Checks a parsed JSON value against a schema of the contract. Callers keep the original value, because a schema's output
 * is reordered and stripped.
 *
 * @param base the path of the value in the body
 * @param isFirstEnough whether to skip an array's remaining entries after the first invalid one
 */
export function check(
  schema: z.ZodType,
  value: unknown,
  base: readonly PropertyKey[] = [],
  isFirstEnough = false,
): CheckedValue {
  // Most values are valid, so the schema itself is only used to explain invalid ones.
  if (guardOf(schema)(value)) return CONFORMS
  const { first, count, unknown, unknownCount } = findIssues(schema, value, MAX_ERRORS, isFirstEnough)
  const problems = first.slice(0, MAX_ERRORS).map((issue) => toErrorItem(issue, value, base))
  if (count > MAX_ERRORS) {
    const more = count - MAX_ERRORS + 1
    problems.splice(-1, 1, { code: 'InvalidInput', message: `${more} more values in the body are invalid.` })
  }
  return {
    problems,
    unknown: unknown.map((path) => toPath([...base, ...path])),
    moreUnknown: unknownCount - unknown.length,
  }
}

/**
 * Adds a warning to a request that is handled although it is not fully valid (decisions, "warn"). Under `--strict`, it
 * throws a 400 with the same message instead, unless the severity is `tolerated`.
 */
export type Warn = (decision: DecisionId, sentence: string, severity?: 'tolerated') => void

/**
 * Adds a warning for each unknown member (D4) so that the count in the header and the journal is correct; only the first
 * ones include the name.
 */
export function warnOfUnknown(warn: Warn, { unknown, moreUnknown }: CheckedValue, where: string): void {
  for (const member of unknown) warn(decision('D4'), `Unknown member "${member}" of ${where} is ignored.`)
  for (let left = moreUnknown; left > 0; left -= 1) warn(decision('D4'), `An unknown member of ${where} is ignored.`)
}

const MOST_LISTED_PROBLEMS = 5
const MAX_HEADER = 1024

/** Escapes all non-ASCII characters of a header value as `\uXXXX`. */
export const toAscii = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- the regex matches the characters that are not allowed in a header
  text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * The value of `X-Mock-Warning`: up to five warnings and 1 KiB in total, followed by the number of remaining ones,
 * including `unkept` ones.
 */
export function toWarningHeader(warnings: readonly string[], unkept = 0): string {
  const shown: string[] = []
  let bytes = 0
  for (const warning of warnings.slice(0, MOST_LISTED_PROBLEMS)) {
    const text = toAscii(warning)
    bytes += text.length + 2
    if (bytes > MAX_HEADER - 20) break
    shown.push(text)
  }
  const [first = ''] = warnings
  if (shown.length === 0) shown.push(`${toAscii(first).slice(0, MAX_HEADER - 40)}...`)
  const more = warnings.length - shown.length + unkept
  return shown.join(', ') + (more > 0 ? `, and ${more} more` : '')
}

/** A request's warnings, as stored in the journal and the log. */
export interface Warnings {
  warnings: readonly string[]
  /** The number of warnings that were discarded because the limit was reached. */
  unkeptWarnings: number
}

const MAX_KEPT = 1000
const MAX_KEPT_LENGTH = 1000

/**
 * Stores up to 1,000 warnings of up to 1,000 characters each: a body may have any number of unknown members with names of
 * any length.
 */
export function keepWarning(kept: Warnings, warning: string): void {
  if (kept.warnings.length === MAX_KEPT) kept.unkeptWarnings += 1
  else {
    const cut = warning.length > MAX_KEPT_LENGTH ? `${warning.slice(0, MAX_KEPT_LENGTH)}…` : warning
    kept.warnings = [...kept.warnings, cut]
  }
}

/** The stored warnings, and a note with the number of discarded ones. */
export const toWarningList = ({ warnings, unkeptWarnings }: Warnings): readonly string[] =>
  unkeptWarnings === 0 ? warnings : [...warnings, `and ${unkeptWarnings} more`]
