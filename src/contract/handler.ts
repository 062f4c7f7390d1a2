import type * as z from 'zod'
import type { Endpoint, Parameter } from './endpoint.ts'
import type { Endpoints, OperationId } from './endpoints.ts'

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

/** What an operation is given: everything decoded, checked and typed from its entry in the endpoint table. */
export interface Input<Id extends OperationId> {
  readonly path: Readonly<Record<ParameterNames<Endpoints[Id]['path']>, string>>
  readonly query: Values<Endpoints[Id]['query']>
  readonly families: {
    readonly [Name in keyof Endpoints[Id]['families']]: ReadonlyMap<string, readonly string[]>
  }
  readonly body: BodyOf<Endpoints[Id]>
  /** The body's JSON text as it came; empty where there is none. */
  readonly text: string
  /** By the names that the table gives them. */
  readonly headers: { readonly [Name in keyof Endpoints[Id]['headers']]: string }
}

/** What an operation answers, before the headers that every response has are added. */
export interface Answer {
  readonly status: number
  /** JSON text, or bytes; undefined for none. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}
