import { describe, expect, it } from 'vitest'
import { createEventQueues } from '../../../src/admin/api/events.ts'
import type { MockEvent } from '../../../src/sessions/events.ts'
import { toTestEntry } from '../../sessions/journal/exchanges.ts'

const KIB = 1024
const toEvent = (): MockEvent => ({
  kind: 'request',
  session: 'default',
  entry: toTestEntry({ responseBody: 'x'.repeat(20 * KIB) }),
})

function create(mostBytes?: number) {
  const reports: number[] = []
  const ended: string[] = []
  const queues = createEventQueues((count) => reports.push(count), mostBytes)
  const open = (name: string) => queues.open(() => ended.push(name))
  return { queues, open, ended, reports }
}

describe('queued events', () => {
  it('use memory once, however many readers wait for them', () => {
    const { queues, open, ended } = create()
    const event = toEvent()
    const [first, ...others] = Array.from({ length: 500 }, (_, at) => open(`reader ${at}`))
    first?.add(event)
    const one = queues.bytes
    for (const queue of others) queue.add(event)
    expect(one).toBeGreaterThan(40 * KIB)
    expect(queues.bytes).toBeLessThan(2 * one)
    for (const queue of others) expect(queue.shift()?.event).toBe(event)
    expect(queues.bytes).toBe(one)
    first?.close()
    expect(queues.bytes).toBe(0)
    expect(ended).toEqual([])
  })

  it('disconnect the slowest readers at the memory limit, and report them together', async () => {
    const { queues, open, ended, reports } = create(100 * KIB)
    const [slow, asSlow, fast] = [open('slow'), open('as slow'), open('fast')]
    for (const event of [toEvent(), toEvent(), toEvent()]) {
      for (const queue of [slow, asSlow, fast]) queue.add(event)
      fast.shift()
    }
    expect(ended).toEqual(['slow', 'as slow'])
    expect(queues.bytes).toBe(0)
    await Promise.resolve()
    expect(reports).toEqual([2])
    const event = toEvent()
    slow.add(event)
    fast.add(event)
    expect([slow.shift(), fast.shift()?.event]).toEqual([undefined, event])
  })

  it('are limited to a thousand per reader', async () => {
    const { queues, open, ended, reports } = create()
    const queue = open('slow')
    for (let at = 0; at < 1000; at += 1) queue.add({ kind: 'state', session: 'default' })
    expect(ended).toEqual([])
    queue.add({ kind: 'state', session: 'default' })
    expect(ended).toEqual(['slow'])
    expect(queues.bytes).toBe(0)
    await Promise.resolve()
    expect(reports).toEqual([1])
  })

  it('disconnect no other stream to make room for missed events', () => {
    const { open, ended } = create(100 * KIB)
    const [one, other] = [open('one'), open('other')]
    const [first, second] = [
      { event: toEvent(), bytes: 60 * KIB },
      { event: toEvent(), bytes: 60 * KIB },
    ]
    expect([one.tryAdd(first), one.tryAdd(second), other.tryAdd(first)]).toEqual([true, false, true])
    expect(ended).toEqual([])
  })
})
