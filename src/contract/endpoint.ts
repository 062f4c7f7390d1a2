import * as z from 'zod'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'

/** The scopes that the specification's section 5 knows, without their project. */
export type ScopeName = 'view_test' | 'manage_test' | 'manage_products'

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * A query parameter or header. The schema describes the value once it has been read: an array may be passed several times,
 * a number is a float, `int32` is an int.
 */
export interface Parameter {
  readonly schema: z.ZodType
  readonly required?: boolean
  /** Absent: the specification lists it. Present: a decision adds it. */
  readonly decision?: DecisionId
  /** The decision by which a parameter that the specification lists once may be repeated. */
  readonly repeatable?: DecisionId
  /** Accepted with a warning and ignored, even under `--strict` (D11). */
  readonly ignored?: true
  readonly description?: string
}

/** Parameters named by a pattern, such as `var.<name>`. */
export interface ParameterFamily {
  /** What every name of the family starts with, such as `var.`. */
  readonly prefix: string
  readonly pattern: RegExp
  /** Of one value; a family whose members may be passed several times has an array. */
  readonly schema: z.ZodType
  /** The decision by which a name with the prefix that does not match the pattern is refused, not just unknown (D4). */
  readonly othersRefused?: DecisionId
  readonly decision?: DecisionId
  readonly description?: string
}

export interface JsonBody {
  readonly kind: 'json'
  readonly schema: z.ZodType
  /** What `--strict` holds the body to instead. */
  readonly strict?: z.ZodType
  readonly required: boolean
}

export interface ImageBody {
  readonly kind: 'image'
  readonly contentTypes: readonly ImageType[]
}

/** The formats of the specification's sections 4.13 and 8. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif'

export interface ResponseSpec {
  readonly description: string
  /** Absent: the response has no body. */
  readonly schema?: z.ZodType
  /** Named payloads, by the fixture file that holds each. */
  readonly examples?: Readonly<Record<string, string>>
  /** Names of the response headers that belong to it. */
  readonly headers?: readonly ResponseHeaderName[]
  /** Present if the specification does not show this response. */
  readonly decision?: DecisionId
}

/**
 * What an operation does. OpenAPI tags and links, Pact states and the proxy's observations depend on it alone, so an endpoint
 * that does what another one does needs no entry there, and a new purpose does not compile without one.
 */
export type Purpose =
  | 'query'
  | 'check'
  | 'read'
  | 'draft'
  | 'update'
  | 'delete'
  | 'upload'
  | 'complex'
  | 'writePayload'
  | 'readPayload'
  | 'cart'
  | 'localisedCart'

/** One operation as data: routing, validation, documentation and verification read it. */
export interface Endpoint {
  /** Its number in the table of the specification's section 4; or the decision that adds it. */
  readonly number: number | DecisionId
  readonly method: HttpMethod
  /** As the specification writes it: `/{projectKey}/resource/key={key}`. */
  readonly path: `/{projectKey}/resource${string}`
  readonly summary: string
  readonly purpose: Purpose
  /** One of these is required; `anyToken`: any valid token is enough. */
  readonly scopes: readonly [ScopeName, ...ScopeName[]] | 'anyToken'
  readonly query: Readonly<Record<string, Parameter>>
  readonly families: Readonly<Record<string, ParameterFamily>>
  readonly headers: Readonly<Record<string, Parameter>>
  readonly body?: JsonBody | ImageBody
  readonly responses: Readonly<Record<number, ResponseSpec>>
  readonly decisions: readonly DecisionId[]
}

/** The members that a schema has at a path, to suggest one for a misspelt name. */
export function findMembers(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional) return findMembers(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => findMembers(option, path))
  const [step, ...rest] = path
  if (schema instanceof z.ZodArray) return findMembers(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  const shape: Readonly<Record<PropertyKey, z.core.$ZodType>> = schema.shape
  if (step === undefined) return Object.keys(shape)
  const member = shape[step]
  return member === undefined ? [] : findMembers(member, rest)
}

/** A header of responses, and its values. */
export interface ResponseHeader {
  readonly description: string
  readonly schema: z.ZodType
  readonly example: string
  /** Present if a response that documents it may omit it. */
  readonly optional?: true
  readonly decision?: DecisionId
}

const text = z.string().min(1)
const path = z.string().min(1).meta({ format: 'uri-reference' })
const count = z.string().regex(/^\d+$/)

/** Every header that the contract's responses name. */
export const responseHeaders = {
  'X-Correlation-ID': {
    description: 'That of the request, or one that was made',
    schema: z.string().regex(/^[A-Za-z0-9_-]{8,256}$/),
    example: 'checkout-7f3a',
  },
  ETag: {
    description: 'The version of the resource',
    schema: z.string().regex(/^"\d+"$/),
    example: '"3"',
    decision: decision('D5'),
  },
  Location: {
    description: 'Where the resource is',
    schema: path,
    example: '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f',
    decision: decision('D5'),
  },
  'Content-Location': {
    description: 'Where the resource is, however it was asked for',
    schema: path,
    example: '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f',
    decision: decision('D5'),
  },
  'Content-Language': {
    description: 'The locale of the cart, where it is in one',
    schema: text,
    example: 'de-DE',
    optional: true,
    decision: decision('D23'),
  },
  'WWW-Authenticate': {
    description: 'What the token lacks (RFC 6750, section 3)',
    schema: z.string().regex(/^Bearer /),
    example: 'Bearer realm="acme", error="invalid_token"',
    decision: decision('D33'),
  },
  'Retry-After': { description: 'Seconds after which to try again', schema: count, example: '1' },
  'RateLimit-Limit': { description: 'Requests of the whole span', schema: count, example: '5', optional: true },
  'RateLimit-Remaining': { description: 'Requests that are left', schema: count, example: '0', optional: true },
  'RateLimit-Reset': { description: 'Seconds until there are more', schema: count, example: '10', optional: true },
} as const satisfies Readonly<Record<string, ResponseHeader>>

export type ResponseHeaderName = keyof typeof responseHeaders

/** The headers that error answers have in addition to those of every answer, by status. */
export const errorHeaders: Readonly<Record<number, readonly ResponseHeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
}
