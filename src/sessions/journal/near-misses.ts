import { distance } from 'fastest-levenshtein'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { findServicePath, paths } from '../../service/contract/paths.ts'
import { show } from './value-patterns.ts'
import { matches } from './patterns.ts'
import type { PatternDifference, RequestPattern } from './patterns.ts'
import { toTarget } from './target.ts'
import type { JournalEntry } from './record.ts'

/** Cost of a substituted segment, the same as one surplus plus one missing segment. */
const SUBSTITUTION_COST = 2
/** Cost of a segment taken by a parameter. Not 0, because it may be a misspelled literal. */
const PARAMETER_COST = 0.2
/** Only this many characters of a segment are compared; the service's own segments are all shorter. */
const COMPARED_AT_ONCE = 100
/** A surplus slash is a smaller mistake than a surplus segment. */
const toSurplusCost = (segment: string): number => (segment === '' ? 0.2 : 1)
/** Literals identify a path; parameters are easily forgotten. */
const toMissingCost = (wanted: string): number => (wanted.startsWith('{') ? 1 : SUBSTITUTION_COST)

/** Distance of a segment from a template segment: literals by edit distance; parameters accept anything. */
function measureSegment(segment: string, wanted: string): number {
  const [literal = '', parameter] = wanted.split('{')
  if (parameter !== undefined && segment.startsWith(literal)) return segment === '' ? SUBSTITUTION_COST : PARAMETER_COST
  const relative = distance(segment.slice(0, COMPARED_AT_ONCE), literal) / Math.max(segment.length, literal.length, 1)
  return relative > 0.5 ? SUBSTITUTION_COST : relative
}

/**
 * Edit distance of a path from a template such as `/{projectKey}/resource`, normalized to the range from 0 to 1. Segments
 * can be substituted, missing or surplus (Wagner and Fischer, 1974).
 */
export function measurePath(path: string, template: string): number {
  // Deeper paths are far from every template anyway.
  const segments = path.split('/').slice(1, 40)
  const wanted = template.split('/').slice(1)
  let row = [0]
  for (const one of wanted) row.push((row.at(-1) ?? 0) + toMissingCost(one))
  for (const segment of segments) {
    const above = row
    row = [(above[0] ?? 0) + toSurplusCost(segment)]
    for (const [index, one] of wanted.entries()) {
      const replaced = (above[index] ?? 0) + measureSegment(segment, one)
      const surplus = (above[index + 1] ?? 0) + toSurplusCost(segment)
      const missing = (row[index] ?? 0) + toMissingCost(one)
      row.push(Math.min(replaced, surplus, missing))
    }
  }
  return Math.min(1, (row.at(-1) ?? 0) / Math.max(segments.length, wanted.length))
}

interface Miss {
  readonly distance: number
  readonly differences: readonly PatternDifference[]
  /** A sentence that shows the expected values. */
  readonly message: string
}

/** An operation that a request almost matched. */
export interface NearOperation extends Miss {
  readonly operation: OperationId
}

/** A request that almost matched a pattern. */
export interface NearRequest extends Miss {
  readonly entry: JournalEntry
}

/** The parts of a request that determine its operation. */
export interface RequestLine {
  readonly method: string
  /** Absolute, or path and query. */
  readonly url: string
}

/** The same number as in WireMock. */
const MAX_MISSES = 3

/** Weight of the path in the distance, as paths are harder to get right than methods. */
const PATH_SHARE = 10 / 13

/** Only this many characters of a path are compared and shown. */
const LONGEST_COMPARED = 1000

/** Paths at this distance or more are unrelated to the service's. */
const UNRELATED_DISTANCE = 0.6

/** Removes a region and a cloud provider from the start of a long enough path. */
const toInnerPath = (path: string): string => /^\/[^/]*\/[^/]*(\/[^/]+\/.*)$/.exec(path)?.[1] ?? path

/** A wrong path cannot be split reliably into base URL and path, so both ways are tried. */
const measure = (path: string, template: string): number =>
  Math.min(measurePath(path, template), measurePath(toInnerPath(path), template) + 0.05)

const byDistance = (a: Pick<Miss, 'distance'>, b: Pick<Miss, 'distance'>): number => a.distance - b.distance

/**
 * Finds up to three operations that an unmatched request almost matched, nearest first. Returns none for an unrelated path.
 * If the path is right, only the operations of that path are compared (D24).
 *
 * @example findNearMisses(entry)[0]?.message // 'POST /acme/resources: no such path; nearest is …'
 */
export function findNearMisses({ request }: { readonly request: RequestLine }): readonly NearOperation[] {
  const { path: whole } = toTarget(request.url)
  const known = findServicePath(whole)?.path
  // All endpoint paths are shorter; comparing the rest would only take time.
  const path = whole.slice(0, LONGEST_COMPARED)
  const misses: NearOperation[] = []
  for (const { template, operations } of known === undefined ? paths : [known]) {
    const pathDistance = known === undefined ? measure(path, template) : 0
    if (pathDistance >= UNRELATED_DISTANCE) continue
    for (const [method, operation] of operations) {
      const differences: PatternDifference[] = []
      if (method !== request.method) differences.push({ member: 'method', expected: method, actual: request.method })
      if (pathDistance > 0) differences.push({ member: 'path', expected: template, actual: path })
      if (differences.length === 0) continue
      const wrong = known !== undefined ? 'method not supported on this path' : 'no such path'
      misses.push({
        operation,
        distance: pathDistance * PATH_SHARE + (method === request.method ? 0 : 1 - PATH_SHARE),
        differences,
        message: `${request.method} ${path}: ${wrong}; nearest is ${endpoints[operation].method} ${endpoints[operation].path} (${operation})`,
      })
    }
  }
  return misses.toSorted(byDistance).slice(0, MAX_MISSES)
}

/**
 * Finds up to three requests that almost match a pattern, nearest first. Of those at the same distance, earlier entries come
 * first. Requests that match the pattern are left out.
 *
 * @throws {Problem} 400 if matching takes too many steps.
 */
export async function findNearRequests(
  pattern: RequestPattern,
  entries: AsyncIterable<JournalEntry>,
): Promise<readonly NearRequest[]> {
  let nearest: readonly Omit<NearRequest, 'message'>[] = []
  for await (const entry of entries) {
    const { isMatch, distance, differences } = await matches(pattern, entry)
    if (!isMatch) nearest = [...nearest, { entry, distance, differences }].toSorted(byDistance).slice(0, MAX_MISSES)
  }
  return nearest.map((miss) => {
    const { request } = miss.entry
    return {
      ...miss,
      message: `${request.method} ${toTarget(request.url).sent} differs in ${miss.differences
        .map(({ member, expected, actual }) => `${member}: expected ${show(expected)}, was ${show(actual)}`)
        .join('; ')}`,
    }
  })
}
