import { expect, it, vi } from 'vitest'
import { createTurns } from '../../src/util/turns.ts'

it('short work starts at once', () => {
  const { take } = createTurns(1000)
  expect([take(400), take(400)]).toEqual([undefined, undefined])
})

it('work is done in turns, in order, with a pause after each slice of the total', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  try {
    const { take } = createTurns(1000)
    const started: [worker: number, pauses: number][] = []
    await Promise.all(
      Array.from({ length: 9 }, async (_, worker) => {
        await take(400)
        started.push([worker, timers.mock.calls.length])
      }),
    )
    expect(started.map(([worker]) => worker)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(new Set(started.map(([, pauses]) => pauses)).size).toBe(3)
  } finally {
    timers.mockRestore()
  }
})
