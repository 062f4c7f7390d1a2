import { expectElement, throttle } from './dom.ts'
import { isFailure } from '../row.ts'
import type { Row } from '../row.ts'

/** Announces a sentence to screen readers. */
export function announce(sentence: string): void {
  expectElement('announcer', HTMLElement).textContent = sentence
}

/** Announces new requests, at most one sentence every five seconds. */
export function createRequestAnnouncer(): (rows: readonly Row[]) => void {
  let waiting: Row[] = []
  const tell = throttle(() => {
    const newest = waiting.at(-1)
    if (newest === undefined) return
    const failed = waiting.filter(isFailure).length
    const count = waiting.length === 1 ? '1 new request' : `${waiting.length} new requests`
    announce(`${count}, ${failed} failed. ${newest.method} ${newest.target}: ${newest.status || 'no response'}.`)
    waiting = []
  }, 5000)
  return function tellOf(rows) {
    waiting.push(...rows)
    tell()
  }
}
