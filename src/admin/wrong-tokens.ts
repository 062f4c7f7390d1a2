import { BoundedMap } from '../util/bounded-map.ts'
import { problem } from '../errors.ts'
import { wait } from '../http/delay.ts'
import type { Exchange } from '../pipeline/exchange.ts'

/** Milliseconds that the first wrong token of an address costs; each further one costs twice as much, up to the most. */
const LEAST_WAIT = 100
const MOST_WAIT = 2000

/** Addresses whose wrong tokens are counted. */
const MOST_ADDRESSES = 1000

/** Wrong tokens whose answers wait at once. More are refused unwaited, so that nobody fills memory with them. */
const MOST_WAITING = 100

/** Makes guessing slow. A right token never waits, whatever its address has sent before. */
export interface WrongTokens {
  /**
   * Waits as long as a wrong token of this client's address costs.
   *
   * @throws {Problem} 429 where too many are waiting already.
   */
  delay(exchange: Exchange): Promise<void>
  /** Forgets what an address got wrong, once it got it right. */
  forgive(exchange: Exchange): void
}

const toAddress = ({ connection }: Exchange): string => connection?.remoteAddress ?? ''

/** @param pause waits for milliseconds, or until the client is gone */
export function createWrongTokens(pause: typeof wait = wait): WrongTokens {
  const counts = new BoundedMap<string, number>(MOST_ADDRESSES)
  let waiting = 0

  return {
    async delay(exchange) {
      const address = toAddress(exchange)
      const count = counts.get(address) ?? 0
      counts.set(address, count + 1)
      if (waiting >= MOST_WAITING) throw problem.tooManyRequests(MOST_WAITING, MOST_WAIT / 1000)
      waiting += 1
      try {
        await pause(Math.min(LEAST_WAIT * 2 ** count, MOST_WAIT), exchange.request)
      } finally {
        waiting -= 1
      }
    },
    forgive: (exchange) => void counts.delete(toAddress(exchange)),
  }
}
