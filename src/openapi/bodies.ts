import type { Endpoint } from '../contract/endpoint.ts'
import type { MediaTypes, RequestBodyObject } from './document-types.ts'
import type { Examples } from './examples.ts'
import type { Schemas } from './schemas.ts'

const JSON_TYPE = 'application/json'

/** The body that an operation takes; undefined for none. */
export function findRequestBody(
  { body, summary }: Endpoint,
  schemas: Schemas,
  examples: Examples,
): RequestBodyObject | undefined {
  if (body === undefined) return undefined
  if (body.kind === 'json') {
    const content: MediaTypes = {
      [JSON_TYPE]: { schema: schemas.toSchema(body.schema), example: examples.of(body.schema) },
    }
    return { description: summary, required: body.required, content }
  }
  // By JSON Schema the media type would do; generators make a Blob or a File of this, in 3.0 and 3.1 alike.
  const content = body.contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const)
  return { description: 'The image file', required: true, content: Object.fromEntries(content) }
}
