import { createDecoder } from '../contract/decode.ts'
import type { Decoded, DecodeOptions, Decoder } from '../contract/decode.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Answer } from '../contract/handler.ts'
import type { Path } from '../contract/paths.ts'
import { operations } from '../operations/operations.ts'
import type { Context, Operation } from '../operations/operation.ts'
import type { PathParameters } from './router.ts'

/** One entry of the endpoint table, ready to serve. */
export interface Served {
  readonly id: OperationId
  readonly endpoint: Endpoint
  readonly decode: Decoder
  readonly handle: (decoded: Decoded, path: PathParameters, context: Context) => Answer | Promise<Answer>
}

function createServed(id: OperationId, options: DecodeOptions): Served {
  const endpoint: Endpoint = endpoints[id]
  const handle = operations[id] as Operation<OperationId>
  return {
    id,
    endpoint,
    decode: createDecoder(endpoint, options),
    // The decoder has held the input to the very entry of the table that the input's type is made from.
    handle: ({ query, families, headers, body, text }, path, context) =>
      handle({ path, query, families, headers, body, text }, context),
  }
}

/** What a path serves, by method; HEAD is the GET's where it has no entry of its own (D9). */
export function createServedMethods({ operations: ids }: Path, options: DecodeOptions): ReadonlyMap<string, Served> {
  const served = new Map<string, Served>([...ids].map(([method, id]) => [method, createServed(id, options)]))
  const get = served.get('GET')
  if (get !== undefined && !served.has('HEAD')) served.set('HEAD', get)
  return served
}
