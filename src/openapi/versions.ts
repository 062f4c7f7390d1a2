import type { JsonSchema } from './schemas.ts'
import type { OpenApiDocument } from './document.ts'

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (members: Members, map: (value: unknown) => unknown): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))

/** Keywords of JSON Schema that OpenAPI 3.0 does not have, and the nearest equivalents there. */
const replaced: Readonly<Record<string, (value: unknown) => JsonSchema>> = {
  const: (value) => ({ enum: [value] }),
  type: (value) => (Array.isArray(value) ? { anyOf: value.map((type: unknown) => ({ type })) } : { type: value }),
  patternProperties: (value) => ({
    additionalProperties: isMembers(value) ? Object.values(value).map(toSchema)[0] : {},
  }),
  propertyNames: () => ({}),
  contentMediaType: () => ({}),
  contentSchema: () => ({}),
}

/** A schema of JSON Schema 2020-12 as the schema object of OpenAPI 3.0. */
function toSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toSchema)
  if (!isMembers(schema)) return schema
  // There a reference may have no other members.
  if (schema['$ref'] !== undefined) return { $ref: schema['$ref'] }
  const members = Object.entries(schema).map(([keyword, value]): JsonSchema => {
    if (keyword === 'properties' && isMembers(value)) return { properties: mapValues(value, toSchema) }
    const replace = Object.hasOwn(replaced, keyword) ? replaced[keyword] : undefined
    if (replace !== undefined) return replace(value)
    const isData = keyword === 'enum' || keyword === 'default' || keyword.startsWith('x-')
    return { [keyword]: isData ? value : toSchema(value) }
  })
  return Object.assign({}, ...members) as JsonSchema
}

/** Turns every schema of a part of the document, and leaves the examples as they are. */
function toPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toPart)
  if (!isMembers(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (name === 'schema') return [name, toSchema(value)]
      if (name === 'schemas' && isMembers(value)) return [name, mapValues(value, toSchema)]
      return [name, name === 'example' || name === 'examples' ? value : toPart(value)]
    }),
  )
}

/**
 * Turns a document of OpenAPI 3.1 into one of 3.0.3. What 3.0 cannot say is left out: the patterns of the names of
 * parameters such as `var.<name>`, and the schema of an object that a query has as JSON.
 */
export function toVersion30({ info, ...document }: OpenApiDocument): object {
  const { summary: _summary, license, ...rest } = info
  const parts = Object.entries(document).map(([name, part]) => [name, toPart(part)] as const)
  return {
    ...Object.fromEntries(parts),
    openapi: '3.0.3',
    info: { ...rest, license: { name: license.name, url: 'https://opensource.org/license/mit' } },
  }
}

/** The versions of OpenAPI that the document is written in. */
export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number]

export const isOpenApiVersion = (text: string): text is OpenApiVersion => OPENAPI_VERSIONS.some((one) => one === text)

/** The document in a version of OpenAPI. */
export const toVersion = (document: OpenApiDocument, version: OpenApiVersion): object =>
  version === '3.0' ? toVersion30(document) : document

/** The error for an unknown version. */
export const toVersionSentence = (text: string): string =>
  `The document is not written in OpenAPI ${JSON.stringify(text)}. Ask for ${OPENAPI_VERSIONS.join(' or ')}.`
