import { createKinds } from './kind.ts'
import { Page, PAGE_SIZE } from './page.ts'
import type { ExchangeRecord } from './record.ts'
import type { Ring } from './ring.ts'

/**
 * An exchange with more characters or bytes of body than this gets a page of its own: a page is there as long as one
 * session keeps anything on it.
 */
const SHARED_BODY = 4096

/** So many pages are kept at hand to be written anew. */
const SPARE_PAGES = 64

/**
 * Packs the exchanges of all sessions in the order in which they come. In the way of a request nothing is done but to note
 * that it is there, and what is noted is still at hand when it is packed: it would not be if each session waited for
 * a page of its own.
 */
export interface Packer {
  /** Notes an exchange, which its session's ring gets when it is packed. */
  add(record: ExchangeRecord, ring: Ring): void
  /** Packs what has not been yet. */
  pack(): void
}

const sizeOf = (body: string | Uint8Array | undefined): number => {
  if (body === undefined) return 0
  return typeof body === 'string' ? body.length : body.buffer.byteLength
}

export function createPacker(): Packer {
  const toKind = createKinds()
  const spare: Page[] = []
  let records: ExchangeRecord[] = []
  /** Of the records' sessions. */
  let rings: Ring[] = []

  function pack(): void {
    if (records.length === 0) return
    const page = (records.length === PAGE_SIZE ? spare.pop() : undefined) ?? new Page()
    page.write(records, toKind)
    for (const [place, ring] of rings.entries()) {
      const last = ring.add(page, place)
      if (last?.release() === true && spare.length < SPARE_PAGES) spare.push(last)
    }
    records = []
    rings = []
  }

  return {
    pack,
    add(record, ring) {
      const isAlone = sizeOf(record.requestBody) + sizeOf(record.responseBody) > SHARED_BODY
      if (isAlone) pack()
      records.push(record)
      rings.push(ring)
      if (isAlone || records.length === PAGE_SIZE) pack()
    },
  }
}
