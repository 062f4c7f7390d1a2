import { toHeaders } from '../http/raw-headers.ts'
import type { RawHeaders } from '../http/raw-headers.ts'

/** Answers that have no body, whatever their headers say (Fetch standard, "null body status"). */
const BODILESS = new Set([101, 103, 204, 205, 304])

/** An answer of another server, to be sent byte for byte. */
export class Relayed {
  readonly status: number
  readonly statusText: string
  readonly headers: RawHeaders
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Known once the body is read. */
  readonly trailers: () => RawHeaders

  constructor({ status, statusText, headers, body, trailers }: Relayed) {
    this.status = status
    this.statusText = statusText
    this.headers = headers
    this.body = body
    this.trailers = trailers
  }
}

/** The answer as `fetch` gives it, which keeps neither the order of headers nor their case. */
export const fromRelayed = ({ status, statusText, headers, body }: Relayed): Response =>
  new Response(BODILESS.has(status) ? null : (body ?? null), { status, statusText, headers: toHeaders(headers) })
