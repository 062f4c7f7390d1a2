import type { FaultName, Unsent } from './fault.ts'

/** A response of another server, sent on byte for byte. */
export interface RelayedResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: RawHeaders
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Known once the body has been read. */
  readonly trailers: () => RawHeaders
}

/** An answer of 1xx, which comes ahead of the response (RFC 9110, section 15.2). */
export interface Information {
  readonly status: number
  readonly statusText: string
  readonly headers: RawHeaders
}

/** The client connection of a request that came over a socket; in-process there is none. */
export interface Connection {
  /** The client's IP address. */
  readonly remoteAddress?: string | undefined
  /** The path that the mock is mounted under in another server, such as `/api`; the request's URL is without it. */
  readonly mountedAt?: string | undefined
  /** The request's headers by lower-case name, where the server has parsed them already. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders?: RawHeaders | undefined
  /** The request target as it was sent, before URL parsing normalizes it. */
  readonly target?: string | undefined
  /** How many bytes a body takes; a response then has its length from the start. */
  readonly byteLength?: ((body: string | Uint8Array) => number) | undefined
  /** Makes a long body a stream that is read as fast as the client takes it; a short one stays as it is. */
  readonly toPieces?:
    | ((
        body: string | Uint8Array<ArrayBuffer>,
      ) => string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>)
    | undefined
  /** Opens the body of a request whose `Request` has none, such as a GET. */
  readonly openBody?: (() => ReadableStream<Uint8Array<ArrayBuffer>>) | undefined
  /** The version of HTTP that the request came by, such as `1.0`. */
  readonly httpVersion?: string | undefined
  /** The request's trailers, known once its body is read. */
  readonly trailers?: RawHeaders | undefined
  /** Sends an answer of 1xx ahead of the response. */
  readonly inform?: ((information: Information) => void) | undefined
  /** Sends a response of another server; what it returns tells the server that nothing is left to send. */
  readonly relay?: ((response: RelayedResponse) => Response) | undefined
  /** Breaks the connection as the fault's name says; what it resolves to tells the server that nothing is left to send. */
  readonly breakOff?: ((fault: FaultName, unsent: Unsent) => Promise<Response>) | undefined
}

/** Headers as they were sent: names and values in turn, in their order, in their case, repeated where they were. */
export type RawHeaders = readonly string[]

type Pair = [name: string, value: string]

export const toPairs = (raw: RawHeaders): readonly Pair[] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at): Pair => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])

export const fromPairs = (pairs: Iterable<Pair>): RawHeaders => [...pairs].flat()

/** The headers as programs read them. */
export function toHeaders(raw: RawHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of toPairs(raw)) headers.append(name, value)
  return headers
}

/** The headers without those whose lower-case name this holds for. */
export const withoutHeaders = (raw: RawHeaders, isDropped: (name: string) => boolean): RawHeaders =>
  fromPairs(toPairs(raw).filter(([name]) => !isDropped(name.toLowerCase())))

/** The headers with the value of each one of a name changed; undefined leaves it out. */
export const mapHeader = (raw: RawHeaders, name: string, change: (value: string) => string | undefined): RawHeaders =>
  fromPairs(
    toPairs(raw).flatMap((pair): readonly Pair[] => {
      if (pair[0].toLowerCase() !== name) return [pair]
      const value = change(pair[1])
      return value === undefined ? [] : [[pair[0], value]]
    }),
  )
