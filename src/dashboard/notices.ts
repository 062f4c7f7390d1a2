import type { Session } from '../sessions/sessions.ts'
import type { Notice } from './notice.ts'
import type { UndoCalls } from './undo.ts'

/** Keeps notices from a form until its page is shown, and the undo of recent changes. */
export interface Notices {
  /** Returns a number for the URL of the page. */
  keep(notice: Notice): string
  /** Returns the notice of that number once. */
  take(number: string | null): Notice | undefined
  /**
   * Returns a number for the undo form of that session.
   *
   * @param bytes its approximate size
   */
  keepUndo(session: Session, undo: UndoCalls, bytes: number): string
  findUndo(session: Session, number: string): UndoCalls | undefined
  /** Removes an undo that was used. */
  dropUndo(number: string): void
}

/** The newest values, bounded in number and in bytes; the newest one is always kept. */
class Recent<Value> {
  readonly #kept = new Map<string, { readonly value: Value; readonly bytes: number }>()
  readonly #most: number
  readonly #mostBytes: number
  #bytes = 0

  constructor(most: number, mostBytes: number) {
    this.#most = most
    this.#mostBytes = mostBytes
  }

  add(number: string, value: Value, bytes: number): void {
    this.#kept.set(number, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (oldest === number || (this.#kept.size <= this.#most && this.#bytes <= this.#mostBytes)) return
      this.delete(oldest)
    }
  }

  get(number: string): Value | undefined {
    return this.#kept.get(number)?.value
  }

  delete(number: string): void {
    this.#bytes -= this.#kept.get(number)?.bytes ?? 0
    this.#kept.delete(number)
  }
}

const MEBIBYTE = 1024 * 1024

const bytesOf = (notice: Notice): number => ('fields' in notice ? 2 * String(notice.fields).length : 0)

/**
 * Keeps the last 100 notices and the last 20 undos, 16 MB of each at most. Their numbers are unique, so that pages of an
 * earlier mock on the same port cannot use them.
 */
export function createNotices(): Notices {
  const mark = crypto.randomUUID()
  const kept = new Recent<Notice>(100, 16 * MEBIBYTE)
  const undos = new Recent<{ readonly session: Session; readonly undo: UndoCalls }>(20, 16 * MEBIBYTE)
  let count = 0
  function next(): string {
    count += 1
    return `${mark}-${count}`
  }
  return {
    keep(notice) {
      const number = next()
      kept.add(number, notice, bytesOf(notice))
      return number
    },
    take(number) {
      if (number === null) return undefined
      const notice = kept.get(number)
      kept.delete(number)
      return notice
    },
    keepUndo(session, undo, bytes) {
      const number = next()
      undos.add(number, { session, undo }, bytes)
      return number
    },
    findUndo(session, number) {
      const found = undos.get(number)
      return found?.session === session ? found.undo : undefined
    },
    dropUndo: (number) => undos.delete(number),
  }
}
