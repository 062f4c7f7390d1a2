import * as z from 'zod'
import { decision } from './decisions.ts'
import type { DecisionId } from './decisions.ts'

/** A header of responses, and what its values are. */
export interface ResponseHeader {
  readonly description: string
  readonly schema: z.ZodType
  readonly example: string
  /** Present where it may be left out of a response that documents it. */
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
