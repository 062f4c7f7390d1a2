import { endpoints, operationIds, TOKEN_OPERATION } from '../contract/endpoints.ts'
import type { CalledOperation } from '../contract/endpoints.ts'
import { findPart } from '../../util/find-part.ts'
import { isEverywhere, namesEverywhere } from './effect-table.ts'
import { isStarMatch, STAR, toPathGlob } from './path-glob.ts'
import { findCalledOperations, findOperations, selectsToken, toArray } from './schema.ts'
import { ADMIN_PATH, decodePercent, TOKEN_PATHS } from '../http/request-head.ts'
import type { RawQuery } from '../http/request-head.ts'
import type { Match, Rule } from './schema.ts'

/** The parts of a request that a rule's `match` can check. */
export interface MatchInput {
  /** Undefined for a request that matches no endpoint and is forwarded. */
  readonly operation: CalledOperation | undefined
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

const isJsonNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

/** Whether two JSON numbers are equal, even if one is a `bigint`. */
const isSameNumber = (a: number | bigint, b: number | bigint): boolean => a === b || String(a) === String(b)

/**
 * Whether a value matches a pattern. Objects may have additional members, arrays must have the same entries, and scalars
 * must be equal. In a string, `*` matches any characters.
 */
export function includes(value: unknown, pattern: unknown): boolean {
  if (typeof pattern === 'string') return typeof value === 'string' && toTextGlob(pattern)(value)
  if (isJsonNumber(pattern)) return isJsonNumber(value) && isSameNumber(value, pattern)
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
    const operations = new Set<string>(findCalledOperations(match.operation, undefined))
    checks.push(({ operation = '' }) => operations.has(operation))
  }
  if (match.method !== undefined) {
    const methods = new Set<string>(toArray(match.method))
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

const WILDCARD = /[*?]/

/** Whether a segment glob can match a text that starts with `prefix`. */
function canMatchPrefix(glob: string, prefix: string): boolean {
  const [literal = ''] = glob.split(WILDCARD)
  return literal.length === glob.length
    ? glob.startsWith(prefix)
    : prefix.startsWith(literal) || literal.startsWith(prefix)
}

/** Whether no request has such a segment: URL parsers resolve dots, and invalid encoding is rejected before scenarios. */
const isImpossible = (glob: string): boolean =>
  /^\.\.?$/.test(decodePercent(glob)) ||
  glob.split(WILDCARD).some((text) => text.includes('%') && decodePercent(text) === text)

/** The mock's own paths start with these, so they cannot be project keys. */
const OWN_NAMES = new Set([ADMIN_PATH.slice(1), '_pactSetup'])

/** Whether a segment of a glob can match one of a template. */
function canMatchSegment(glob: string, segment: string): boolean {
  if (glob === '' || isImpossible(glob)) return false
  const brace = segment.indexOf('{')
  if (brace === -1) return toPathGlob(glob)(segment)
  if (segment === '{projectKey}' && OWN_NAMES.has(decodePercent(glob))) return false
  return brace === 0 || canMatchPrefix(decodePercent(glob), segment.slice(0, brace))
}

/** Whether the segments of a glob can match those of a template path. */
const canMatch = (globs: readonly string[], template: string): boolean =>
  isStarMatch(
    globs.map((glob) => (glob === '**' ? STAR : glob)),
    template.split('/').slice(1),
    canMatchSegment,
  )

/** Operations whose path exactly matches the glob after the project key: a literal segment is never an `{id}` (D24). */
const findLiteral = (globs: readonly string[]): readonly CalledOperation[] =>
  operationIds.filter(
    (id) => endpoints[id].path.split('/').slice(2).join('/') === globs.slice(1).map(decodePercent).join('/'),
  )

/** Whether a rule's `path` glob can match an endpoint, optionally only one of the given operations. */
export function canMatchEndpoint(glob: string, called: readonly CalledOperation[] = operationIds): boolean {
  const [root, ...globs] = glob.split('/')
  if (root !== '') return root === '**'
  if (called.includes(TOKEN_OPERATION) && TOKEN_PATHS.some((template) => canMatch(globs, template))) return true
  const literal = globs[0] === '**' ? [] : findLiteral(globs)
  const reachable = literal.length > 0 ? literal : operationIds
  return called.some((id) => id !== TOKEN_OPERATION && reachable.includes(id) && canMatch(globs, endpoints[id].path))
}

/** Whether a path glob has no session prefix and can match a path that the mock does not handle itself. */
const isOtherPath = (glob: string): boolean =>
  /^(?:\/(?!@|(?:__admin|_pactSetup|oauth)(?:\/|$))|\*\*)/.test(decodePercent(glob))

/** Whether a rule applies to forwarded requests: it has a path, and no condition or effect that requires an endpoint. */
export const isForOtherPaths = ({ match = {}, effect }: Rule): boolean =>
  match.path !== undefined &&
  isOtherPath(match.path) &&
  match.operation === undefined &&
  match.project === undefined &&
  isEverywhere(effect)

/** Whether a rule applies to token requests: it names them, and its effect does not require an endpoint. */
export const isForToken = ({ match, effect }: Rule): boolean =>
  selectsToken(match?.operation, match?.method) && isEverywhere(effect)

/** Describes what is wrong with a rule whose path can never match; undefined if it can. */
function describeUnreachable(rule: Rule, hasPassthrough: boolean): string | undefined {
  const { path, operation, method } = rule.match ?? {}
  if (path === undefined || canMatchEndpoint(path, findCalledOperations(operation, method))) return undefined
  const isOther = isForOtherPaths(rule)
  if (isOther && hasPassthrough) return undefined
  const which = method === undefined ? '' : ' with this method'
  const expected = `an endpoint path${which} expected, such as /acme/resource/*, without session and base URL.`
  const remedy =
    operation === undefined && canMatchEndpoint(path, [TOKEN_OPERATION])
      ? ' To match the token endpoints, add "operation": "token".'
      : isOther
        ? ' To match paths of another service, start the mock with --passthrough <url>.'
        : hasPassthrough && isOtherPath(path)
          ? ` A rule for --passthrough paths must not have an operation or a project, and must have one of these effects: ${namesEverywhere.join(', ')}.`
          : ''
  return `${expected} Found ${JSON.stringify(path)}.${remedy}`
}

/** Finds why a rule can never apply, with the path of the member that is wrong; undefined if it can. */
export type FindUseless = (rule: Rule) => { readonly path: readonly string[]; readonly message: string } | undefined

/** @param hasPassthrough whether the mock forwards paths without an endpoint, so that rules may match them */
export const createFindUseless =
  (hasPassthrough: boolean): FindUseless =>
  (rule) => {
    const message = describeUnreachable(rule, hasPassthrough)
    if (message !== undefined) return { path: ['match', 'path'], message }
    const { operation, method } = rule.match ?? {}
    const isForTokenAlone = selectsToken(operation, method) && findOperations(operation, method).length === 0
    if (!isForTokenAlone || isForToken(rule)) return undefined
    return { path: ['effect'], message: `an effect for the token endpoints expected: ${namesEverywhere.join(', ')}.` }
  }
