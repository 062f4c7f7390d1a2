import type { Decoded } from '../contract/decode.ts'
import type { RawHeaders } from '../http/connection.ts'
import type { BodyBytes, TakenBody } from './body.ts'
import type { FoundOperation, ProxyViolation } from './violation.ts'

/** A request on its way to the upstream. */
export interface Outgoing {
  readonly found: FoundOperation
  readonly body: TakenBody
  /** Undefined where it is not what the contract asks for. */
  readonly decoded: Decoded | undefined
  readonly violations: readonly ProxyViolation[]
}

/** An answer on its way to the client. */
export interface Incoming {
  readonly status: number
  readonly statusText: string
  /** As programs read them. */
  readonly headers: Headers
  /** As they came. */
  readonly rawHeaders: RawHeaders
  /** Whole where it was read to be checked, else as it comes. */
  readonly body: BodyBytes | ReadableStream<BodyBytes> | undefined
  /** The body decoded, as far as it was read. */
  readonly decoded: BodyBytes | undefined
  /** Parsed, where it is JSON. */
  readonly json: unknown
  /** Known once the body is read. */
  readonly trailers: () => RawHeaders
  readonly violations: readonly ProxyViolation[]
}
