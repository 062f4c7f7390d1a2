import { isOperation, endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { findPath } from '../contract/paths.ts'
import type { PathParameters } from '../contract/paths.ts'
import { parseAddress } from '../http/address.ts'
import { findJson } from '../http/json.ts'
import { parseRawQuery } from '../http/query.ts'
import type { RawQuery } from '../http/query.ts'
import { createQueryDecoder } from '../contract/decode.ts'
import { compileConditions } from '../query/conditions.ts'
import { compileWhere } from '../query/where.ts'
import { toResource } from '../state/resource-record.ts'
import type { ResourceRecord } from '../state/resource-record.ts'
import type { JournalEntry, KeptBody } from '../journal/entry.ts'
import type { Input } from '../contract/handler.ts'
import type { Endpoint, ScopeName } from '../contract/endpoint.ts'

/** An exchange of the journal, read as the operation that it was. */
export interface ReadExchange {
  readonly entry: JournalEntry
  readonly operation: OperationId
  /** The service's own path, percent-encoded as it came. */
  readonly path: string
  readonly search: string
  readonly query: RawQuery
  readonly parameters: PathParameters
  /** Parsed; undefined if it is missing, was cut or is not JSON. */
  readonly requestJson: unknown
  readonly responseJson: unknown
}

/** The JSON of a body; undefined if it is missing, was cut or is not JSON. */
export const findBodyJson = (body: KeptBody | undefined): unknown =>
  body === undefined || body.isCut || body.encoding === 'base64' ? undefined : findJson(body.text)

/** Reads an entry; undefined for one that met no operation, or got no answer. */
export function findExchange(entry: JournalEntry): ReadExchange | undefined {
  const { operation, request, response } = entry
  if (!isOperation(operation) || response.status === 0) return undefined
  const { path, search } = parseAddress(request.url)
  return {
    entry,
    operation,
    path,
    search,
    query: parseRawQuery(search),
    parameters: findPath(path)?.parameters ?? {},
    requestJson: findBodyJson(request.body),
    responseJson: findBodyJson(response.body),
  }
}

const decode = createQueryDecoder(endpoints.checkResources)

/** The first of the records that a HEAD which answered 200 may have found: its answer does not show which it was. */
export async function findMatch(
  { query }: ReadExchange,
  records: AsyncIterable<ResourceRecord>,
): Promise<ResourceRecord | undefined> {
  // The decoder has held the query to the very entry of the table that this type is made from.
  const input = decode(query, () => undefined) as Pick<Input<'checkResources'>, 'query' | 'families'>
  const holds = compileConditions(input.query)
  const where = input.query.where === undefined ? undefined : compileWhere(input.query.where, input.families.var).holds
  let at = 0
  for await (const record of records) {
    const resource = toResource(record, at)
    if (holds?.(resource) !== false && where?.(resource) !== false) return record
    at += 1
  }
  return undefined
}

/** Whether the request was refused for its token, rather than by a scenario. */
export const isRefusedFor = (status: 401 | 403, { entry }: ReadExchange): boolean =>
  entry.response.status === status && entry.scenarios.length === 0

function chooseScope({ scopes }: Endpoint, isRefused: boolean): ScopeName {
  if (scopes === 'anyToken') return 'view_test'
  const isRead = scopes.includes('view_test')
  if (isRefused) return isRead ? 'manage_products' : 'view_test'
  return isRead ? 'view_test' : scopes[0]
}

/**
 * The scopes of the token that an exchange has to be sent with: the least that suffices, or, where it was answered with 403,
 * one that does not. Where it was answered with 401, no token does.
 */
export function toTokenScopes(exchange: ReadExchange): readonly string[] {
  if (isRefusedFor(401, exchange)) return []
  const { projectKey = '' } = exchange.parameters
  return [`${chooseScope(endpoints[exchange.operation], isRefusedFor(403, exchange))}:${projectKey}`]
}
