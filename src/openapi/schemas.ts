import * as z from 'zod'
import { decisions } from '../contract/decisions.ts'
import type { DecisionId } from '../contract/decisions.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** Names the decisions that something rests on, by number and title. */
export interface Decided {
  readonly 'x-decision'?: readonly { readonly number: DecisionId; readonly title: string }[]
}

/** The extension that names decisions; empty for none. */
export function toDecisions(ids: readonly (DecisionId | undefined)[]): Decided {
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? {} : { 'x-decision': known.map((number) => ({ number, title: decisions[number] })) }
}

/** The contract's metadata of a schema. */
interface SchemaFacts {
  readonly id?: string
  readonly decisions?: readonly DecisionId[]
  /** Shown instead of the schema: the contract checks a value against it in a later step. */
  readonly documentedAs?: z.core.$ZodType
  readonly [fact: string]: unknown
}

const factsOf = (schema: z.core.$ZodType): SchemaFacts => z.globalRegistry.get(schema) ?? {}

/** The bounds of each format. Those of 64 bits are `bigint`, which zod's own JSON Schema cannot have. */
const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n },
}

/** Adds the bounds of whole numbers to a schema and whatever is in it. */
function withBounds<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(withBounds) as T & unknown[]
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withBounds<unknown>(value)]))
  const { type, format } = members
  const bounds = type === 'integer' && typeof format === 'string' ? BOUNDS[format] : undefined
  // The same members as before, and the bounds.
  return { ...members, ...bounds } as T
}

const toReference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Creates the schemas of one document, which turn the contract's schemas into JSON Schema: OpenAPI 3.1 takes it as it is. */
export function createSchemas() {
  const named = new Map<string, JsonSchema>()

  function convert(root: z.core.$ZodType): JsonSchema {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(root, {
      io: 'input',
      // Code checks numbers that are exact to the digit; their facts have their JSON Schema.
      unrepresentable: 'any',
      // Names are given here rather than by zod, which would put them under `$defs`.
      metadata: z.registry(),
      override({ zodSchema, jsonSchema }) {
        const { id, decisions = [], documentedAs, ...facts } = factsOf(zodSchema)
        const standIn = documentedAs ?? (id !== undefined && zodSchema !== root ? zodSchema : undefined)
        if (standIn !== undefined) {
          for (const name of Object.keys(jsonSchema)) delete jsonSchema[name]
          Object.assign(jsonSchema, toSchema(standIn))
          return
        }
        // The format says the same, and better than zod's expression.
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
        Object.assign(jsonSchema, facts, toDecisions(decisions))
      },
    })
    return withBounds<JsonSchema>(schema)
  }

  /** The JSON Schema of a schema; that of a named one is a reference to it. */
  function toSchema(schema: z.core.$ZodType): JsonSchema {
    const { id } = factsOf(schema)
    if (id === undefined) return convert(schema)
    if (!named.has(id)) {
      // Ends recursion for a schema that refers to itself.
      named.set(id, {})
      named.set(id, convert(schema))
    }
    return toReference(id)
  }

  return {
    toSchema,
    /** Every named schema that was referred to so far, and those that it refers to, by name. */
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

/** Links from a result: its values as parameters of other operations. */
export type DocumentLinks = Readonly<
  Record<
    string,
    {
      readonly operationId: OperationId
      /** Runtime expressions, such as `$response.body#/version`. */
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

type JsonObject = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (members: JsonObject, map: (value: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))

/** Keywords of JSON Schema that OpenAPI 3.0 does not have, and the nearest equivalents there. */
const replaced: Readonly<Record<string, (value: unknown) => JsonObject>> = {
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
  const members = Object.entries(schema).map(([keyword, value]): JsonObject => {
    if (keyword === 'properties' && isMembers(value)) return { properties: mapValues(value, toSchema) }
    const replace = Object.hasOwn(replaced, keyword) ? replaced[keyword] : undefined
    if (replace !== undefined) return replace(value)
    const isData = keyword === 'enum' || keyword === 'default' || keyword.startsWith('x-')
    return { [keyword]: isData ? value : toSchema(value) }
  })
  return Object.assign({}, ...members) as JsonObject
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
 * The document in a version of OpenAPI. What 3.0 cannot say is left out: the patterns of the names of parameters such as
 * `var.<name>`, and the schema of an object that a query has as JSON.
 *
 * @param document of OpenAPI 3.1
 */
export function toVersion(
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

/** The versions of OpenAPI that the document is written in. */
export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number]
