import { responseHeaders } from '../contract/response-headers.ts'
import type { ResponseHeader, ResponseHeaderName } from '../contract/response-headers.ts'
import { toDecisions } from './decisions.ts'
import type { Reference } from './document-types.ts'
import type { Schemas } from './schemas.ts'

/** Every header of the responses, by name. */
export function toHeaders({ toSchema }: Schemas) {
  const headers = Object.entries<ResponseHeader>(responseHeaders)
  return Object.fromEntries(
    headers.map(([name, { description, schema, example, optional, decision }]) => [
      name,
      { description, required: optional !== true, schema: toSchema(schema), example, ...toDecisions([decision]) },
    ]),
  )
}

export const toHeaderReferences = (names: readonly ResponseHeaderName[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
