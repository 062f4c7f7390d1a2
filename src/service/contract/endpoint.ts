import * as z from 'zod'
import { CORRELATION_ID } from '../http/request-head.ts'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'

/** The scopes defined in section 5 of the specification, without the project key. */
export type ScopeName = 'view_test' | 'manage_test' | 'manage_products'

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The decision on what values mean, and those that a service accepts whatever they mean to it. */
export interface DecidedValues {
  readonly by: DecisionId
  readonly except?: RegExp
}

/**
 * A query parameter or header. The schema applies to the parsed value: an array means that the parameter may be repeated, a
 * number is a float, and `int32` is an integer.
 */
export interface Parameter {
  readonly schema: z.ZodType
  readonly required?: boolean
  /** The decision that adds the parameter; absent if the specification lists it. */
  readonly decision?: DecisionId
  /** The decision that allows a parameter to be repeated, although the specification does not. */
  readonly repeatable?: DecisionId
  /** The parameter is ignored with a warning, even under `--strict` (D11). */
  readonly ignored?: true
  /** Present if the specification shows only the type of its values. */
  readonly values?: DecidedValues
  readonly description?: string
}

/** Preconditions of writes to a resource (RFC 9110, section 13.1). */
export const preconditions = {
  'If-Match': {
    schema: z.string(),
    decision: decision('D5'),
    description: 'The version that the resource must have, such as `"3"`, or `*` if it must exist',
  },
  'If-None-Match': {
    schema: z.string(),
    decision: decision('D5'),
    description: '`*` if the resource must not exist, or a version that it must not have, such as `"3"`',
  },
} as const satisfies Record<string, Parameter>

/** Parameters whose names match a pattern, such as `var.<name>`. */
export interface ParameterFamily {
  /** The common prefix of the names, such as `var.`. */
  readonly prefix: string
  readonly pattern: RegExp
  /** The schema of a single parameter; an array if parameters may be repeated. */
  readonly schema: z.ZodType
  /**
   * The decision to reject a name that has the prefix but does not match the pattern, instead of treating it as unknown
   * (D4).
   */
  readonly othersRefused?: DecisionId
  readonly decision?: DecisionId
  /** Present if the specification shows only the type of its values. */
  readonly values?: DecidedValues
  readonly description?: string
}

export interface JsonBody {
  readonly kind: 'json'
  readonly schema: z.ZodType
  /** The schema used under `--strict` instead. */
  readonly strict?: z.ZodType
  readonly required: boolean
}

export interface ImageBody {
  readonly kind: 'image'
  readonly contentTypes: readonly ImageType[]
}

/** The image formats in sections 4.13 and 8 of the specification. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif'

export interface ResponseSpec {
  readonly description: string
  /** Absent if the response has no body. */
  readonly schema?: z.ZodType
  /** The fixture file of each named example payload. */
  readonly examples?: Readonly<Record<string, string>>
  /** The names of the response's headers. */
  readonly headers?: readonly ResponseHeaderName[]
  /** Present if the specification does not define this response. */
  readonly decision?: DecisionId
  /** The specification names at least the status. */
  readonly namesStatus?: true
}

/**
 * The purpose of an operation. OpenAPI tags and links, Pact states, a resource's history, the lag of reads and the proxy's
 * observations depend only on it. An endpoint with an existing purpose therefore needs no changes there, and a new purpose
 * does not compile until they support it.
 */
export type Purpose =
  | 'query'
  | 'search'
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

/** Defines an operation as data that routing, validation, documentation and verification use. */
export interface Endpoint {
  /** Its number in the table of the specification's section 4, or the decision that adds it. */
  readonly number: number | DecisionId
  readonly method: HttpMethod
  /** As written in the specification: `/{projectKey}/resource/key={key}`. */
  readonly path: `/{projectKey}/resource${string}`
  readonly summary: string
  readonly purpose: Purpose
  /** Any one of these scopes is required; `anyToken` accepts any valid token. */
  readonly scopes: readonly [ScopeName, ...ScopeName[]] | 'anyToken'
  /** The decision on the scopes; absent if section 5 of the specification names them. */
  readonly scopesDecision?: DecisionId
  readonly query: Readonly<Record<string, Parameter>>
  readonly families: Readonly<Record<string, ParameterFamily>>
  readonly headers: Readonly<Record<string, Parameter>>
  readonly body?: JsonBody | ImageBody
  readonly responses: Readonly<Record<number, ResponseSpec>>
  readonly decisions: readonly DecisionId[]
}

/** The member names of the object at a path in a schema, used for suggestions. */
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

/** A response header and the schema of its values. */
export interface ResponseHeader {
  readonly description: string
  readonly schema: z.ZodType
  readonly example: string
  /** Present if a response that documents the header may omit it. */
  readonly optional?: true
  readonly decision?: DecisionId
}

const headerText = z.string().min(1)
const pathTemplate = z.string().min(1).meta({ format: 'uri-reference' })
const countText = z.string().regex(/^\d+$/)

/** All headers that the contract's responses reference. */
export const responseHeaders = {
  'X-Correlation-ID': {
    description: 'The correlation id of the request, or a generated one',
    schema: z.string().regex(CORRELATION_ID),
    example: 'checkout-7f3a',
  },
  'X-Content-Type-Options': {
    description: 'Tells browsers to use the declared media type',
    schema: z.literal('nosniff'),
    example: 'nosniff',
  },
  ETag: {
    description: 'The version of the resource',
    schema: z.string().regex(/^"\d+"$/),
    example: '"3"',
    decision: decision('D5'),
  },
  Location: {
    description: 'The path of the resource',
    schema: pathTemplate,
    example: '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f',
    decision: decision('D5'),
  },
  'Content-Location': {
    description: 'The path of the resource, regardless of the request path',
    schema: pathTemplate,
    example: '/acme/resource/df3775a4-90ef-4965-b751-d48698f3949f',
    decision: decision('D5'),
  },
  'Content-Language': {
    description: 'The locale of the cart, if it has one',
    schema: headerText,
    example: 'de-DE',
    optional: true,
    decision: decision('D23'),
  },
  'WWW-Authenticate': {
    description: 'The reason for rejecting the token (RFC 6750, section 3)',
    schema: z.string().regex(/^Bearer /),
    example: 'Bearer realm="acme", error="invalid_token"',
    decision: decision('D33'),
  },
  'Retry-After': { description: 'Seconds to wait before retrying', schema: countText, example: '1' },
  'RateLimit-Limit': {
    description: 'Maximum number of requests in the time window',
    schema: countText,
    example: '5',
    optional: true,
  },
  'RateLimit-Remaining': {
    description: 'Remaining number of requests',
    schema: countText,
    example: '0',
    optional: true,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the limit resets',
    schema: countText,
    example: '10',
    optional: true,
  },
} as const satisfies Readonly<Record<string, ResponseHeader>>

export type ResponseHeaderName = keyof typeof responseHeaders

/** The documented headers common to all responses. */
const commonHeaders: readonly ResponseHeaderName[] = ['X-Correlation-ID', 'X-Content-Type-Options']

/** Additional headers of error responses, by status. */
const errorHeaders: Readonly<Record<number, readonly ResponseHeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
}

/** The headers of a documented response. */
export const headersOf = ({ headers = [] }: ResponseSpec): readonly ResponseHeaderName[] => [
  ...commonHeaders,
  ...headers,
]

/** The headers of an error response. */
export const headersOfError = (status: number): readonly ResponseHeaderName[] => [
  ...commonHeaders,
  ...(errorHeaders[status] ?? []),
]
