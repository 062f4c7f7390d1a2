import { TLSSocket } from 'node:tls'
import { rememberLast } from '../remember.ts'
import type { Exchange } from './exchanges.ts'

/** An origin that an URL has as it is; undefined for one that makes no URL, or is written otherwise in it. */
function toPlainOrigin(origin: string): string | undefined {
  return URL.canParse(origin) && new URL(origin).origin === origin ? origin : undefined
}

const isSame = (list: readonly string[], other: readonly string[]): boolean => {
  if (list.length !== other.length) return false
  for (let at = 0; at < list.length; at += 1) if (list[at] !== other[at]) return false
  return true
}

/** Gives a list in place of one that says the same. */
export type Share = (list: readonly string[]) => readonly string[]

/** Creates what gives the latest list in place of the same ones. */
export function createShare(): Share {
  let latest: readonly string[] = []
  return function share(list) {
    if (!isSame(list, latest)) latest = list
    return latest
  }
}

/** One client's connection, with what its requests have in common: most are like the one before. */
export class Line {
  readonly remoteAddress: string | undefined
  latest: Exchange
  /** Held without an answer, by a scenario. */
  isStalled = false
  readonly #scheme: string
  /** Of the latest Host. */
  readonly #toOrigin = rememberLast((host: string) => toPlainOrigin(`${this.#scheme}://${host}`))
  readonly #shareAmongLines: Share
  #headers: readonly string[] = []

  /** `shareAmongLines` knows the headers of every client's latest request: clients of one program send the same. */
  constructor(first: Exchange, shareAmongLines: Share) {
    const { socket } = first.incoming
    this.remoteAddress = socket.remoteAddress
    this.latest = first
    this.#shareAmongLines = shareAmongLines
    this.#scheme = socket instanceof TLSSocket ? 'https' : 'http'
  }

  /** Scheme and authority of a request to a host; undefined where they are not what the Host header says. */
  findOrigin(host: string | undefined): string | undefined {
    return host === undefined ? undefined : this.#toOrigin(host)
  }

  /**
   * Gives the headers of the request before in place of the same ones, so that only one list of them is kept: a journal
   * full of lists would cost each request more in garbage collection than everything else that is noted of it, and
   * exchanges with the same list are of one kind.
   */
  share(headers: readonly string[]): readonly string[] {
    if (!isSame(headers, this.#headers)) this.#headers = this.#shareAmongLines(headers)
    return this.#headers
  }
}
