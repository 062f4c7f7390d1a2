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
  /** The path that an in-process mock is mounted under, such as `/mock`; the target is without it. */
  readonly mountedAt?: string | undefined
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

/**
 * The arrival of a request to a mock that is mounted under a path of another server. A request outside of that path is taken as
 * one that the server has already removed the path from.
 *
 * @param path such as `/mock`; the empty string for none
 */
export function toMountedArrival(request: Request, path: string): Arrival {
  const arrival = toArrival(request)
  const below = arrival.target.slice(path.length)
  if (path === '' || !arrival.target.startsWith(path) || !/^(?:[/?]|$)/.test(below)) return arrival
  return { ...arrival, target: below.startsWith('/') ? below : `/${below}`, mountedAt: path }
}
