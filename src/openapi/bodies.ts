import type { Endpoint } from '../contract/endpoint.ts'
import type { Content, RequestBodyObject } from './document-types.ts'
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
    const content: Content = {
      [JSON_TYPE]: { schema: schemas.toSchema(body.schema), example: examples.of(body.schema) },
    }
    return { description: summary, required: body.required, content }
  }
  // Bytes as they are have a media type and no type (OpenAPI 3.1.0, section 4.8.14.3).
  const content = body.contentTypes.map((type) => [type, { schema: { contentMediaType: type } }] as const)
  return { description: 'The image file', required: true, content: Object.fromEntries(content) }
}
