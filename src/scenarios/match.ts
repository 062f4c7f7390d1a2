import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { isEverywhere, namesEverywhere } from './effect-table.ts'
import { findOperations } from './schema.ts'
import type { RawQuery } from '../http/address.ts'
import type { Match, Rule } from './schema.ts'

/** What stands for any run of items, however long. */
export const RUN = Symbol('run')

/**
 * Whether items are what a pattern says, part by part. After a run that was too short only the last one is made longer,
 * so that it never takes more steps than there are items times parts; a regular expression with many stars can take a
 * power of that.
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

/** One segment of a path, in which `*` stands for any characters and `?` for one. */
function toSegmentGlob(glob: string): (segment: string) => boolean {
  if (!/[*?]/.test(glob)) return (segment) => segment === glob
  const parts = glob.split('').map((character) => (character === '*' ? RUN : character))
  // A segment that is nothing but stars is there, and not empty.
  const least = parts.every((part) => part === RUN) ? 1 : 0
  return (segment) => segment.length >= least && fitsPattern(segment.split(''), parts, fitsCharacter)
}

/** Compiles a glob of paths: `*` stands for one segment or a part of it, `**` for any number, `?` for one character. */
export function toPathGlob(glob: string): (path: string) => boolean {
  const parts = glob.split('/').map((segment) => (segment === '**' ? RUN : toSegmentGlob(segment)))
  return (path) => fitsPattern(path.split('/'), parts, (segment, admits) => admits(segment))
}

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

const ANY = /[*?]/

/** Whether some text that begins with `prefix` may be one that a segment's glob admits. */
function admitsPrefix(glob: string, prefix: string): boolean {
  const [literal = ''] = glob.split(ANY)
  return literal.length === glob.length
    ? glob.startsWith(prefix)
    : prefix.startsWith(literal) || literal.startsWith(prefix)
}

/** Whether a segment's glob admits some text of a template's segment, such as `resource`, `{id}` or `key={key}`. */
function admitsSegment(glob: string, segment: string): boolean {
  if (glob === '') return false
  const brace = segment.indexOf('{')
  if (brace === -1) return toPathGlob(glob)(segment)
  return brace === 0 || admitsPrefix(glob, segment.slice(0, brace))
}

/** Whether a glob, segment by segment, admits some path of a template; `**` stands for any number of segments. */
function admits(globs: readonly string[], segments: readonly string[]): boolean {
  const parts = globs.map((glob) => (glob === '**' ? RUN : glob))
  return fitsPattern(segments, parts, (segment, glob) => admitsSegment(glob, segment))
}

/** Operations at a path without parameters but the project's: a literal segment is never an `{id}` (D24). */
const findLiteral = (globs: readonly string[]): readonly OperationId[] =>
  operationIds.filter((id) => endpoints[id].path.split('/').slice(2).join('/') === globs.slice(1).join('/'))

/** Whether the glob of a rule's `path` can meet the path of an endpoint: any, or one of these operations. */
export function canMeetEndpoint(glob: string, operations: readonly OperationId[] = operationIds): boolean {
  const [root, ...globs] = glob.split('/')
  if (root !== '') return root === '**'
  const literal = globs[0] === '**' ? [] : findLiteral(globs)
  if (literal.length > 0) return operations.some((id) => literal.includes(id))
  return operations.some((id) => admits(globs, endpoints[id].path.split('/').slice(1)))
}

/** A path that neither the mock answers itself nor a session's name is in front of. */
const isOtherPath = (glob: string): boolean => /^(?:\/(?!@|(?:__admin|_pactSetup|oauth)(?:\/|$))|\*\*)/.test(glob)

/** Whether a rule may act on requests that are passed through: one that names a path, and nothing that only endpoints have. */
export const isForOtherPaths = ({ match = {}, effect }: Rule): boolean =>
  match.path !== undefined &&
  isOtherPath(match.path) &&
  match.operation === undefined &&
  match.project === undefined &&
  isEverywhere(effect)

/** The first rule whose path it can never meet, and what is wrong with it; undefined if each may meet a request. */
export function findUnreachable(
  rules: readonly Rule[],
  hasPassthrough: boolean,
): { readonly at: number; readonly message: string } | undefined {
  for (const [at, rule] of rules.entries()) {
    const { path, operation, method } = rule.match ?? {}
    if (path === undefined || canMeetEndpoint(path, findOperations(operation, method))) continue
    const isOther = isForOtherPaths(rule)
    if (isOther && hasPassthrough) continue
    const which = method === undefined ? '' : ' with this method'
    const expected = `the path of an endpoint${which} expected, such as /acme/resource/*, without session and base URL.`
    const remedy = isOther
      ? ' For paths of another service, start the mock with --passthrough <url>.'
      : hasPassthrough && isOtherPath(path)
        ? ` A rule for paths of --passthrough has no operation and no project, and one of these effects: ${namesEverywhere.join(', ')}.`
        : ''
    return { at, message: `${expected} Found ${JSON.stringify(path)}.${remedy}` }
  }
  return undefined
}
