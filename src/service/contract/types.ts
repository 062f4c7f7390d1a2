import type * as z from 'zod'
import type { Endpoint, Parameter } from './endpoint.ts'
import type { Endpoints, OperationId } from './endpoints.ts'
import type * as models from './models.ts'
import type * as results from './results.ts'

/** A deeply read-only version of a type. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadonlyDeep<T[Name]> }
    : T

type ShapeOf<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>

/**
 * A resource with its identity, as in the entries of `results`.
 *
 * @example
 * const response = await session.fetch('/acme/resource?limit=1')
 * const { results }: QueryResult = await response.json()
 */
export type Resource = ShapeOf<typeof models.resultEntry>

/**
 * The body that creates a resource, section 2 of the specification (ObjectTestTypeDraft); `key` is optional.
 *
 * @example const draft: ResourceDraft = { key: 'linen-shirt', objectTypeProperty: { arrayOfStringExample: ['linen'] } }
 */
export type ResourceDraft = ShapeOf<typeof models.objectTestTypeDraft>

/** A single resource in a response; it includes its identity only if `identity` is `body`. */
export type ObjectTestType = ShapeOf<typeof models.objectTestType>

/** An update: its actions, and the resource version that they are based on. */
export interface UpdateRequest {
  readonly version: number | bigint
  readonly actions: readonly UpdateAction[]
}

/** @example const action: UpdateAction = { action: 'changeSomeProperty', someProperty: 'mine' } */
export type UpdateAction = ShapeOf<typeof models.updateAction>

/** The body of the complex POST, section 2 of the specification. */
export type OutOfOrderPropertiesTestType = ShapeOf<typeof models.outOfOrderPropertiesTestType>

/** A page of query results, together with the first result's arrays. */
export type QueryResult = ShapeOf<typeof results.queryResult>
/** A page of sorted query results. */
export type PagedResult = ShapeOf<typeof results.pagedResult>
/** A page of search results, with facets if requested. */
export type SearchResult = ShapeOf<typeof results.searchResult>

/** The cart-shaped object, section 2 of the specification. */
export type Cart = ShapeOf<typeof models.cart>
/** A line item of a {@link Cart}. */
export type LineItem = ShapeOf<typeof models.lineItem>
/** The product variant of a {@link LineItem}. */
export type Variant = ShapeOf<typeof models.variant>
/** An amount in the smallest unit of its currency: with two fraction digits, 1999 means 19.99. */
export type Money = ShapeOf<typeof models.money>

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

type ParameterTypes<Parameters extends Readonly<Record<string, Parameter>>> = {
  readonly [Name in keyof Parameters]?: z.output<Parameters[Name]['schema']>
}

type HeaderValues<Headers extends Readonly<Record<string, Parameter>>> = {
  readonly [Name in keyof Headers]: Headers[Name]['required'] extends true ? string : string | undefined
}

type BodyOf<E extends Endpoint> = E extends { readonly body: { readonly kind: 'image' } }
  ? Uint8Array<ArrayBuffer>
  : E extends { readonly body: { readonly schema: infer Schema extends z.ZodType } }
    ? z.output<Schema>
    : undefined

/** The input of an operation, decoded, checked and typed according to its entry in the endpoint table. */
export interface Input<Id extends OperationId> {
  readonly path: Readonly<Record<ParameterNames<Endpoints[Id]['path']>, string>>
  readonly query: ParameterTypes<Endpoints[Id]['query']>
  readonly families: {
    readonly [Name in keyof Endpoints[Id]['families']]: ReadonlyMap<string, readonly string[]>
  }
  readonly body: BodyOf<Endpoints[Id]>
  /** The body's JSON text as received; empty without a body. */
  readonly text: string
  /** Keyed by the header names in the table. */
  readonly headers: HeaderValues<Endpoints[Id]['headers']>
}

/** An operation's response, without the headers common to all responses. */
export interface Answer {
  readonly status: number
  /** JSON text or bytes; undefined without a body. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}
