import { isLosslessNumber, parse as parseTexts } from 'lossless-json'
import * as z from 'zod'
import { guardOf } from '../contract/check.ts'
import { toPath } from '../http/json-faults.ts'
import { isObject, show } from './fault.ts'
import type { Fault } from './report.ts'

/** What holding a body to a schema found. */
interface ShapeFindings {
  readonly faults: readonly Omit<Fault, 'request'>[]
  /** Paths of members that nobody documents (D81). */
  readonly unknown: readonly string[]
}

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), root)

/** What was expected at an issue, as a noun: `JSON String`, `one of "text", "number"`. */
function toExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `JSON ${issue.expected[0]?.toUpperCase() ?? ''}${issue.expected.slice(1)}`
  if (issue.code === 'invalid_value') return `one of ${issue.values.map((value) => show(value)).join(', ')}`
  return issue.message.replace(/ expected\.$/, '')
}

const FLOAT = /\d(?:\.\d|[eE])/
/** Whether a text may have such numbers: a value that begins as one. Most texts have none, and are not parsed again. */
const MAYBE_SPELLED = /[:[,]\s*-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE])/

/**
 * Whole numbers that are spelled as floats, `1.0` or `1e3`, where an integer must stand: JavaScript reads them alike, the
 * integer types of other languages do not read them at all.
 */
function findSpelledFloats(schema: unknown, value: unknown, path: readonly PropertyKey[]): ShapeFindings['faults'] {
  if (schema instanceof z.ZodOptional) return findSpelledFloats(schema.unwrap(), value, path)
  if (isLosslessNumber(value)) {
    const isWrong =
      schema instanceof z.ZodCustom && schema.meta()?.type === 'integer' && Number.isInteger(Number(value.value))
    return isWrong && FLOAT.test(value.value)
      ? [{ at: toPath(path), expected: 'JSON Integer', actual: `the float ${value.value}` }]
      : []
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((entry, at) => findSpelledFloats(schema.element, entry, [...path, at]))
  }
  if (schema instanceof z.ZodObject && isObject(value)) {
    return Object.entries(schema.shape).flatMap(([name, member]) =>
      findSpelledFloats(member, value[name], [...path, name]),
    )
  }
  return []
}

const NOTHING: ShapeFindings = { faults: [], unknown: [] }

/** Holds a body to a schema of the contract, strictly as to types; `text` is what the body was read from. */
export function checkShape(schema: z.ZodType, body: unknown, text: string): ShapeFindings {
  const isSpelled = MAYBE_SPELLED.test(text)
  if (!isSpelled && guardOf(schema)(body)) return NOTHING
  const issues = schema.safeParse(body).error?.issues ?? []
  const wrong = issues.filter(({ code }) => code !== 'unrecognized_keys')
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => toPath([...issue.path, key])) : [],
  )
  const typed = wrong.map((issue) => ({
    at: issue.path.length === 0 ? 'body' : toPath(issue.path),
    expected: toExpected(issue),
    actual: show(valueAt(body, issue.path)),
  }))
  const spelled = isSpelled ? findSpelledFloats(schema, parseTexts(text), []) : []
  return { faults: [...typed, ...spelled], unknown }
}
