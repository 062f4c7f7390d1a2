import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { findPart } from '../../util/find-part.ts'
import { isEverywhere, namesEverywhere } from './effect-table.ts'
import { findOperations } from './schema.ts'
import type { RawQuery } from '../http/request-head.ts'
import type { Match, Rule } from './schema.ts'

/** Pattern part that matches any number of items. */
export const RUN = Symbol('run')

/**
 * Whether items match a pattern, part by part. Only the last run is extended when backtracking, so matching takes at most
 * items × parts steps; a regular expression with many stars can take exponentially many.
 *
 * @example fitsPattern([...'abc'], ['a', RUN], (item, part) => item === part) // true
 */
export function fitsPattern<Item, Part>(
  items: readonly Item[],
  parts: readonly (Part | typeof RUN)[],
  fits: (item: Item, part: Part) => boolean,
): boolean {
  let at = 0
  let next = 0
  let run: { readonly part: number; until: number } | undefined
  while (at < items.length) {
    const part = parts[next]
    if (part === RUN) {
      run = { part: next, until: at }
      next += 1
    } else if (part !== undefined && fits(items[at] as Item, part)) {
      at += 1
      next += 1
    } else if (run !== undefined) {
      run.until += 1
      at = run.until
      next = run.part + 1
    } else {
      return false
    }
  }
  return parts.slice(next).every((part) => part === RUN)
}

const ANY_CHARACTER = '?'

const fitsCharacter = (character: string, wanted: string): boolean => wanted === ANY_CHARACTER || character === wanted

/** Compiles one path segment of a glob: `*` matches any characters, `?` a single character. */
function toSegmentGlob(glob: string): (segment: string) => boolean {
  if (!/[*?]/.test(glob)) return (segment) => segment === glob
  const parts = glob.split('').map((character) => (character === '*' ? RUN : character))
  // A lone `*` does not match an empty segment.
  const least = parts.every((part) => part === RUN) ? 1 : 0
  return (segment) => segment.length >= least && fitsPattern(segment.split(''), parts, fitsCharacter)
}

/** Compiles a path glob: `*` matches within a segment, `**` any number of segments, `?` a single character. */
export function toPathGlob(glob: string): (path: string) => boolean {
  const parts = glob.split('/').map((segment) => (segment === '**' ? RUN : toSegmentGlob(segment)))
  return (path) => fitsPattern(path.split('/'), parts, (segment, matches) => matches(segment))
}

/** The parts of a request that a rule's `match` can check. */
export interface MatchInput {
  /** Undefined for a request that matches no endpoint and is forwarded. */
  readonly operation: OperationId | undefined
  readonly projectKey: string
  readonly method: string
  /** Without session and base URL. */
  readonly path: string
  readonly query: RawQuery
  readonly headers: Headers
  /** The parsed JSON body; undefined if there is no body or it is not JSON. */
  readonly body: () => Promise<unknown>
}

/** Whether a rule matches a request. Returns a promise only if it has to read the body. */
export type Matcher = (input: MatchInput) => boolean | Promise<boolean>

const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T])

/** Compiles a text glob. Each `*` matches as little as possible, so matching takes linear time. */
function toTextGlob(glob: string): (text: string) => boolean {
  const [start = '', ...middle] = glob.split('*')
  const end = middle.pop()
  if (end === undefined) return (text) => text === start
  return function matches(text) {
    if (!text.startsWith(start) || !text.endsWith(end)) return false
    let at = start.length
    for (const part of middle) {
      const found = findPart(text, part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= text.length - end.length
  }
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Whether two JSON numbers are equal, even if one is a `bigint`. */
const isSameNumber = (a: number | bigint, b: number | bigint): boolean => a === b || String(a) === String(b)

/**
 * Whether a value matches a pattern. Objects may have additional members, arrays must have the same entries, and scalars
 * must be equal. In a string, `*` matches any characters.
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

/** Compiles a rule's `match` so that each part is parsed only once. */
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
    const matches = toTextGlob(match.project)
    checks.push(({ projectKey }) => matches(projectKey))
  }
  if (match.path !== undefined) {
    const matches = toPathGlob(match.path)
    checks.push(({ path }) => matches(path))
  }
  for (const [name, glob] of Object.entries(match.query ?? {})) {
    const matches = toTextGlob(glob)
    checks.push(({ query }) => query.get(name)?.some(matches) === true)
  }
  for (const [name, glob] of Object.entries(match.headers ?? {})) {
    const matches = toTextGlob(glob)
    checks.push(({ headers }) => {
      const value = headers.get(name)
      return value !== null && matches(value)
    })
  }
  const { body: pattern } = match
  return function matches(input) {
    if (!checks.every((matches) => matches(input))) return false
    return pattern === undefined || input.body().then((body) => includes(body, pattern))
  }
}

const ANY = /[*?]/

/** Whether a segment glob can match a text that starts with `prefix`. */
function canMatchPrefix(glob: string, prefix: string): boolean {
  const [literal = ''] = glob.split(ANY)
  return literal.length === glob.length
    ? glob.startsWith(prefix)
    : prefix.startsWith(literal) || literal.startsWith(prefix)
}

/** Whether a segment glob can match a template segment, such as `resource`, `{id}` or `key={key}`. */
function canMatchSegment(glob: string, segment: string): boolean {
  if (glob === '') return false
  const brace = segment.indexOf('{')
  if (brace === -1) return toPathGlob(glob)(segment)
  return brace === 0 || canMatchPrefix(glob, segment.slice(0, brace))
}

/** Whether the segments of a glob can match a template path. */
function canMatch(globs: readonly string[], segments: readonly string[]): boolean {
  const parts = globs.map((glob) => (glob === '**' ? RUN : glob))
  return fitsPattern(segments, parts, (segment, glob) => canMatchSegment(glob, segment))
}

/** Operations whose path exactly matches the glob after the project key: a literal segment is never an `{id}` (D24). */
const findLiteral = (globs: readonly string[]): readonly OperationId[] =>
  operationIds.filter((id) => endpoints[id].path.split('/').slice(2).join('/') === globs.slice(1).join('/'))

/** Whether a rule's `path` glob can match an endpoint, optionally only one of the given operations. */
export function canMatchEndpoint(glob: string, operations: readonly OperationId[] = operationIds): boolean {
  const [root, ...globs] = glob.split('/')
  if (root !== '') return root === '**'
  const literal = globs[0] === '**' ? [] : findLiteral(globs)
  if (literal.length > 0) return operations.some((id) => literal.includes(id))
  return operations.some((id) => canMatch(globs, endpoints[id].path.split('/').slice(1)))
}

/** Whether a path glob has no session prefix and can match a path that the mock does not handle itself. */
const isOtherPath = (glob: string): boolean => /^(?:\/(?!@|(?:__admin|_pactSetup|oauth)(?:\/|$))|\*\*)/.test(glob)

/** Whether a rule applies to forwarded requests: it has a path, and no condition or effect that requires an endpoint. */
export const isForOtherPaths = ({ match = {}, effect }: Rule): boolean =>
  match.path !== undefined &&
  isOtherPath(match.path) &&
  match.operation === undefined &&
  match.project === undefined &&
  isEverywhere(effect)

/** Finds the first rule whose path can never match, and describes the error; undefined if every rule can match. */
export function findUnreachable(
  rules: readonly Rule[],
  hasPassthrough: boolean,
): { readonly at: number; readonly message: string } | undefined {
  for (const [at, rule] of rules.entries()) {
    const { path, operation, method } = rule.match ?? {}
    if (path === undefined || canMatchEndpoint(path, findOperations(operation, method))) continue
    const isOther = isForOtherPaths(rule)
    if (isOther && hasPassthrough) continue
    const which = method === undefined ? '' : ' with this method'
    const expected = `an endpoint path${which} expected, such as /acme/resource/*, without session and base URL.`
    const remedy = isOther
      ? ' To match paths of another service, start the mock with --passthrough <url>.'
      : hasPassthrough && isOtherPath(path)
        ? ` A rule for --passthrough paths must not have an operation or a project, and must have one of these effects: ${namesEverywhere.join(', ')}.`
        : ''
    return { at, message: `${expected} Found ${JSON.stringify(path)}.${remedy}` }
  }
  return undefined
}
