import type { HttpMethod } from './endpoint.ts'
import { endpoints, operationIds } from './endpoints.ts'
import type { OperationId } from './endpoints.ts'

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

type Rank = 0 | 1 | 2

/** Literal before prefixed before parameter: what is more particular is asked first (D24). */
const toRank = ({ literal, parameter }: Segment): Rank => (parameter === undefined ? 0 : literal === '' ? 2 : 1)

/** A parameter that is not last may be empty only with `[^/]*`; Hono takes `key=:key` for literal text. */
const toHonoSegment = ({ literal, parameter }: Segment): string =>
  parameter === undefined ? literal : literal === '' ? `:${parameter}` : `:${parameter}{${literal}[^/]*}`

const toExpression = ({ literal, parameter }: Segment): string =>
  parameter === undefined ? literal : literal === '' ? '[^/]+' : `${literal}[^/]*`

/** One path of the service, with the operation of each of its methods. */
export interface Path {
  /** As the specification writes it. */
  readonly template: string
  /** As Hono's router takes it. */
  readonly pattern: string
  readonly expression: RegExp
  /** What stands before a parameter in its own segment, by the parameter's name. */
  readonly prefixes: Readonly<Record<string, string>>
  readonly operations: ReadonlyMap<HttpMethod, OperationId>
  /** Of the segment where the paths part: literal 0, prefixed 1, parameter 2. */
  readonly rank: Rank
  /** Every method that it serves: HEAD works on every GET (D9). */
  readonly allowed: readonly string[]
}

/** Which segment the paths part at: `/{projectKey}/resource/…`. */
const PARTING = 2

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
    expression: new RegExp(`^/${segments.map(toExpression).join('/')}$`),
    prefixes: Object.fromEntries(segments.map(({ literal, parameter }) => [parameter ?? '', literal])),
    operations,
    rank: toRank(segments[PARTING] ?? { literal: '', parameter: undefined }),
    allowed: [...allowed, 'OPTIONS'],
  }
}

const rankOf = (template: string): string => parseTemplate(template).map(toRank).join('')

/** By code units: `localeCompare` would load the rules of a language, which takes milliseconds at the start. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Every path of the endpoint table, the most particular first: the order in which they must be registered. */
export const paths: readonly Path[] = [...new Set(operationIds.map((id) => endpoints[id].path))]
  .toSorted((a, b) => compareTexts(rankOf(a), rankOf(b)))
  .map(toPath)

const partingSegments = (rank: Rank): readonly string[] =>
  paths
    .filter((path) => path.rank === rank)
    .map(({ template }) => parseTemplate(template)[PARTING]?.literal)
    .filter((literal) => literal !== undefined)

const partingLiterals = new Set(partingSegments(0))
const partingPrefixes = partingSegments(1)

/** The rank of the most particular path that a request's path may be, so that nobody has to look further up. */
export function findRank(path: string): Rank {
  const second = path.indexOf('/', 1) + 1
  const parting = second && path.indexOf('/', second) + 1
  if (parting === 0) return 0
  const end = path.indexOf('/', parting)
  const segment = path.slice(parting, end === -1 ? path.length : end)
  if (partingLiterals.has(segment)) return 0
  return partingPrefixes.some((prefix) => segment.startsWith(prefix)) ? 1 : 2
}

/** The path of the table that a request's path is; undefined for one that is not in it. */
export const findPath = (path: string): Path | undefined => paths.find(({ expression }) => expression.test(path))
