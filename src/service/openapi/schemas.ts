import * as z from 'zod'
import { decisions } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { isJsonObject } from '../http/json.ts'

/** The numbers and titles of decisions. */
export interface Decided {
  readonly 'x-decision'?: readonly { readonly number: DecisionId; readonly title: string }[]
}

/** The extension that lists decisions; empty if there are none. */
export function toDecisions(ids: readonly (DecisionId | undefined)[]): Decided {
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? {} : { 'x-decision': known.map((number) => ({ number, title: decisions[number] })) }
}

/** A schema's metadata in the contract. */
interface SchemaFacts {
  readonly id?: string
  readonly decisions?: readonly DecisionId[]
  /** Documented in place of the schema: the contract validates the value against it in a later step. */
  readonly documentedAs?: z.core.$ZodType
  readonly [fact: string]: unknown
}

const factsOf = (schema: z.core.$ZodType): SchemaFacts => z.globalRegistry.get(schema) ?? {}

/** The bounds of each integer format. The 64-bit ones are `bigint`, which zod's JSON Schema does not support. */
const INTEGER_BOUNDS: Readonly<Record<string, JsonSchema>> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n },
}

/** Adds integer bounds to a schema and its subschemas. */
function withBounds<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(withBounds) as T & unknown[]
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withBounds<unknown>(value)]))
  const { type, format } = members
  const bounds = type === 'integer' && typeof format === 'string' ? INTEGER_BOUNDS[format] : undefined
  // Same members plus the bounds.
  return { ...members, ...bounds } as T
}

/**
 * Creates the schemas of one document by converting the contract's schemas to JSON Schema, which OpenAPI 3.1 uses
 * unchanged.
 */
export function createSchemas() {
  const named = new Map<string, JsonSchema>()

  function convert(root: z.core.$ZodType): JsonSchema {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(root, {
      io: 'input',
      // Exact numbers are checked by code, so their metadata contains their JSON Schema.
      unrepresentable: 'any',
      // Names are assigned here, because zod would put them under `$defs`.
      metadata: z.registry(),
      override({ zodSchema, jsonSchema }) {
        const { id, decisions = [], documentedAs, ...facts } = factsOf(zodSchema)
        const standIn = documentedAs ?? (id !== undefined && zodSchema !== root ? zodSchema : undefined)
        if (standIn !== undefined) {
          for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
          Object.assign(jsonSchema, toSchema(standIn))
          return
        }
        // The format is clearer than zod's regular expression.
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
        Object.assign(jsonSchema, facts, toDecisions(decisions))
      },
    })
    return withBounds<JsonSchema>(schema)
  }

  /** Converts a schema to JSON Schema. A named schema becomes a reference. */
  function toSchema(schema: z.core.$ZodType): JsonSchema {
    const { id } = factsOf(schema)
    if (id === undefined) return convert(schema)
    if (!named.has(id)) {
      // Ends the recursion of self-referencing schemas.
      named.set(id, {})
      named.set(id, convert(schema))
    }
    return { $ref: `#/components/schemas/${id}` }
  }

  return {
    toSchema,
    /** All named schemas referenced so far, directly or indirectly, by name. */
    components: (): Readonly<Record<string, JsonSchema>> =>
      Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

export type Schemas = ReturnType<typeof createSchemas>

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Reference {
  readonly $ref: string
}

export interface ParameterObject extends Decided {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly style?: 'form' | 'deepObject' | 'simple'
  readonly explode?: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface MediaType {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

export interface RequestBodyObject {
  readonly description: string
  readonly required: boolean
  readonly content: Readonly<Record<string, MediaType>>
}

/** Links that pass values of a response to other operations as parameters. */
export type DocumentLinks = Readonly<
  Record<
    string,
    {
      readonly operationId: OperationId
      /** Runtime expressions, for example `$response.body#/version`. */
      readonly parameters: Readonly<Record<string, string>>
      readonly description: string
    }
  >
>

export interface ResponseObject extends Decided {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
  readonly links?: DocumentLinks
}

export interface OperationObject extends Decided {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly { readonly oauth2: readonly string[] }[]
  readonly parameters: readonly (ParameterObject | Reference)[]
  readonly requestBody?: RequestBodyObject
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

const mapValues = (members: JsonSchema, map: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))

/** JSON Schema keywords that OpenAPI 3.0 lacks, with their closest equivalents. */
const replaced: Readonly<Record<string, (value: unknown) => JsonSchema>> = {
  const: (value) => ({ enum: [value] }),
  type: (value) => (Array.isArray(value) ? { anyOf: value.map((type: unknown) => ({ type })) } : { type: value }),
  patternProperties: (value) => ({
    additionalProperties: isJsonObject(value) ? Object.values(value).map(toSchema)[0] : {},
  }),
  propertyNames: () => ({}),
  contentMediaType: () => ({}),
  contentSchema: () => ({}),
}

/** Converts JSON Schema 2020-12 to an OpenAPI 3.0 schema object. */
function toSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toSchema)
  if (!isJsonObject(schema)) return schema
  // In 3.0, a reference cannot have siblings.
  if (schema['$ref'] !== undefined) return { $ref: schema['$ref'] }
  const members = Object.entries(schema).map(([keyword, value]): JsonSchema => {
    if (keyword === 'properties' && isJsonObject(value)) return { properties: mapValues(value, toSchema) }
    const replace = Object.hasOwn(replaced, keyword) ? replaced[keyword] : undefined
    if (replace !== undefined) return replace(value)
    const isData = keyword === 'enum' || keyword === 'default' || keyword.startsWith('x-')
    return { [keyword]: isData ? value : toSchema(value) }
  })
  return Object.assign({}, ...members) as JsonSchema
}

/** Converts all schemas in a part of the document. Examples are unchanged. */
function toPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toPart)
  if (!isJsonObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (name === 'schema') return [name, toSchema(value)]
      if (name === 'schemas' && isJsonObject(value)) return [name, mapValues(value, toSchema)]
      return [name, name === 'example' || name === 'examples' ? value : toPart(value)]
    }),
  )
}

/**
 * Converts the document to another version of OpenAPI. For 3.0, it omits what that version does not support: patterns for
 * parameter names such as `var.<name>`, and the schemas of JSON objects in a query.
 *
 * @param document OpenAPI 3.1
 */
export function toOpenApiVersion(
  document: { readonly info: { readonly summary: string; readonly license: { readonly name: string } } },
  version: OpenApiVersion,
): object {
  if (version === '3.1') return document
  const { info, ...others } = document
  const { summary: _summary, license, ...rest } = info
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, part]) => [name, toPart(part)])),
    openapi: '3.0.3',
    info: { ...rest, license: { name: license.name, url: 'https://opensource.org/license/mit' } },
  }
}

/** Supported OpenAPI versions. */
export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number]
