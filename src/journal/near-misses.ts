import { distance } from 'fastest-levenshtein'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { findPath, paths } from '../contract/paths.ts'
import { show } from './value-patterns.ts'
import { matches } from './patterns.ts'
import type { Difference, RequestPattern } from './patterns.ts'
import { toTarget } from './target.ts'
import type { JournalEntry } from './record.ts'

/** What it costs that something else stands in a segment's place: as much as one too many and one missing. */
const OTHER = 2
/** What a parameter takes may be a literal misspelt: where one is near, it is likelier. */
const TAKEN = 0.2
/** How many characters of a segment are compared: none of the service's own is longer. */
const COMPARED = 100
/** A slash too many is a smaller slip than a whole segment. */
const toSurplusCost = (segment: string): number => (segment === '' ? 0.2 : 1)
/** Literal text is what a path is known by; a parameter is easily forgotten. */
const toMissingCost = (wanted: string): number => (wanted.startsWith('{') ? 1 : OTHER)

/** How far one segment is from one of a template: literal text by its letters, a parameter takes anything. */
function measureSegment(segment: string, wanted: string): number {
  const [literal = '', parameter] = wanted.split('{')
  if (parameter !== undefined && segment.startsWith(literal)) return segment === '' ? OTHER : TAKEN
  const apart = distance(segment.slice(0, COMPARED), literal) / Math.max(segment.length, literal.length, 1)
  return apart > 0.5 ? OTHER : apart
}

/**
 * How far a path is from a template such as `/{projectKey}/resource`, from near 0 to 1. Segments may differ, be missing
 * or be too many, whichever explains the path best (Wagner and Fischer, 1974).
 */
export function measurePath(path: string, template: string): number {
  // What goes deeper is far from every template anyway.
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
  /** More than 0, at most 1. */
  readonly distance: number
  readonly differences: readonly Difference[]
  /** A sentence with the remedy. */
  readonly message: string
}

/** An operation that a request nearly met. */
export interface NearOperation extends Miss {
  readonly operation: OperationId
}

/** A request that a pattern nearly matched. */
export interface NearRequest extends Miss {
  readonly entry: JournalEntry
}

/** What of a request decides which operation it meets. */
export interface RequestLine {
  readonly method: string
  /** Absolute, or path and query. */
  readonly url: string
}

/** As many as WireMock names. */
const MOST = 3

/** A path is harder to get right than a method. */
const PATH_SHARE = 10 / 13

/** How many characters of a path are compared and shown. */
const MOST_CHARACTERS = 1000

/** From here on a path has nothing to do with the service's. */
const FAR = 0.6

/** The path after a region and a cloud provider, if it is long enough to start with them. */
const toInnerPath = (path: string): string => /^\/[^/]*\/[^/]*(\/[^/]+\/.*)$/.exec(path)?.[1] ?? path

/** If the path is wrong, the base URL cannot be separated from it. */
const measure = (path: string, template: string): number =>
  Math.min(measurePath(path, template), measurePath(toInnerPath(path), template) + 0.05)

const byDistance = (a: Pick<Miss, 'distance'>, b: Pick<Miss, 'distance'>): number => a.distance - b.distance

/** Describes a wrong path or method in a sentence. */
function toMessage({ method }: RequestLine, path: string, id: OperationId, isPathKnown: boolean): string {
  const wrong = isPathKnown ? 'no such method on this path' : 'no such path'
  return `${method} ${path}: ${wrong}; nearest is ${endpoints[id].method} ${endpoints[id].path} (${id})`
}

/**
 * The operations that a request which met none has nearly met, at most three, the nearest first. None for a path that is
 * nothing like the service's own. If the path is right, only the operations of that path are compared (D24).
 *
 * @example findNearMisses(entry)[0]?.message // 'POST /acme/resources: no such path; nearest is POST /{projectKey}/resource …'
 */
export function findNearMisses({ request }: { readonly request: RequestLine }): readonly NearOperation[] {
  const { path: whole } = toTarget(request.url)
  const known = findPath(whole)?.path
  // No endpoint path is this long; the rest would only make the comparison slow.
  const path = whole.slice(0, MOST_CHARACTERS)
  const misses: NearOperation[] = []
  for (const { template, operations } of known === undefined ? paths : [known]) {
    const away = known === undefined ? measure(path, template) : 0
    if (away >= FAR) continue
    for (const [method, operation] of operations) {
      const differences: Difference[] = []
      if (method !== request.method) differences.push({ member: 'method', expected: method, actual: request.method })
      if (away > 0) differences.push({ member: 'path', expected: template, actual: path })
      if (differences.length === 0) continue
      misses.push({
        operation,
        distance: away * PATH_SHARE + (method === request.method ? 0 : 1 - PATH_SHARE),
        differences,
        message: toMessage(request, path, operation, known !== undefined),
      })
    }
  }
  return misses.toSorted(byDistance).slice(0, MOST)
}

/** `method: expected "PUT", was "POST"`, for each member. */
const explain = (differences: readonly Difference[]): string =>
  differences
    .map(({ member, expected, actual }) => `${member}: expected ${show(expected)}, was ${show(actual)}`)
    .join('; ')

/** Collects the requests that a pattern nearly matches, at most three. */
export interface NearRequests {
  /** Call it for each request, newest first: of requests that are equally near, the first one added comes first. */
  readonly add: (entry: JournalEntry) => void
  readonly nearest: () => readonly NearRequest[]
}

/**
 * Collects near misses; a request that matches the pattern is not one. Adding one throws a 400 if the pattern takes more
 * than its effort allows.
 */
export function collectNearRequests(pattern: RequestPattern): NearRequests {
  let nearest: readonly Omit<NearRequest, 'message'>[] = []
  const toMessage = ({ entry: { request }, differences }: Omit<NearRequest, 'message'>): string =>
    `${request.method} ${toTarget(request.url).sent} differs in ${explain(differences)}`
  return {
    add(entry) {
      const { isMatch, distance, differences } = matches(pattern, entry)
      if (!isMatch) nearest = [...nearest, { entry, distance, differences }].toSorted(byDistance).slice(0, MOST)
    },
    nearest: () => nearest.map((miss) => ({ ...miss, message: toMessage(miss) })),
  }
}
