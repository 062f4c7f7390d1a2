import { describe, expect, it } from 'vitest'
import { createNotices } from '../../src/dashboard/notices.ts'
import type { Notice } from '../../src/dashboard/notice.ts'
import type { Session } from '../../src/sessions/sessions.ts'

const MEBIBYTE = 1024 * 1024

const toTried = (length: number): Notice => ({
  kind: 'tried',
  fields: new URLSearchParams({ body: 'x'.repeat(length) }),
  undo: undefined,
})

/** Only its identity counts. */
const session = {} as Session

describe('the notices of the dashboard', () => {
  it('keep the newest form fields up to 16 MB', () => {
    const notices = createNotices()
    const numbers = Array.from({ length: 10 }, () => notices.keep(toTried(MEBIBYTE)))
    const kept = numbers.map((number) => notices.take(number) !== undefined)
    expect(kept.indexOf(true)).toBe(3)
    expect(kept.lastIndexOf(false)).toBe(2)
  })

  it('keep one larger form until the next one', () => {
    const notices = createNotices()
    const large = notices.keep(toTried(9 * MEBIBYTE))
    expect(notices.take(large)).toBeDefined()
    const again = notices.keep(toTried(9 * MEBIBYTE))
    notices.keep(toTried(1))
    expect(notices.take(again)).toBeUndefined()
  })

  it('free the bytes of notices that were shown', () => {
    const notices = createNotices()
    const first = notices.keep({ kind: 'done', text: 'Done.', undo: undefined })
    for (let count = 0; count < 50; count += 1) notices.take(notices.keep(toTried(MEBIBYTE)))
    expect(notices.take(first)).toBeDefined()
  })

  it('keep at most twenty undos and 16 MB', () => {
    const notices = createNotices()
    const kept = (numbers: readonly string[]) =>
      numbers.filter((number) => notices.findUndo(session, number) !== undefined).length
    const undo = () => []
    expect(kept(Array.from({ length: 10 }, () => notices.keepUndo(session, undo, 4 * MEBIBYTE)))).toBe(4)
    expect(kept(Array.from({ length: 30 }, () => notices.keepUndo(session, undo, 10)))).toBe(20)
  })
})
