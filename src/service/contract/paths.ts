import { TrieRouter } from 'hono/router/trie-router'
import { endpoints, operationIds } from './endpoints.ts'
import type { OperationId } from './endpoints.ts'
import { decodePercent } from '../http/request-head.ts'
import { findTypoDistance } from '../../util/did-you-mean.ts'
import type { HttpMethod } from './endpoint.ts'

/** A segment of a path template: literal text, a parameter, or a parameter with a literal prefix (`key={key}`). */
interface Segment {
  readonly literal: string
  readonly parameter: string | undefined
}

const TEMPLATE_SEGMENT = /^([^{]*)(?:\{(\w+)\})?$/

function parseTemplate(template: string): readonly Segment[] {
  return template
    .split('/')
    .slice(1)
    .map((text) => {
      const [, literal = '', parameter] = TEMPLATE_SEGMENT.exec(text) ?? []
      return { literal, parameter }
    })
}

/**
 * Ranks literals before prefixed parameters before plain parameters, so that the most specific path matches first (D24).
 */
const toRank = ({ literal, parameter }: Segment): number => (parameter === undefined ? 0 : literal === '' ? 2 : 1)

/** Uses `[^/]*` because a prefixed parameter may be empty. `key=:key` would not work: Hono treats it as literal text. */
const toHonoSegment = ({ literal, parameter }: Segment): string =>
  parameter === undefined ? literal : literal === '' ? `:${parameter}` : `:${parameter}{${literal}[^/]*}`

/** A path of the service, with an operation for each method. */
export type Path = ReturnType<typeof toPathPattern>

/** Path parameters, by their names in the specification. */
export type PathParameters = Readonly<Record<string, string>>

function toPathPattern(template: string) {
  const segments = parseTemplate(template)
  const operations: ReadonlyMap<HttpMethod, OperationId> = new Map(
    operationIds.filter((id) => endpoints[id].path === template).map((id) => [endpoints[id].method, id]),
  )
  const allowed = new Set<string>(operations.keys())
  if (allowed.has('GET')) allowed.add('HEAD')
  return {
    /** The path as written in the specification. */
    template,
    /** The path in the syntax of Hono's router. */
    pattern: `/${segments.map(toHonoSegment).join('/')}`,
    /** The parameters, each with the length of its literal prefix. */
    parameters: segments.flatMap(({ literal, parameter }) =>
      parameter === undefined ? [] : [{ name: parameter, prefix: literal.length }],
    ),
    operations,
    /** All supported methods, including HEAD for every GET (D9). */
    allowed: [...allowed, 'OPTIONS'],
  }
}

const rankOf = (template: string): string => parseTemplate(template).map(toRank).join('')

/** Compares by code units: `localeCompare` would load locale data, which takes milliseconds at startup. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** All paths of the endpoint table, most specific first, which is the order in which they must be registered. */
export const paths: readonly Path[] = [...new Set(operationIds.map((id) => endpoints[id].path))]
  .toSorted((a, b) => compareTexts(rankOf(a), rankOf(b)))
  .map(toPathPattern)

/** Removes the literal prefixes from the parameters that Hono matched and decoded. */
export function toPathParameters({ parameters }: Path, read: (name: string) => string | undefined): PathParameters {
  const found: Record<string, string> = {}
  for (const { name, prefix } of parameters) found[name] = (read(name) ?? '').slice(prefix)
  return found
}

const router = new TrieRouter<Path>()
for (const path of paths) router.add('ALL', path.pattern, path)

/** Looks up a request's path in the endpoint table with the same routing as the app; undefined for an unknown path. */
export function findServicePath(requested: string): { path: Path; parameters: PathParameters } | undefined {
  const [first] = router.match('ALL', requested)[0]
  if (first === undefined) return undefined
  const [path, values] = first
  // A TrieRouter returns values; Hono's other routers return indices.
  const found = values as PathParameters
  const read = (name: string) => found[name] && decodePercent(found[name])
  return { path, parameters: toPathParameters(path, read) }
}

/** The base URL may include a region and a cloud provider. */
const BASE_URL_SEGMENTS = 2

/** Fills a template with the path's parameters; undefined if a literal segment differs by more than a typo. */
function findNearTemplate(
  segments: readonly string[],
  template: string,
): { path: string; distance: number } | undefined {
  const wanted = template.split('/').slice(1)
  const extra = segments.length - wanted.length
  if (extra !== 0 && extra !== BASE_URL_SEGMENTS) return undefined
  const found = segments.slice(0, extra)
  let distance = 0
  for (const [index, want] of wanted.entries()) {
    const segment = segments[extra + index] ?? ''
    const [literal = '', parameter] = want.split('{')
    if (parameter === undefined) {
      const typoDistance = findTypoDistance(segment, literal)
      if (typoDistance === undefined) return undefined
      distance += typoDistance
      found.push(literal)
    } else {
      if (segment === '' || !segment.startsWith(literal)) return undefined
      found.push(segment)
    }
  }
  return { path: `/${found.join('/')}`, distance }
}

/**
 * Finds the endpoint path that was probably meant by a mistyped path.
 *
 * @example findNearPath('/acme/resouce/1') // '/acme/resource/1'
 */
export function findNearPath(path: string): string | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const near = paths.map(({ template }) => findNearTemplate(segments, template)).filter((found) => found !== undefined)
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.path
}
