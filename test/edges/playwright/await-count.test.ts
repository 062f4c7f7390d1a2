import { describe, expect, it } from 'vitest'
import { awaitCount } from '../../../src/edges/playwright/matchers.ts'

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
    ['ends with the first match', [0, 0, 1, 2], {}, { found: 1, asked: 3 }],
    ['ends with the expected number of matches', [0, 1, 2, 3], { times: 2 }, { found: 2 }],
    ['ends at once with too many matches', [3, 2], { times: 2 }, { found: 3, asked: 1 }],
    ['ends at the timeout', [0], {}, { found: 0, isOver: true }],
    ['ends at the timeout with too few matches', [1], { times: 2 }, { found: 1, isOver: true }],
    ['polls once with a timeout of 0', [0], { timeout: 0 }, { found: 0, asked: 1 }],
    ['counts matches that arrived before the timeout', [0, 0, 0, 0, 0, 0, 0, 1], {}, { found: 1, isOver: true }],
    ['ends at once if none is expected and none matches', [0, 1], { isNot: true }, { found: 0, asked: 1 }],
    ['ends at once if none is expected and one matches', [1, 0], { isNot: true }, { found: 1, asked: 1 }],
    ['continues while the negated number matches', [2, 2, 3], { isNot: true, times: 2 }, { found: 3 }],
    ['ends at once if the negated number does not match', [1, 2], { isNot: true, times: 2 }, { found: 1, asked: 1 }],
    ['ends at once if the negated number is 0 and none matches', [0], { times: 0 }, { found: 0, asked: 1 }],
  ])('%s', async (_what, counts, wanted, expected) => {
    expect(await awaitCounts(counts, wanted)).toMatchObject(expected)
  })
})
