import type { FaultName, Unsent } from './fault.ts'

/** What a request that came over a socket carries beside itself; absent in-process. */
export interface Connection {
  /** The client's IP address. */
  readonly remoteAddress?: string | undefined
  /** The path that the mock stands at in a server it is a part of, such as `/api`; the request's URL is without it. */
  readonly mountedAt?: string | undefined
  /** The request's headers by lower-case name, where the server has them read already. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
  /** Names and values in turn, as they came: what a journal can keep without keeping the whole request. */
  readonly rawHeaders?: readonly string[] | undefined
  /** The target as it came, before a URL makes dot segments and the like into other paths. */
  readonly target?: string | undefined
  /** Opens the body of a request whose `Request` has none, as of a GET. */
  readonly openBody?: (() => ReadableStream<Uint8Array<ArrayBuffer>>) | undefined
  /** Sends headers ahead of the answer (103 Early Hints). */
  readonly hint?: ((rawHeaders: readonly string[]) => void) | undefined
  /** The request's body as it was sent, where all of it came together with its head: nobody has to wait for that. */
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  /** How many bytes a body takes, text being UTF-8; absent where whoever sends an answer says so in the head. */
  readonly measure?: ((body: string | Uint8Array) => number) | undefined
  /** Does to the socket what a fault's name says; the response it gives tells the server that all is done. */
  readonly breakOff?: ((fault: FaultName, unsent: Unsent) => Promise<Response>) | undefined
}

/** The connection as it is, whoever made it, but for the body that came over it. */
export const withBody = (
  { remoteAddress, mountedAt, headers, rawHeaders, measure, breakOff }: Connection,
  body: Connection['body'],
): Connection => ({ remoteAddress, mountedAt, headers, rawHeaders, measure, breakOff, body })
