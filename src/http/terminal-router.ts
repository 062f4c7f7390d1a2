import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { memoize } from '../util/memoize.ts'

/** A handler as Hono gives it to a router, with its route. */
type Entry = [handler: unknown, ...rest: unknown[]]

/** A handler that takes no `next` ends the request: those behind it never run. */
const isTerminal = (entry: unknown): boolean => {
  const handler: unknown = Array.isArray(entry) ? (entry as Entry)[0] : entry
  return typeof handler === 'function' && handler.length < 2
}

/**
 * Hono's TrieRouter, which remembers what it found and leaves out handlers that never run. Hono calls a lone handler
 * directly, while it composes several by promises; and a path that the table has a literal for would find the handlers
 * of its parameters too (D24).
 */
export class TerminalRouter<T> implements Router<T> {
  readonly name = 'TerminalRouter'
  readonly #routes = new TrieRouter<T>()
  /** What finds the routes of each method; it remembers what it found. */
  readonly #found = new Map<string, (path: string) => Result<T>>()

  add(method: string, path: string, handler: T): void {
    this.#routes.add(method, path, handler)
  }

  match(method: string, path: string): Result<T> {
    let find = this.#found.get(method)
    if (find === undefined) this.#found.set(method, (find = memoize((one) => this.#find(method, one))))
    return find(path)
  }

  #find(method: string, path: string): Result<T> {
    const [found, ...rest] = this.#routes.match(method, path)
    const last = found.findIndex(([entry]) => isTerminal(entry))
    const reached = last === -1 ? found : found.slice(0, last + 1)
    // The same handlers, or the first of them.
    return [reached, ...rest] as Result<T>
  }
}
