import type { JournalEntry } from './entry.ts'
import type { Page } from './page.ts'

/** Where a session's last exchanges stand, on pages that it shares with other sessions. */
export class Ring {
  readonly #capacity: number
  readonly #pages: Page[] = []
  /** On the page of the same index. */
  readonly #places: number[] = []
  /** The index of the oldest, whose turn it is to go once the ring is full. */
  #oldest = 0

  /** @param capacity at least 1: past it the oldest goes. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#pages.length
  }

  /** Keeps one more exchange. Returns the page of the one that goes for it, if one does. */
  add(page: Page, place: number): Page | undefined {
    const index = this.size < this.#capacity ? this.size : this.#oldest
    if (index < this.size) this.#oldest = (index + 1) % this.#capacity
    const last = this.#pages[index]
    this.#pages[index] = page
    this.#places[index] = place
    return last
  }

  /**
   * What is left without the exchanges that the predicate holds for.
   *
   * @param newId called for an entry that nobody has read before
   * @param predicate also sees each entry, the oldest first
   */
  without(predicate: (entry: JournalEntry) => boolean, newId: () => string): Ring {
    const left = new Ring(this.#capacity)
    for (let at = 0; at < this.size; at += 1) {
      const [page, place] = this.#find(at)
      if (!predicate(page.read(place, newId))) left.add(page, place)
    }
    return left
  }

  /** @throws {RangeError} where there are not as many. */
  read(at: number, newId: () => string): JournalEntry {
    const [page, place] = this.#find(at)
    return page.read(place, newId)
  }

  #find(at: number): [Page, number] {
    const index = (this.#oldest + at) % this.#capacity
    const page = this.#pages[index]
    if (page === undefined) throw new RangeError(`There is no exchange at place ${at}.`)
    return [page, this.#places[index] ?? 0]
  }
}
