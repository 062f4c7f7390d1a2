import { TLSSocket } from 'node:tls'
import type { Exchange } from './exchanges.ts'

/** A Host that an URL has as it is. */
const PLAIN_HOST = /^[a-z\d.-]+(?::\d{1,5})?$/

const isSame = (list: readonly string[], other: readonly string[]): boolean => {
  if (list.length !== other.length) return false
  for (let at = 0; at < list.length; at += 1) if (list[at] !== other[at]) return false
  return true
}

/** One client's connection, with what its requests have in common: most are like the one before. */
export class Line {
  readonly remoteAddress: string | undefined
  latest: Exchange
  /** Held without an answer, by a scenario. */
  isStalled = false
  readonly #scheme: string
  #host = ''
  #origin = ''
  #headers: readonly string[] = []

  constructor(first: Exchange) {
    const { socket } = first.incoming
    this.remoteAddress = socket.remoteAddress
    this.latest = first
    this.#scheme = socket instanceof TLSSocket ? 'https' : 'http'
  }

  /** Scheme and authority of a request to a host; undefined where they are not what the Host header says. */
  findOrigin(host: string | undefined): string | undefined {
    if (host === undefined) return undefined
    if (host !== this.#host) {
      if (!PLAIN_HOST.test(host)) return undefined
      this.#host = host
      this.#origin = `${this.#scheme}://${host}`
    }
    return this.#origin
  }

  /**
   * Gives the headers of the request before in place of the same ones, so that only one list of them is kept: a journal
   * full of lists would cost each request more in garbage collection than everything else that is noted of it.
   */
  share(headers: readonly string[]): readonly string[] {
    if (!isSame(headers, this.#headers)) this.#headers = headers
    return this.#headers
  }
}
