import { MOST_ITEMS, MOST_MEMBERS, MOST_STRING } from '../http/json-limits.ts'
import type { JsonLimits } from '../http/json-limits.ts'
import { MOST_AT_ONCE, MOST_IN_ALL, createEffort } from '../query/effort.ts'
import type { Effort } from '../query/effort.ts'
import type { JournalEntry } from './entry.ts'
import { malformed, parseMembers } from './pattern-json.ts'
import { addressMembers, requestMembers, toCheckInput } from './request-checks.ts'
import type { RequestCheck } from './request-checks.ts'

/** One member in which a request is not what the pattern says. */
export interface Difference {
  /** Such as `method`, `headers.accept`, `bodyPatterns[0]`. */
  readonly member: string
  readonly expected: unknown
  /** `null`: there is none. */
  readonly actual: unknown
}

export interface MatchResult {
  readonly isMatch: boolean
  /** 0 for a match; the more of the pattern a request misses, the nearer to 1. */
  readonly distance: number
  /** In the order of the pattern's members. */
  readonly differences: readonly Difference[]
}

/** What the JSON of a pattern may hold: more than a body that the journal keeps. */
export const PATTERN_LIMITS: JsonLimits = {
  values: 40_000,
  nested: 10_000,
  members: MOST_MEMBERS,
  items: MOST_ITEMS,
  string: MOST_STRING,
}

/** What it takes to read a request, and to hold it against one check, as effort counts it. */
const REQUEST_COST = 1000
const CHECK_COST = 10

const createPatternEffort = (): Effort =>
  createEffort({
    tooMuch: {
      atOnce: `Malformed pattern: it takes more than ${MOST_AT_ONCE} steps on one request. Make its expressions and arrays simpler.`,
      inAll: `Malformed pattern: it takes more than ${MOST_IN_ALL} steps on the journal. Use contains in place of matches, or clear the journal.`,
    },
  })

/** A pattern of WireMock's for requests, ready to be held against entries. */
export interface RequestPattern {
  /** The JSON that it was parsed from. */
  readonly source: Readonly<Record<string, unknown>>
  readonly checks: readonly RequestCheck[]
  /** What everything that is looked at is counted with: one for a whole find, not one for each request. */
  readonly effort: Effort
}

/**
 * Parses a request pattern as WireMock's admin API takes it; all of its members must hold. `{}` holds for every
 * request. A regular expression must match the whole of a text, as WireMock's do.
 *
 * @param effort default: one of its own
 * @throws {Problem} 400 for an unknown member, a value of the wrong type, or a broken regular expression.
 * @example parsePattern({ method: 'POST', urlPath: '/acme/resource' })
 */
export function parsePattern(json: unknown, effort: Effort = createPatternEffort()): RequestPattern {
  const source = parseMembers(json, 'request', [...requestMembers.keys()])
  const addresses = Object.keys(source).filter((name) => addressMembers.includes(name))
  if (addresses.length > 1) {
    throw malformed('request', `has ${addresses.join(' and ')}, of which it may have one. Leave the others out.`)
  }
  const checks = [...requestMembers].flatMap(([name, parse]) =>
    source[name] === undefined ? [] : parse(source[name], name, effort),
  )
  return { source, checks, effort }
}

/**
 * Holds an entry against a pattern. What the journal has redacted is matched as redacted, so a token or a cookie can be
 * asked for (`{"matches": "Bearer .*"}`), not told from another.
 *
 * @throws {Problem} 400 where the pattern takes more than its effort allows.
 */
export function matches(pattern: RequestPattern, entry: JournalEntry): MatchResult {
  pattern.effort.spend(REQUEST_COST + CHECK_COST * pattern.checks.length)
  const input = toCheckInput(entry)
  let missed = 0
  let whole = 0
  const differences: Difference[] = []
  for (const { member, expected, weight, judge } of pattern.checks) {
    const { distance, actual } = judge(input)
    whole += weight
    missed += weight * distance
    if (distance > 0) differences.push({ member, expected, actual })
  }
  return { isMatch: differences.length === 0, distance: whole === 0 ? 0 : missed / whole, differences }
}
