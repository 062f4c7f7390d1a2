import { describe, expect, it } from 'vitest'
import { createWaitingEvents } from '../../src/admin/waiting-events.ts'
import type { MockEvent } from '../../src/sessions/events.ts'
import { toTestEntry } from '../journal/exchanges.ts'

const KIB = 1024
const event: MockEvent = {
  kind: 'request',
  session: 'default',
  entry: toTestEntry({ responseBody: 'x'.repeat(20 * KIB) }),
}

describe('events that wait for readers', () => {
  it('are bounded in bytes over all streams', () => {
    const backlog = { bytes: 0 }
    const [one, other] = [createWaitingEvents(backlog, 100 * KIB), createWaitingEvents(backlog, 100 * KIB)]
    expect([one.add(event), other.add(event), one.add(event), other.add(event)]).toEqual([true, true, false, false])
    expect(backlog.bytes).toBeLessThanOrEqual(100 * KIB)
    expect([one.shift(), one.shift()]).toEqual([event, undefined])
    expect(other.add(event)).toBe(true)
    other.clear()
    expect(backlog.bytes).toBe(0)
  })

  it('are a thousand of one stream at most', () => {
    const waiting = createWaitingEvents({ bytes: 0 })
    const small: MockEvent = { kind: 'state', session: 'default' }
    for (let at = 0; at < 1000; at += 1) expect(waiting.add(small)).toBe(true)
    expect(waiting.add(small)).toBe(false)
  })
})
