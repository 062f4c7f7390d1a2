import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import { toDecisions } from './decisions.ts'
import type { MediaType, Reference, ResponseObject } from './document-types.ts'
import type { ErrorResponses } from './errors.ts'
import type { Examples } from './examples.ts'
import { toHeaderReferences } from './headers.ts'
import { findLinks } from './links.ts'
import type { Schemas } from './schemas.ts'

function toMediaType(
  schema: NonNullable<ResponseSpec['schema']>,
  named: ResponseSpec['examples'],
  schemas: Schemas,
  examples: Examples,
): MediaType {
  if (named === undefined) return { schema: schemas.toSchema(schema), example: examples.of(schema) }
  const payloads = Object.keys(named).map((name) => {
    const summary = `The payload ${name}: \`Prefer: example=${name}\` asks the mock for it`
    return [name, { summary, value: examples.named(name) }] as const
  })
  return { schema: schemas.toSchema(schema), examples: Object.fromEntries(payloads) }
}

function toResponse(endpoint: Endpoint, response: ResponseSpec, schemas: Schemas, examples: Examples): ResponseObject {
  const links = findLinks(endpoint)
  const { description, schema, headers = [], decision } = response
  return {
    description,
    headers: toHeaderReferences(['X-Correlation-ID', ...headers]),
    ...(schema === undefined
      ? {}
      : { content: { 'application/json': toMediaType(schema, response.examples, schemas, examples) } }),
    ...(links === undefined ? {} : { links }),
    ...toDecisions([decision]),
  }
}

/** Every response of an operation, by status: its own, and the errors. */
export function toResponses(
  endpoint: Endpoint,
  errors: ErrorResponses,
  schemas: Schemas,
  examples: Examples,
): Readonly<Record<string, ResponseObject | Reference>> {
  const errorResponses = errors.of(endpoint)
  const own = Object.entries(endpoint.responses).filter(([status]) => !Object.hasOwn(errorResponses, status))
  const responses = own.map(
    ([status, response]) => [status, toResponse(endpoint, response, schemas, examples)] as const,
  )
  return { ...Object.fromEntries(responses), ...errorResponses }
}
