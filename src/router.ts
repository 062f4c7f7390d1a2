import type { Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { TrieRouter } from 'hono/router/trie-router'
import { paths } from './contract/paths.ts'

const RANKS = new Map(paths.map(({ pattern, rank }) => [pattern, rank]))

/**
 * Hono's own routers, put together. Its quickest one, RegExpRouter, cannot hold a literal, a prefixed and a plain parameter
 * segment at one place, so each rank of the endpoint table has one of its own, the most particular asked first (D24).
 * What is mounted beside the table has a TrieRouter.
 */
export class RankRouter<T> implements Router<T> {
  readonly name = 'RankRouter'
  readonly #ranks = [new RegExpRouter<T>(), new RegExpRouter<T>(), new RegExpRouter<T>()] as const
  readonly #beside = new TrieRouter<T>()
  readonly #isReserved: (path: string) => boolean

  /** `isReserved` tells the paths that are none of the table's, though they may look like one. */
  constructor(isReserved: (path: string) => boolean) {
    this.#isReserved = isReserved
  }

  add(method: string, path: string, handler: T): void {
    const rank = RANKS.get(path)
    const router = rank === undefined ? this.#beside : this.#ranks[rank]
    router.add(method, path, handler)
  }

  match(method: string, path: string): Result<T> {
    if (!this.#isReserved(path)) {
      for (const router of this.#ranks) {
        const result = router.match(method, path)
        if (result[0].length > 0) return result
      }
    }
    return this.#beside.match(method, path)
  }
}
