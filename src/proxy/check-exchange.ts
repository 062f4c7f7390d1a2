import * as z from 'zod'
import type { Decoded } from '../contract/decode.ts'
import { decision } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { int64 } from '../contract/numbers.ts'
import { toDecided } from '../contract/violation.ts'
import type { Violation } from '../contract/violation.ts'
import { Problem } from '../errors.ts'
import { admitsType } from '../http/accept.ts'
import { parsePage } from '../query/page.ts'
import type { Page } from '../query/page.ts'
import type { PathParameters } from '../contract/paths.ts'

/** A request and its answer, as far as one is held to the other. */
export interface CheckedExchange {
  readonly operation: OperationId
  readonly parameters: PathParameters
  /** What the request says. */
  readonly decoded: Decoded
  readonly status: number
  readonly headers: Headers
  /** The answer's body, parsed. */
  readonly json: unknown
}

const page = z.looseObject({
  limit: int64,
  offset: int64,
  total: z.unknown().optional(),
  facets: z.unknown().optional(),
})
const resource = z.looseObject({ version: int64, id: z.string().optional() })
const conflict = z.looseObject({ errors: z.tuple([z.looseObject({ currentVersion: int64 })], z.unknown()) })
const update = z.looseObject({ version: int64, actions: z.array(z.unknown()) })

function findPage(query: Decoded['query']): Page | undefined {
  try {
    return parsePage(query)
  } catch (fault) {
    if (fault instanceof Problem) return undefined
    throw fault
  }
}

/** D14: facets are answered where they are asked for, by name. */
function checkFacets({ query }: Decoded, facets: unknown): readonly Violation[] {
  const asked = new Set(
    z
      .array(z.string())
      .safeParse(query['facet'])
      .data?.map((name) => name.trim()),
  )
  if (facets === undefined && asked.size === 0) return []
  const answered = Object.keys(z.looseObject({}).safeParse(facets).data ?? {})
  if (answered.length === asked.size && answered.every((name) => asked.has(name))) return []
  return [toDecided(decision('D14'), 'body.facets', 'the facets expected that were asked for, and no others')]
}

function checkPage({ operation, decoded, json }: CheckedExchange): readonly Violation[] {
  const { query }: Endpoint = endpoints[operation]
  const asked = query['limit'] === undefined ? undefined : findPage(decoded.query)
  const { data } = page.safeParse(json)
  if (asked === undefined || data === undefined) return []
  const id = query['limit']?.decision ?? decision('D20')
  const wrong = (['limit', 'offset'] as const).filter((name) => BigInt(data[name]) !== BigInt(asked[name]))
  const { total } = data
  return [
    ...wrong.map((name) => toDecided(id, `body.${name}`, `${asked[name]} expected, as asked for`)),
    ...(asked.withTotal && total === undefined ? [toDecided(id, 'body.total', 'Missing')] : []),
    ...(!asked.withTotal && total !== undefined
      ? [toDecided(id, 'body.total', 'not expected with withTotal=false')]
      : []),
    ...(query['facet'] !== undefined ? checkFacets(decoded, data.facets) : []),
  ]
}

/** An update raises the version by one, and one without actions changes nothing (D7). A deleted resource has the version asked for (D19). */
function findExpectedVersion({
  operation,
  decoded: { body, query },
}: CheckedExchange): [DecisionId, bigint] | undefined {
  const { purpose } = endpoints[operation]
  const changes = purpose === 'update' ? update.safeParse(body).data : undefined
  if (changes !== undefined) return [decision('D7'), BigInt(changes.version) + (changes.actions.length > 0 ? 1n : 0n)]
  const version = purpose === 'delete' ? int64.safeParse(query['version']).data : undefined
  return version === undefined ? undefined : [decision('D19'), BigInt(version)]
}

function checkResource(exchange: CheckedExchange): readonly Violation[] {
  const { data } = resource.safeParse(exchange.json)
  if (data === undefined) return []
  const { id } = exchange.parameters
  const [by, version] = findExpectedVersion(exchange) ?? []
  return [
    ...(by !== undefined && BigInt(data.version) !== version
      ? [toDecided(by, 'body.version', `${version} expected after this request`)]
      : []),
    ...(id !== undefined && data.id !== undefined && data.id !== id
      ? [toDecided(decision('D5'), 'body.id', 'the id of the path expected')]
      : []),
  ]
}

/** A conflict is one of two versions (specification 7). */
function checkConflict({ decoded: { body, query }, json }: CheckedExchange): readonly Violation[] {
  const current = conflict.safeParse(json).data?.errors[0].currentVersion
  const asked = update.safeParse(body).data?.version ?? query['version']
  const expected = int64.safeParse(asked).data
  if (current === undefined || expected === undefined || BigInt(current) !== BigInt(expected)) return []
  return [
    { path: 'body.errors[0].currentVersion', message: 'a version other than that of the request expected with 409.' },
  ]
}

/** The languages of two locales, of which one may be malformed. */
const toLanguage = (locale: string): string => locale.trim().toLowerCase().split(/[-_]/, 1)[0] ?? ''

/** A localised cart is in the language that was asked for, and is refused only where JSON is (D23). */
function checkCart({ decoded, status, headers }: CheckedExchange): readonly Violation[] {
  const { Accept: accept = '', 'Storefront-Locale': asked = '' } = decoded.headers
  if (status === 406) {
    if (!admitsType(accept, 'application/json')) return []
    return [toDecided(decision('D23'), 'status', `406 not expected, since Accept: ${accept} admits application/json`)]
  }
  const answered = headers.get('Content-Language')
  if (status >= 300 || answered === null) return []
  if (answered.split(',').some((one) => toLanguage(one) === toLanguage(asked))) return []
  return [toDecided(decision('D23'), 'headers.Content-Language', `a locale of the language of ${asked} expected`)]
}

/** Holds an answer to what was asked for: pages, facets, versions, ids, locales. */
export function checkExchange(exchange: CheckedExchange): readonly Violation[] {
  const { status, operation } = exchange
  if (endpoints[operation].purpose === 'localisedCart') return checkCart(exchange)
  if (status === 409) return checkConflict(exchange)
  if (status >= 300) return []
  return [...checkPage(exchange), ...checkResource(exchange)]
}
