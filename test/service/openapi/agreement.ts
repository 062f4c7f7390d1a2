import type * as z from 'zod'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import type { Endpoints, OperationId } from '../../../src/service/contract/endpoints.ts'
import type { Input, UpdateAction } from '../../../src/service/contract/types.ts'

/** The types from openapi-typescript for the document, as far as they are compared. */
type Generated = {
  readonly [Id in OperationId]: {
    readonly parameters: { readonly query?: unknown; readonly path: unknown }
    readonly requestBody?: unknown
    readonly responses: unknown
  }
}

/** A JSON type: without `bigint`, `readonly` and intersections, which would disturb a comparison. */
type Plain<T> = unknown extends T
  ? unknown
  : T extends bigint
    ? never
    : T extends readonly (infer Entry)[]
      ? Plain<Entry>[]
      : T extends object
        ? { -readonly [Name in keyof T]: Plain<T[Name]> }
        : T

/** Whether two types are identical: mutual assignability would ignore a missing optional member. */
// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- the compiler compares functions literally
type Equal<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false

/** An operation without a body has `never` for one. */
type JsonOf<Content> = [Content] extends [never]
  ? 'none'
  : Content extends { readonly content: { readonly 'application/json': infer Body } }
    ? Body
    : 'none'

type SchemaOf<Spec> = Spec extends { readonly schema: infer Schema extends z.ZodType } ? z.output<Schema> : 'none'

/** The document describes a conflict in more detail than the table: its code and the current version. */
type ResponsesOf<Id extends OperationId> = Omit<Endpoints[Id]['responses'], 409>

type DoResponsesAgree<Id extends OperationId, Responses> = {
  [Status in keyof ResponsesOf<Id>]: Status extends keyof Responses
    ? Equal<JsonOf<Responses[Status]>, SchemaOf<ResponsesOf<Id>[Status]>>
    : false
}[keyof ResponsesOf<Id>]

/** The handler, not the table, validates the names and fields of an update's actions (D18). */
type BodyOf<Id extends OperationId> = Id extends 'updateResource'
  ? Omit<Input<Id>['body'], 'actions'> & { readonly actions: readonly UpdateAction[] }
  : Endpoints[Id] extends { readonly body: infer Body extends NonNullable<Endpoint['body']> }
    ? SchemaOf<Body>
    : 'none'

type DoesBodyAgree<Id extends OperationId, Body> = Equal<JsonOf<NonNullable<Body>>, BodyOf<Id>>

/** Query parameters with another form in a URL than in a handler. */
type Encoded<Id extends OperationId> = 'unionParameter' | keyof Endpoints[Id]['families']

/** An operation without query parameters has `never` for them. */
type QueryOf<Query> = [NonNullable<Query>] extends [never] ? unknown : NonNullable<Query>

type DoesQueryAgree<Id extends OperationId, Query> = Equal<
  Omit<QueryOf<Query>, Encoded<Id>>,
  Omit<Input<Id>['query'], Encoded<Id>>
>

/**
 * `true` if the types generated from the document match the endpoint table: bodies, responses, query and path of every
 * operation; else the differences, by operation.
 */
export type Agreement<Operations extends Generated> = {
  [Id in OperationId]: {
    readonly path: Equal<Operations[Id]['parameters']['path'], Input<Id>['path']>
    readonly query: DoesQueryAgree<Id, Operations[Id]['parameters']['query']>
    readonly body: DoesBodyAgree<Id, Operations[Id]['requestBody']>
    readonly responses: DoResponsesAgree<Id, Operations[Id]['responses']>
  }
}

/** The required result of the comparison. */
export type Agreed = Readonly<Record<OperationId, Readonly<Record<'path' | 'query' | 'body' | 'responses', true>>>>
