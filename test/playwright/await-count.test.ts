import { describe, expect, it } from 'vitest'
import { awaitCount } from '../../src/playwright/expect.ts'

interface Row {
  readonly times?: number
  readonly isNot?: boolean
  readonly timeout?: number
}

/** Simulates the given counts in turn, repeating the last one, and returns the result of the wait. */
async function awaitCounts(counts: readonly number[], { timeout = 1000, ...wanted }: Row) {
  const deadline = new AbortController()
  let now = 0
  let asked = 0
  const pass = (milliseconds: number): void => {
    now += milliseconds
    if (now >= timeout) deadline.abort()
  }
  pass(0)
  const found = await awaitCount(
    async () => counts[Math.min(asked++, counts.length - 1)] ?? 0,
    { times: undefined, isNot: false, deadline: deadline.signal, ...wanted },
    async (milliseconds) => pass(milliseconds),
  )
  return { found, asked, isOver: deadline.signal.aborted }
}

describe('polling for requests', () => {
  it.each<[string, readonly number[], Row, object]>([
    ['ends with the first one', [0, 0, 1, 2], {}, { found: 1, asked: 3 }],
    ['ends when there are as many as wanted', [0, 1, 2, 3], { times: 2 }, { found: 2 }],
    ['ends at once when there are too many', [3, 2], { times: 2 }, { found: 3, asked: 1 }],
    ['ends when time is up', [0], {}, { found: 0, isOver: true }],
    ['ends when time is up with too few', [1], { times: 2 }, { found: 1, isOver: true }],
    ['looks once where there is no time', [0], { timeout: 0 }, { found: 0, asked: 1 }],
    ['sees what came while time ran out', [0, 0, 0, 0, 0, 0, 0, 1], {}, { found: 1, isOver: true }],
    ['for none ends at once when there is none', [0, 1], { isNot: true }, { found: 0, asked: 1 }],
    ['for none ends at once when there is one', [1, 0], { isNot: true }, { found: 1, asked: 1 }],
    ['for another number goes on while it is that number', [2, 2, 3], { isNot: true, times: 2 }, { found: 3 }],
    ['for another number ends at once with another one', [1, 2], { isNot: true, times: 2 }, { found: 1, asked: 1 }],
    ['for no times ends at once when there is none', [0], { times: 0 }, { found: 0, asked: 1 }],
  ])('%s', async (_what, counts, wanted, expected) => {
    expect(await awaitCounts(counts, wanted)).toMatchObject(expected)
  })
})
