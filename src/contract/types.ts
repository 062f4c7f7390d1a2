import type * as z from 'zod'
import type { Endpoint, Parameter } from './endpoint.ts'
import type { Endpoints, OperationId } from './endpoints.ts'
import type * as models from './models.ts'
import type * as results from './results.ts'

/** The same type, deeply read-only. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadonlyDeep<T[Name]> }
    : T

type ShapeOf<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>

/**
 * A resource with its identity, as the entries of `results` have it.
 *
 * @example
 * const response = await session.fetch('/acme/resource?limit=1')
 * const { results }: QueryResult = await response.json()
 */
export type Resource = ShapeOf<typeof models.resultEntry>

/**
 * What creates a resource, section 2 of the specification (ObjectTestTypeDraft); `key` is optional.
 *
 * @example const draft: ResourceDraft = { key: 'linen-shirt', objectTypeProperty: { arrayOfStringExample: ['linen'] } }
 */
export type ResourceDraft = ShapeOf<typeof models.objectTestTypeDraft>

/** A single resource in a response: with its identity only if `identity` is `body`. */
export type ObjectTestType = ShapeOf<typeof models.objectTestType>

/** An update: the version that it was made from, and its actions. */
export interface UpdateRequest {
  readonly version: number | bigint
  readonly actions: readonly UpdateAction[]
}

/** @example const action: UpdateAction = { action: 'changeSomeProperty', someProperty: 'mine' } */
export type UpdateAction = ShapeOf<typeof models.updateAction>

/** What the complex POST takes, section 2 of the specification. */
export type OutOfOrderPropertiesTestType = ShapeOf<typeof models.outOfOrderPropertiesTestType>

/** A page of the query: the first result's arrays, and the results. */
export type QueryResult = ShapeOf<typeof results.queryResult>
/** A page of the sorted query. */
export type PagedResult = ShapeOf<typeof results.pagedResult>
/** A page of the search, with facets if any were requested. */
export type SearchResult = ShapeOf<typeof results.searchResult>

/** The cart-shaped object, section 2 of the specification. */
export type Cart = ShapeOf<typeof models.cart>
/** A line of a {@link Cart}. */
export type LineItem = ShapeOf<typeof models.lineItem>
/** The variant in a {@link LineItem}. */
export type Variant = ShapeOf<typeof models.variant>
/** An amount in the smallest unit of its currency: 1999 with two fraction digits is 19.99. */
export type Money = ShapeOf<typeof models.money>

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

type Values<Parameters extends Readonly<Record<string, Parameter>>> = {
  readonly [Name in keyof Parameters]?: z.output<Parameters[Name]['schema']>
}

type BodyOf<E extends Endpoint> = E extends { readonly body: { readonly kind: 'image' } }
  ? Uint8Array<ArrayBuffer>
  : E extends { readonly body: { readonly schema: infer Schema extends z.ZodType } }
    ? z.output<Schema>
    : undefined

/** The input of an operation: decoded, checked and typed by its entry in the endpoint table. */
export interface Input<Id extends OperationId> {
  readonly path: Readonly<Record<ParameterNames<Endpoints[Id]['path']>, string>>
  readonly query: Values<Endpoints[Id]['query']>
  readonly families: {
    readonly [Name in keyof Endpoints[Id]['families']]: ReadonlyMap<string, readonly string[]>
  }
  readonly body: BodyOf<Endpoints[Id]>
  /** The body's JSON text as received; empty if there is none. */
  readonly text: string
  /** By their names in the table. */
  readonly headers: { readonly [Name in keyof Endpoints[Id]['headers']]: string }
}

/** The answer of an operation, without the headers that every response has. */
export interface Answer {
  readonly status: number
  /** JSON text, or bytes; undefined for none. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}
