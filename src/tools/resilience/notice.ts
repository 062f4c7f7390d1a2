import { groupBy } from '../../util/collections.ts'
import type { DetailedCell } from './files.ts'
import { countCalls, findCallers, keyOf } from './plan.ts'
import type { Control, LearnedTest, PlannedVariant } from './plan.ts'
import type { ControlResult } from './report.ts'

/** A verdict as a test gave it. */
export interface JudgedCell extends Omit<DetailedCell, 'repeat'> {
  /** Whether the test passed, and the app neither said anything nor sent more requests: it may never look. */
  readonly isQuiet: boolean
}

/** What runs tests. */
export interface Runs {
  readonly runControls: (controls: readonly Control[]) => Promise<readonly ControlResult[]>
  readonly runVariants: (variants: readonly PlannedVariant[]) => Promise<readonly JudgedCell[]>
}

type Place = Pick<PlannedVariant, 'operation' | 'call'>

const keyOfCall = ({ operation, call }: Place): string => `${operation}:${call}`
const keyOfTrial = (one: Place & Pick<PlannedVariant, 'test'>): string => `${keyOfCall(one)} ${keyOf(one.test)}`

const isCovered = ({ operation, failure, call }: JudgedCell, by: readonly JudgedCell[]): boolean =>
  by.some((other) => other.operation === operation && other.failure === failure && other.call === call)

/**
 * Finds a test that notices for each call that no test has noticed so far.
 *
 * @param open the cells without such a test
 * @param isKnown whether a test of a call is known not to notice
 * @returns the variants of `open`, in the tests that were found
 */
async function findNoticing(
  open: readonly JudgedCell[],
  tests: readonly LearnedTest[],
  isKnown: (trial: Place & Pick<PlannedVariant, 'test'>) => boolean,
  { runControls }: Runs,
): Promise<readonly PlannedVariant[]> {
  const found: PlannedVariant[] = []
  let searches = groupBy(open, keyOfCall).map((cells) => {
    const [{ operation, failure, call }] = cells
    const trials = findCallers(tests, operation)
      .filter((one) => countCalls(one, operation) >= call)
      .map(({ test }): Control => ({ operation, failure, call, test, isControl: true }))
    return { cells, controls: trials.filter((trial) => !isKnown(trial)) }
  })
  // Each round starts the suite once. The cheapest test that notices is usually among the first.
  for (let size = 1; searches.some(({ controls }) => controls.length > 0); size *= 2) {
    const results = await runControls(searches.flatMap(({ controls }) => controls.slice(0, size)))
    const noticed = new Set(results.flatMap(({ variant, isNoticed }) => (isNoticed ? keyOfTrial(variant) : [])))
    searches = searches.flatMap(({ cells, controls }) => {
      const first = controls.slice(0, size).find((control) => noticed.has(keyOfTrial(control)))
      if (first === undefined) return [{ cells, controls: controls.slice(size) }]
      const { test } = first
      found.push(...cells.map(({ operation, failure, call }) => ({ operation, failure, call, test })))
      return []
    })
  }
  return found
}

/**
 * Replaces verdicts of tests that never look at the failed operation: by those of a test that does, or else by `unnoticed`.
 * Whether a test looks is only in doubt if it passed under each failure of the operation, and quietly under one.
 */
export async function replaceUnnoticed(
  cells: readonly JudgedCell[],
  tests: readonly LearnedTest[],
  runs: Runs,
): Promise<readonly JudgedCell[]> {
  const hasFailed = ({ verdict }: JudgedCell): boolean => verdict === 'told' || verdict === 'broken'
  const doubtful = groupBy(cells, keyOfTrial).filter(
    (group) => !group.some(hasFailed) && group.some(({ isQuiet }) => isQuiet),
  )
  if (doubtful.length === 0) return cells
  const results = await runs.runControls(
    doubtful.map(([{ operation, failure, call, test }]) => ({ operation, failure, call, test, isControl: true })),
  )
  const blind = new Set(results.flatMap(({ variant, isNoticed }) => (isNoticed ? [] : keyOfTrial(variant))))
  const isKnown = (trial: Place & Pick<PlannedVariant, 'test'>): boolean => blind.has(keyOfTrial(trial))
  const unnoticed = cells.filter((cell) => cell.isQuiet && isKnown(cell))
  const noticed = cells.filter((cell) => !unnoticed.includes(cell))
  const open = unnoticed.filter((cell) => !isCovered(cell, noticed))
  const variants = await findNoticing(open, tests, isKnown, runs)
  const settled = [...noticed, ...(variants.length === 0 ? [] : await runs.runVariants(variants))]
  const left = unnoticed.filter((cell) => !isCovered(cell, settled))
  return [
    ...settled,
    ...left.map((cell): JudgedCell => ({
      ...cell,
      verdict: 'unnoticed',
      why: `The test passes whatever ${cell.operation} returns, and so does every other test that calls it. Add a test that checks what the user sees.`,
    })),
  ]
}
