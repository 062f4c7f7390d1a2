import type * as z from 'zod'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Endpoints, OperationId } from '../../src/contract/endpoints.ts'
import type { Input, UpdateAction } from '../../src/contract/types.ts'

/** What openapi-typescript makes of the document, as far as types are compared with it. */
type Generated = {
  readonly [Id in OperationId]: {
    readonly parameters: { readonly query?: unknown; readonly path: unknown }
    readonly requestBody?: unknown
    readonly responses: unknown
  }
}

/** A type as JSON has it: no `bigint`, and neither `readonly` nor intersections in the way of a comparison. */
type Plain<T> = unknown extends T
  ? unknown
  : T extends bigint
    ? never
    : T extends readonly (infer Entry)[]
      ? Plain<Entry>[]
      : T extends object
        ? { -readonly [Name in keyof T]: Plain<T[Name]> }
        : T

/** Whether two types are the same: not merely assignable to each other, which forgives a missing optional member. */
// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- the compiler compares functions to the letter
type Equal<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false

/** An operation without a body has `never` for one. */
type JsonOf<Content> = [Content] extends [never]
  ? 'none'
  : Content extends { readonly content: { readonly 'application/json': infer Body } }
    ? Body
    : 'none'

type SchemaOf<Spec> = Spec extends { readonly schema: infer Schema extends z.ZodType } ? z.output<Schema> : 'none'

/** The document says more of a conflict than the table: which code it has, and that it tells the version. */
type ResponsesOf<Id extends OperationId> = Omit<Endpoints[Id]['responses'], 409>

type DoResponsesAgree<Id extends OperationId, Responses> = {
  [Status in keyof ResponsesOf<Id>]: Status extends keyof Responses
    ? Equal<JsonOf<Responses[Status]>, SchemaOf<ResponsesOf<Id>[Status]>>
    : false
}[keyof ResponsesOf<Id>]

/** The actions of an update are held to their names and fields by its handler, not by the table (D18). */
type BodyOf<Id extends OperationId> = Id extends 'updateResource'
  ? Omit<Input<Id>['body'], 'actions'> & { readonly actions: readonly UpdateAction[] }
  : Endpoints[Id] extends { readonly body: infer Body extends NonNullable<Endpoint['body']> }
    ? SchemaOf<Body>
    : 'none'

type DoesBodyAgree<Id extends OperationId, Body> = Equal<JsonOf<NonNullable<Body>>, BodyOf<Id>>

/** Query parameters that a URL holds in another form than a handler is given. */
type Encoded<Id extends OperationId> = 'unionParameter' | keyof Endpoints[Id]['families']

/** An operation without query parameters has `never` for them. */
type QueryOf<Query> = [NonNullable<Query>] extends [never] ? unknown : NonNullable<Query>

type DoesQueryAgree<Id extends OperationId, Query> = Equal<
  Omit<QueryOf<Query>, Encoded<Id>>,
  Omit<Input<Id>['query'], Encoded<Id>>
>

/**
 * `true` where the types that were generated from the document are those of the endpoint table: bodies, answers, query and
 * path of every operation; else what differs, by operation.
 */
export type Agreement<Operations extends Generated> = {
  [Id in OperationId]: {
    readonly path: Equal<Operations[Id]['parameters']['path'], Input<Id>['path']>
    readonly query: DoesQueryAgree<Id, Operations[Id]['parameters']['query']>
    readonly body: DoesBodyAgree<Id, Operations[Id]['requestBody']>
    readonly responses: DoResponsesAgree<Id, Operations[Id]['responses']>
  }
}

/** What an agreement has to be. */
export type Agreed = Readonly<Record<OperationId, Readonly<Record<'path' | 'query' | 'body' | 'responses', true>>>>
