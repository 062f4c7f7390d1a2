import { stringifyJson } from '../http/json.ts'
import { toPath } from '../http/json-faults.ts'
import { isEqualContent } from '../query/operands.ts'
import type { ProviderAnswer } from './provider.ts'
import { findContent, findVersion, memberOf } from './read-answer.ts'
import type { Fault } from './report.ts'

const LONGEST = 200

/** A value as a report shows it: JSON, abridged; `nothing` for what is not there. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = stringifyJson(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** Whether a value has members: an object or an array. */
export const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
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

/** A fault of an answer in words. */
export const fault = ({ request }: ProviderAnswer, at: string, expected: string, actual: string): readonly Fault[] => [
  { request, at, expected, actual },
]

/** That fault, unless a condition holds. */
export const faultUnless = (isRight: boolean, ...about: Parameters<typeof fault>): readonly Fault[] =>
  isRight ? [] : fault(...about)

/** No fault where two JSON values are equal, else one that names where they first differ; `at` is a path in the body. */
export function compare(
  { request }: ProviderAnswer,
  at: string | readonly PropertyKey[],
  expected: unknown,
  actual: unknown,
): readonly Fault[] {
  const found = findDifference(expected, actual, typeof at === 'string' ? [at] : at)
  if (found === undefined) return []
  return [{ request, at: toPath(found.path), expected: show(found.expected), actual: show(found.actual) }]
}

export const compareMember = (answer: ProviderAnswer, name: string, expected: unknown): readonly Fault[] =>
  compare(answer, name, expected, memberOf(answer.body, name))

export const compareHeader = (answer: ProviderAnswer, name: string, expected: unknown): readonly Fault[] =>
  compare(answer, name, expected, answer.headers.get(name) ?? undefined)

export const compareVersion = (answer: ProviderAnswer, expected: number): readonly Fault[] =>
  compare(answer, 'version', expected, findVersion(answer))

/** Compares the arrays of the resource that an answer is about. */
export const compareContent = (answer: ProviderAnswer, expected: unknown): readonly Fault[] =>
  compare(answer, 'objectTypeProperty', expected, findContent(answer))

/** A fault where a member of the body is not a text. */
export function findTextFaults(answer: ProviderAnswer, name: string, at = name, body = answer.body): readonly Fault[] {
  const value = memberOf(body, name)
  return faultUnless(typeof value === 'string', answer, at, 'a text', show(value))
}

/** A fault where the status is none of these. */
export const findStatusFaults = (answer: ProviderAnswer, ...statuses: readonly number[]): readonly Fault[] =>
  faultUnless(statuses.includes(answer.status), answer, 'status', statuses.join(' or '), String(answer.status))

/** A fault where the status is another one; where it is right, those that `find` finds. */
export const findFaultsIf = (answer: ProviderAnswer, status: number, find: () => readonly Fault[]): readonly Fault[] =>
  answer.status === status ? find() : findStatusFaults(answer, status)
