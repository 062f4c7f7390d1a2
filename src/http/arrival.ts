import type { Connection } from './connection.ts'
import { createHeaderReader } from './read-header.ts'
import type { ReadHeader } from './read-header.ts'

/** A request as it arrives: what every step asks for is at hand, and the Request is made when something first needs it. */
export interface Arrival {
  readonly method: string
  /** Scheme and authority, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  /** From the path on, percent-encoded as it came, without a fragment. */
  readonly target: string
  readonly header: ReadHeader
  readonly request: Request
  /** Absent in-process. */
  readonly connection?: Connection | undefined
}

/** An absolute URL's origin and target; a fragment never leaves a client (RFC 9110, section 7.1). */
export function splitUrl(url: string): Pick<Arrival, 'origin' | 'target'> {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#', start)
  return { origin: url.slice(0, start), target: hash === -1 ? url.slice(start) : url.slice(start, hash) }
}

/** The arrival of a Request that is made already. */
export const toArrival = (request: Request, connection?: Connection): Arrival => ({
  method: request.method,
  ...splitUrl(request.url),
  header: createHeaderReader(request, connection),
  request,
  connection,
})
