import { distance } from 'fastest-levenshtein'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { findServicePath, paths } from '../../service/contract/paths.ts'
import { show } from './value-patterns.ts'
import type { matchEntries, PatternDifference, RequestPattern } from './patterns.ts'
import { toTarget } from './target.ts'
import type { RedactedExchange } from './record.ts'

/** Whether a path has a segment like the one that all paths of the service have. */
const isRelated = (path: string): boolean =>
  path.split('/').some((segment) => distance(segment.toLowerCase(), 'resource') < 4)

/**
 * Relative edit distance of a path from a template such as `/{projectKey}/resource`, whose parameters accept any segment.
 * Literals are better than parameters, and the same number of segments is better than the same letters.
 */
function measurePath(path: string, template: string): number {
  const segments = path.split('/')
  const wanted = template.split('/')
  const nearest = wanted.map((one, at) => {
    const [literal = '', parameter] = one.split('{')
    const segment = segments[at] || one
    return parameter !== undefined && segment.startsWith(literal) ? segment : literal
  })
  const text = nearest.join('/')
  const surplus = Math.abs(segments.length - wanted.length) / 20 + template.split('/{').length / 100
  return Math.min(1, distance(path, text) / Math.max(path.length, text.length) + surplus)
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
  readonly entry: RedactedExchange
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

/** A wrong path cannot be split reliably into base URL and path: it may start with a version, or a region and a provider. */
const measure = (path: string, template: string): number =>
  Math.min(
    ...[0, 1, 2].map((count) => measurePath(path.split('/').toSpliced(1, count).join('/'), template) + count / 20),
  )

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
  if (!isRelated(path)) return misses
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
 * Finds up to three requests that almost match a pattern, those with the fewest failed conditions first. Of those with the
 * same number, earlier ones come first. Requests that match the pattern are left out.
 *
 * @throws {Problem} 400 if matching takes too long.
 */
export async function findNearRequests(
  pattern: RequestPattern,
  matched: ReturnType<typeof matchEntries>,
): Promise<readonly NearRequest[]> {
  let nearest: readonly Omit<NearRequest, 'message'>[] = []
  for await (const { entry, differences } of matched) {
    if (differences.length === 0) continue
    const distance = differences.length / pattern.checks.length
    nearest = [...nearest, { entry, distance, differences }].toSorted(byDistance).slice(0, MAX_MISSES)
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
