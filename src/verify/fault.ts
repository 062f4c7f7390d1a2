import { stringifyJson, toPath } from '../http/json.ts'
import { isEqualContent } from '../query/equal-content.ts'
import type { Fault } from './report.ts'

const LONGEST = 200

/** A value as a report shows it: JSON, abridged; `nothing` for what is not there. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = stringifyJson(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

interface ContentDifference {
  readonly path: readonly PropertyKey[]
  readonly expected: unknown
  readonly actual: unknown
}

/** The deepest place where two JSON values first differ. */
function findDifference(
  expected: unknown,
  actual: unknown,
  path: readonly PropertyKey[],
): ContentDifference | undefined {
  if (isEqualContent(expected, actual)) return undefined
  if (!isObject(expected) || !isObject(actual)) return { path, expected, actual }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const step = Array.isArray(expected) ? Number(name) : name
    const found = findDifference(expected[name], actual[name], [...path, step])
    if (found !== undefined) return found
  }
  return { path, expected, actual }
}

/** What a fault is about: a request as {@link Fault} tells it. */
type FaultSource = Pick<Fault, 'request'>

/** A fault that is told in words. */
export const fault = ({ request }: FaultSource, at: string, expected: string, actual: string): readonly Fault[] => [
  { request, at, expected, actual },
]

/** No fault where two JSON values say the same, else one that names where they first differ; `at` is a path in the body. */
export function compare(
  { request }: FaultSource,
  at: string | readonly PropertyKey[],
  expected: unknown,
  actual: unknown,
): readonly Fault[] {
  const found = findDifference(expected, actual, typeof at === 'string' ? [at] : at)
  if (found === undefined) return []
  return [{ request, at: toPath(found.path), expected: show(found.expected), actual: show(found.actual) }]
}
