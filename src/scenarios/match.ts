import type { OperationId } from '../contract/endpoints.ts'
import type { RawQuery } from '../http/query.ts'
import { toPathGlob } from './path-glob.ts'
import type { Match } from './schema.ts'

/** What the `match` of a rule can look at. */
export interface MatchInput {
  /** Undefined for a request that meets no endpoint and is passed through. */
  readonly operation: OperationId | undefined
  readonly projectKey: string
  readonly method: string
  /** After session and base URL. */
  readonly path: string
  readonly query: RawQuery
  readonly headers: Headers
  /** The parsed JSON body; undefined if there is none, or it is not JSON. */
  readonly body: () => Promise<unknown>
}

/** Whether a rule matches a request. It is asynchronous only if it has to read the body. */
export type Matcher = (input: MatchInput) => boolean | Promise<boolean>

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T])

/** Each `*` takes as little as it can, so that no text takes long. */
function toTextGlob(glob: string): (text: string) => boolean {
  const [start = '', ...middle] = glob.split('*')
  const end = middle.pop()
  if (end === undefined) return (text) => text === start
  return function admits(text) {
    if (!text.startsWith(start) || !text.endsWith(end)) return false
    let at = start.length
    for (const part of middle) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= text.length - end.length
  }
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** A `bigint` and a number of the same value are one JSON number. */
const isSameNumber = (a: number | bigint, b: number | bigint): boolean => a === b || String(a) === String(b)

/**
 * Whether a value has at least what the pattern has: members of objects, as many entries of arrays in order, equal scalars. In a
 * string, `*` stands for any run of characters.
 */
export function includes(value: unknown, pattern: unknown): boolean {
  if (typeof pattern === 'string') return typeof value === 'string' && toTextGlob(pattern)(value)
  if (isNumber(pattern)) return isNumber(value) && isSameNumber(value, pattern)
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) && value.length === pattern.length && pattern.every((one, at) => includes(value[at], one))
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = value as Readonly<Record<string, unknown>>
  return Object.entries(pattern).every(([name, one]) => Object.hasOwn(members, name) && includes(members[name], one))
}

/** Compiles a rule's `match`, each part once. */
export function compileMatch(match: Match | undefined): Matcher {
  if (match === undefined) return () => true
  const checks: ((input: MatchInput) => boolean)[] = []
  if (match.operation !== undefined) {
    const operations = new Set<string>(listOf(match.operation))
    checks.push(({ operation = '' }) => operations.has(operation))
  }
  if (match.method !== undefined) {
    const methods = new Set<string>(listOf(match.method))
    checks.push(({ method }) => methods.has(method))
  }
  if (match.project !== undefined) {
    const admits = toTextGlob(match.project)
    checks.push(({ projectKey }) => admits(projectKey))
  }
  if (match.path !== undefined) {
    const admits = toPathGlob(match.path)
    checks.push(({ path }) => admits(path))
  }
  for (const [name, glob] of Object.entries(match.query ?? {})) {
    const admits = toTextGlob(glob)
    checks.push(({ query }) => query.get(name)?.some(admits) === true)
  }
  for (const [name, glob] of Object.entries(match.headers ?? {})) {
    const admits = toTextGlob(glob)
    checks.push(({ headers }) => {
      const value = headers.get(name)
      return value !== null && admits(value)
    })
  }
  const { body: pattern } = match
  return function matches(input) {
    if (!checks.every((admits) => admits(input))) return false
    return pattern === undefined || input.body().then((body) => includes(body, pattern))
  }
}
