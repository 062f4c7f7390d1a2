import { describe, expect, it } from 'vitest'
import { replaceUnnoticed } from '../../../src/tools/resilience/notice.ts'
import type { JudgedCell } from '../../../src/tools/resilience/notice.ts'
import type { LearnedTest, PlannedVariant } from '../../../src/tools/resilience/plan.ts'
import { toLearned } from './learned.ts'

const nameTest = (title: string) => ({ title: [title], file: 'shop.spec.ts', line: 1 })

const learned = (title: string, calls = 1): LearnedTest =>
  toLearned(title, { calls: Array.from({ length: calls }, () => 'updateResource') })

const cell = (title: string, failure: PlannedVariant['failure'], more: Partial<JudgedCell> = {}): JudgedCell => ({
  operation: 'updateResource',
  failure,
  call: 1,
  verdict: 'survived',
  why: 'The test passed.',
  test: nameTest(title),
  session: title,
  isQuiet: true,
  ...more,
})

/** Replaces verdicts; the tests in `looking` notice, and tell of each failure. */
async function replace(cells: readonly JudgedCell[], titles: readonly LearnedTest[], looking: readonly string[]) {
  const rounds: string[][] = []
  const replaced = await replaceUnnoticed(cells, titles, {
    runControls(controls) {
      rounds.push(controls.map(({ test }) => test.title.join()))
      return Promise.resolve(
        controls.map((variant) => ({ variant, isNoticed: looking.includes(variant.test.title.join()) })),
      )
    },
    runVariants: (variants) =>
      Promise.resolve(
        variants.map(({ test, failure, call }) =>
          cell(test.title.join(), failure, { call, verdict: 'told', isQuiet: false }),
        ),
      ),
  })
  return {
    rounds,
    lines: replaced.map(({ test, failure, verdict }) => `${test.title.join()} ${failure}: ${verdict}`),
  }
}

describe('a failure under which a test passed', () => {
  it('is survived if the test looks at the operation', async () => {
    const { lines, rounds } = await replace([cell('a', 'slow')], [learned('a'), learned('b')], ['a'])
    expect(lines).toEqual(['a slow: survived'])
    expect(rounds).toEqual([['a']])
  })

  it('is tried in the next test that looks', async () => {
    const tests = ['a', 'b', 'c', 'd'].map((title) => learned(title))
    const { lines, rounds } = await replace([cell('a', 'slow'), cell('a', 'error')], tests, ['c', 'd'])
    expect(lines).toEqual(['c slow: told', 'c error: told'])
    expect(rounds).toEqual([['a'], ['b'], ['c', 'd']])
  })

  it('is unnoticed if no test looks', async () => {
    const { lines } = await replace([cell('a', 'slow')], [learned('a'), learned('b')], [])
    expect(lines).toEqual(['a slow: unnoticed'])
  })

  it('is survived if the app reacted, even in a test that never looks', async () => {
    const cells = [cell('a', 'slow'), cell('a', 'unavailable', { isQuiet: false })]
    const { lines } = await replace(cells, [learned('a')], [])
    expect(lines.toSorted()).toEqual(['a slow: unnoticed', 'a unavailable: survived'])
  })

  it('needs no further run if the test failed under another failure', async () => {
    const cells = [cell('a', 'slow'), cell('a', 'error', { verdict: 'told', isQuiet: false })]
    const { lines, rounds } = await replace(cells, [learned('a')], [])
    expect(lines).toEqual(['a slow: survived', 'a error: told'])
    expect(rounds).toEqual([])
  })

  it('counts by the test that looks, if several were planned', async () => {
    const cells = [cell('a', 'slow'), cell('b', 'slow')]
    const { lines, rounds } = await replace(cells, [learned('a'), learned('b')], ['b'])
    expect(lines).toEqual(['b slow: survived'])
    expect(rounds).toEqual([['a', 'b']])
  })

  it('is tried only in tests with as many calls', async () => {
    const tests = [learned('a', 2), learned('b', 1), learned('c', 2)]
    const { rounds } = await replace([cell('a', 'slow', { call: 2 })], tests, ['c'])
    expect(rounds).toEqual([['a'], ['c']])
  })
})
