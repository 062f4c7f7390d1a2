import { isOperation } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { findPath } from '../contract/paths.ts'
import type { PathParameters } from '../contract/paths.ts'
import { parseAddress } from '../http/address.ts'
import { findJson } from '../http/json.ts'
import { parseRawQuery } from '../http/query.ts'
import type { RawQuery } from '../http/query.ts'
import type { JournalEntry, KeptBody } from '../journal/entry.ts'

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
