import { distance } from 'fastest-levenshtein'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileConditions, compileSort } from '../../../src/service/query/list.ts'
import { MOST_AT_ONCE, MOST_IN_ALL, createBudget, createPauses, scan } from '../../../src/service/query/budget.ts'
import type { Budget } from '../../../src/service/query/budget.ts'
import { compileFacet, compileFilter } from '../../../src/service/query/search.ts'
import { compileWhere } from '../../../src/service/query/where.ts'
import { compileTextSearch, isWithinEdits, parseSearchTerms } from '../../../src/service/query/words.ts'
import { catchProblem, createSample } from './samples.ts'

/** Counts work without a limit. */
function createCount(): Budget & { total: number } {
  const count = {
    total: 0,
    spend: (values: number) => {
      count.total += values
    },
    isPauseDue: () => false,
  }
  return count
}

const LENGTH = 1000
const long = createSample('long', {
  arrayOfIntExample: Array.from({ length: LENGTH }, (_, at) => at),
  arrayOfStringExample: Array.from({ length: LENGTH }, (_, at) => `text ${at}`),
  arrayOfObjectType: Array.from({ length: LENGTH }, (_, at) => ({ integerExample: at })),
})

/** The work for one resource. */
function measure(ask: (budget: Budget) => unknown): number {
  const count = createCount()
  ask(count)
  return count.total
}

describe('the values that a query reads', () => {
  const where = (source: string) => measure((budget) => compileWhere([source], new Map(), budget).holds(long))

  it.each([
    ['arrayOfIntExample contains any (-1)', 1],
    ['arrayOfIntExample contains all (-1)', 1],
    ['arrayOfIntExample contains any (-1) or arrayOfIntExample contains any (-2)', 2],
    ['arrayOfObjectType(integerExample = -1)', 1],
    ['arrayOfObjectType(integerExample = -1 or integerExample in (-2) or integerExampleInt32 is defined)', 3],
  ])('grows with an array and with the clauses that read it: %s', (source, times) => {
    expect(where(source)).toBeGreaterThanOrEqual(times * LENGTH)
    expect(where(source)).toBeLessThanOrEqual(times * (LENGTH + 2))
  })

  it('is small if a clause needs one value', () => {
    expect(where('version = 1 and key in ("a", "b")')).toBeLessThanOrEqual(2)
  })

  it('includes conditions, filters, facets and sorts', () => {
    expect(measure((budget) => compileConditions({ integerParameter: -1 }, budget)?.(long))).toBe(LENGTH)
    expect(measure((budget) => compileFilter('filter', 'arrayOfIntExample:-1,-2,-3', budget)(long))).toBe(LENGTH)
    const ranges = 'arrayOfIntExample:range (-9 to -8), (-7 to -6)'
    expect(measure((budget) => compileFilter('filter', ranges, budget)(long))).toBe(3 * LENGTH)
    expect(measure((budget) => compileFacet('arrayOfIntExample', budget)().count(long))).toBeGreaterThanOrEqual(LENGTH)
    const sorts = ['arrayOfIntExample', 'arrayOfIntExample desc', 'arrayOfIntExample']
    expect(measure((budget) => compileSort(sorts)?.toKeys(long, budget))).toBe(2 * LENGTH)
  })

  it('includes the texts of a search, and each word once', () => {
    const { arrayOfStringExample: texts = [] } = long.objectTypeProperty
    const search = (...words: string[]) =>
      measure((budget) => compileTextSearch(parseSearchTerms({ texts: words }), budget)?.(texts))
    expect(search('text')).toBeGreaterThanOrEqual(texts.join('').length)
    expect(search('text', 'none') - search('text')).toBe(LENGTH + 1)
  })
})

describe('a query that reads too many values', () => {
  it('is refused within one resource', () => {
    const { spend } = createBudget()
    spend(MOST_AT_ONCE)
    const problem = catchProblem(() => spend(1))
    expect(problem.status).toBe(400)
    expect(problem.message).toBe(
      'The query reads more than 2000000 values of one resource. Use fewer conditions or shorter arrays.',
    )
  })

  it('is refused in total, however often it paused', () => {
    const { spend, isPauseDue } = createBudget()
    const askMuch = () => {
      for (let done = 0; done <= MOST_IN_ALL; done += MOST_AT_ONCE) {
        spend(MOST_AT_ONCE)
        expect(isPauseDue()).toBe(true)
      }
    }
    expect(catchProblem(askMuch).message).toBe(
      'The query reads more than 100000000 values. Use fewer conditions or fewer resources.',
    )
  })
})

describe('a scan', () => {
  it('of few items is synchronous', () => {
    const seen: number[] = []
    expect(scan([1, 2, 3], createBudget(), (item) => void seen.push(item))).toBeUndefined()
    expect(seen).toEqual([1, 2, 3])
  })

  it('stops when a visit returns false', () => {
    const seen: number[] = []
    void scan([1, 2, 3], createBudget(), (item) => seen.push(item) < 2)
    expect(seen).toEqual([1, 2])
  })

  it('of many items lets other requests run, and works on a copy of the list', async () => {
    const budget = createBudget()
    const items = new Set([1, 2, 3])
    const happened: (number | string)[] = []
    const scanning = scan(items, budget, (item) => {
      happened.push(item)
      budget.spend(MOST_AT_ONCE)
    })
    items.add(4)
    happened.push('other')
    await scanning
    expect(happened).toEqual([1, 'other', 2, 3])
  })

  it('that takes long lets other requests run, however cheap its items are', async () => {
    let now = 0
    let visited = 0
    const budget = createBudget({ elapsed: () => now })
    const scanning = scan(Array.from({ length: 1000 }), budget, () => {
      visited += 1
      now += 0.1
    })
    expect(visited).toBeLessThan(100)
    await scanning
    expect(visited).toBe(1000)
  })

  it('fails with the error of its visit, before a pause and after one', async () => {
    const fail = () => {
      throw new Error('seen')
    }
    expect(() => scan([1], createBudget(), fail)).toThrow('seen')
    const budget = createBudget()
    const scanning = scan([1, 2], budget, (item) => (item === 1 ? budget.spend(MOST_AT_ONCE) : fail()))
    await expect(scanning).rejects.toThrow('seen')
  })
})

describe('a word within an edit distance of another', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

  it('agrees with the distance', () => {
    fc.assert(
      fc.property(word, word, fc.nat(2), (a, b, edits) => {
        expect(isWithinEdits(a, b, edits)).toBe(distance(a, b) <= edits)
      }),
    )
  })

  it('reads few letters of long words', () => {
    let looks = 0
    /** A text that records how much of it is read. */
    function watch(text: string): string {
      const charCodeAt = (at: number) => {
        looks += 1
        return text.charCodeAt(at)
      }
      return { length: text.length, charCodeAt } as unknown as string
    }
    expect(isWithinEdits(watch('a'.repeat(10_000)), watch(`${'a'.repeat(5000)}b${'a'.repeat(5000)}`), 1)).toBe(true)
    expect(isWithinEdits(watch('a'.repeat(10_000)), watch('b'.repeat(10_000)), 2)).toBe(false)
    expect(looks).toBeLessThan(100_000)
  })
})

it('pauses a long list after every third item, so that other requests run', async () => {
  const visited: number[] = []
  const done = scan([1, 2, 3, 4, 5, 6, 7], createPauses(3), (item) => void visited.push(item))
  expect(visited).toEqual([1, 2, 3])
  await done
  expect(visited).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it('visits a shorter list synchronously', () => {
  const visited: number[] = []
  expect(scan([1, 2], createPauses(3), (item) => void visited.push(item))).toBeUndefined()
  expect(visited).toEqual([1, 2])
})
