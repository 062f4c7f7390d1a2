import { TrieRouter } from 'hono/router/trie-router'
import { endpoints, operationIds } from './endpoints.ts'
import type { OperationId } from './endpoints.ts'
import { findTypoDistance } from '../util/did-you-mean.ts'
import type { HttpMethod } from './endpoint.ts'

/** A segment of a path template: literal text, a parameter, or a parameter behind literal text (`key={key}`). */
interface Segment {
  readonly literal: string
  readonly parameter: string | undefined
}

const SEGMENT = /^([^{]*)(?:\{(\w+)\})?$/

function parseTemplate(template: string): readonly Segment[] {
  return template
    .split('/')
    .slice(1)
    .map((text) => {
      const [, literal = '', parameter] = SEGMENT.exec(text) ?? []
      return { literal, parameter }
    })
}

/** Literal before prefixed before parameter: the more specific path is matched first (D24). */
const toRank = ({ literal, parameter }: Segment): number => (parameter === undefined ? 0 : literal === '' ? 2 : 1)

/** A prefixed parameter may be empty, which takes `[^/]*`; Hono reads `key=:key` as literal text. */
const toHonoSegment = ({ literal, parameter }: Segment): string =>
  parameter === undefined ? literal : literal === '' ? `:${parameter}` : `:${parameter}{${literal}[^/]*}`

/** One path of the service, with the operation of each of its methods. */
export interface Path {
  /** As the specification writes it. */
  readonly template: string
  /** As Hono's router takes it. */
  readonly pattern: string
  /** Its parameters, each with the length of the literal text in front of it. */
  readonly parameters: readonly { readonly name: string; readonly prefix: number }[]
  readonly operations: ReadonlyMap<HttpMethod, OperationId>
  /** Every method that it serves: HEAD works on every GET (D9). */
  readonly allowed: readonly string[]
}

/** Path parameters by their names in the specification. */
export type PathParameters = Readonly<Record<string, string>>

/** What the endpoint table has for a path. */
export interface FoundPath {
  readonly path: Path
  readonly parameters: PathParameters
}

function toPath(template: string): Path {
  const segments = parseTemplate(template)
  const operations = new Map(
    operationIds.filter((id) => endpoints[id].path === template).map((id) => [endpoints[id].method, id] as const),
  )
  const allowed = new Set<string>(operations.keys())
  if (allowed.has('GET')) allowed.add('HEAD')
  return {
    template,
    pattern: `/${segments.map(toHonoSegment).join('/')}`,
    parameters: segments.flatMap(({ literal, parameter }) =>
      parameter === undefined ? [] : [{ name: parameter, prefix: literal.length }],
    ),
    operations,
    allowed: [...allowed, 'OPTIONS'],
  }
}

const rankOf = (template: string): string => parseTemplate(template).map(toRank).join('')

/** By code units: `localeCompare` would load the rules of a language, which takes milliseconds at the start. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Every path of the endpoint table, the most specific first: the order in which they must be registered. */
export const paths: readonly Path[] = [...new Set(operationIds.map((id) => endpoints[id].path))]
  .toSorted((a, b) => compareTexts(rankOf(a), rankOf(b)))
  .map(toPath)

/** The parameters that Hono found and decoded, without the literal text in front of them. */
export function toPathParameters({ parameters }: Path, read: (name: string) => string | undefined): PathParameters {
  const found: Record<string, string> = {}
  for (const { name, prefix } of parameters) found[name] = (read(name) ?? '').slice(prefix)
  return found
}

const router = new TrieRouter<Path>()
for (const path of paths) router.add('ALL', path.pattern, path)

const readFrom = (found: PathParameters) => (name: string) => found[name]

const decodeAll = (found: PathParameters): PathParameters =>
  Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decodeURIComponent(value)]))

/** Finds a request's path in the endpoint table, with the app's router; undefined for an unknown path. */
export function findPath(asked: string): FoundPath | undefined {
  const [first] = router.match('ALL', asked)[0]
  if (first === undefined) return undefined
  const [path, found] = first
  // A TrieRouter returns values; other routers of Hono return indices.
  return { path, parameters: toPathParameters(path, readFrom(decodeAll(found as PathParameters))) }
}

/** A path that a request may have meant. */
interface Near {
  readonly path: string
  /** In letters. */
  readonly distance: number
}

/** A path may start with a region and a cloud provider. */
const BASE_URL_SEGMENTS = 2

/** Fills a template with the path's parameters. Undefined if a literal segment differs by more than a typo. */
function findNear(segments: readonly string[], template: string): Near | undefined {
  const wanted = template.split('/').slice(1)
  const extra = segments.length - wanted.length
  if (extra !== 0 && extra !== BASE_URL_SEGMENTS) return undefined
  const found = segments.slice(0, extra)
  let distance = 0
  for (const [index, want] of wanted.entries()) {
    const segment = segments[extra + index] ?? ''
    const [literal = '', parameter] = want.split('{')
    if (parameter === undefined) {
      const apart = findTypoDistance(segment, literal)
      if (apart === undefined) return undefined
      distance += apart
      found.push(literal)
    } else {
      if (segment === '' || !segment.startsWith(literal)) return undefined
      found.push(segment)
    }
  }
  return { path: `/${found.join('/')}`, distance }
}

/**
 * Finds the endpoint path that a mistyped path probably meant.
 *
 * @example findNearPath('/acme/resouce/1') // '/acme/resource/1'
 */
export function findNearPath(path: string): string | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const near = paths.map(({ template }) => findNear(segments, template)).filter((found) => found !== undefined)
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.path
}
