import { findJson } from '../../service/http/json.ts'
import * as z from 'zod'
import { calledOperations } from '../../service/contract/endpoints.ts'
import { SetupError } from '../../errors.ts'
import { groupBy } from '../../util/collections.ts'
import { toTerminalText } from '../../util/quote.ts'
import { failureNames } from './failures.ts'
import type { CellName } from './failures.ts'
import { testName, toTestText, toVariantCount } from './plan.ts'
import type { Control, LearnedTest, LeftOut, PlannedVariant } from './plan.ts'
import { verdicts } from './verdict.ts'
import type { Verdict } from './verdict.ts'

const cellSchema = z.object({
  operation: z.enum(calledOperations),
  failure: z.enum(failureNames),
  /** Which call of the operation failed: 1 for the first. */
  call: z.int().min(1).default(1),
  verdict: z.enum(verdicts),
  why: z.string(),
  test: testName,
  /** The name of the mock's session. */
  session: z.string(),
  /** The command that repeats the variant. */
  repeat: z.string(),
})

/** The verdict on one variant. */
export type Cell = z.output<typeof cellSchema>

/** What is shown of a variant that was not survived. */
export interface Detail {
  /** The first line of the test's error. */
  readonly error: string | undefined
  readonly requests: readonly string[]
  readonly versions: readonly string[]
  readonly explanation: string
  /** A JPEG image in base64. */
  readonly screenshot?: string
}

/** A file that a test writes. */
export type TrialResult =
  | { readonly learned: LearnedTest }
  | { readonly variant: PlannedVariant; readonly leftOut: LeftOut }
  | {
      readonly variant: PlannedVariant
      readonly cell: Omit<Cell, 'repeat'>
      readonly detail?: Detail
      readonly isQuiet: boolean
    }
  | ControlResult

/** Whether a test noticed that the responses to an operation were useless. */
export interface ControlResult {
  readonly variant: Control
  readonly isNoticed: boolean
}

/** The verdicts of a run. */
export interface ResilienceReport {
  readonly summary: Readonly<Record<Verdict | 'of', number>>
  readonly cells: readonly Cell[]
  readonly leftOut: readonly LeftOut[]
}

/** The position of a cell in the order of the contract. */
const rank = ({ operation, failure }: CellName): number =>
  calledOperations.indexOf(operation) * failureNames.length + failureNames.indexOf(failure)

/** Creates the report, in the order of the contract. */
export function toReport(cells: readonly Cell[], leftOut: readonly LeftOut[]): ResilienceReport {
  const countOf = (verdict: Verdict): number => cells.filter((cell) => cell.verdict === verdict).length
  // Every verdict has a count.
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, countOf(verdict)])) as Record<Verdict, number>
  const ordered = cells.toSorted(
    (a, b) => rank(a) - rank(b) || toTestText(a.test).localeCompare(toTestText(b.test), 'en') || a.call - b.call,
  )
  return { summary: { ...counts, of: cells.length }, cells: ordered, leftOut }
}

/** The worst verdict of each cell of the matrix. */
function toWorst(cells: readonly Pick<Cell, 'operation' | 'failure' | 'verdict'>[]): ReadonlyMap<string, Verdict> {
  const worst = new Map<string, Verdict>()
  for (const { operation, failure, verdict } of cells) {
    const known = worst.get(`${operation}:${failure}`) ?? 'survived'
    const isWorse = verdicts.indexOf(verdict) >= verdicts.indexOf(known)
    worst.set(`${operation}:${failure}`, isWorse ? verdict : known)
  }
  return worst
}

/** Wraps an operation id between its words: `getResource`, `ById`. */
function toHead(operation: string): readonly string[] {
  const lines: string[] = []
  for (const word of operation.split(/(?=[A-Z])/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length <= 11) lines[lines.length - 1] = last + word
    else lines.push(word)
  }
  return lines
}

/** The matrix as a table, with a row for each failure and a column for each operation. */
function toMatrix(cells: readonly Cell[]): readonly string[] {
  const worst = toWorst(cells)
  const operations = calledOperations.filter((id) => cells.some(({ operation }) => operation === id))
  const heads = operations.map(toHead)
  const height = Math.max(...heads.map(({ length }) => length))
  const widths = heads.map((lines) => Math.max(9, ...lines.map(({ length }) => length)))
  const first = Math.max(...failureNames.map(({ length }) => length))
  const toRow = (name: string, columns: readonly string[]) =>
    [name.padEnd(first), ...columns.map((text, at) => text.padEnd(widths[at] ?? 0))].join('  ').trimEnd()
  const head = Array.from({ length: height }, (_, line) =>
    toRow(
      '',
      heads.map((lines) => lines[line] ?? ''),
    ),
  )
  const rows = failureNames
    .filter((name) => cells.some(({ failure }) => failure === name))
    .map((failure) =>
      toRow(
        failure,
        operations.map((operation) => worst.get(`${operation}:${failure}`) ?? '–'),
      ),
    )
  return [...head, ...rows]
}

/** For example `updateResource under conflict`, or `updateResource under conflict of call 2`. */
export const toCellText = ({ operation, failure, call }: Cell): string =>
  `${operation} under ${failure}${call === 1 ? '' : ` of call ${call}`}`

/** What got better and worse since an earlier report, by cell of the matrix. */
function compareCells(cells: readonly Cell[], earlier: readonly Cell[]): readonly string[] {
  const before = toWorst(earlier)
  const lines = { worse: new Array<string>(), better: new Array<string>() }
  for (const [name, verdict] of toWorst(cells)) {
    const old = before.get(name)
    if (old === undefined || old === verdict) continue
    const kind = verdicts.indexOf(verdict) > verdicts.indexOf(old) ? 'worse' : 'better'
    lines[kind].push(`  ${name}: ${old} → ${verdict}`)
  }
  return Object.entries(lines).flatMap(([kind, list]) => [`${list.length} ${kind} than in the baseline`, ...list])
}

/** The report for a terminal. */
export function toText(report: ResilienceReport, baseline: readonly Cell[] | undefined): string {
  const { cells, leftOut } = report
  const notable = cells.filter(({ verdict }) => verdict !== 'survived')
  const counts = verdicts
    .filter((verdict) => report.summary[verdict] > 0)
    .map((verdict) => `${report.summary[verdict]} ${verdict}`)
  const blocks = [
    cells.length === 0 ? [] : toMatrix(cells),
    ...notable.map((cell) => [
      `${cell.verdict}: ${toCellText(cell)}, in ${toTestText(cell.test)}`,
      `  ${cell.why}`,
      `  ${cell.repeat}`,
    ]),
    leftOut.length === 0
      ? []
      : [
          'Left out:',
          ...groupBy(leftOut, ({ test, operation, why }) => JSON.stringify([test, operation, why])).map((group) => {
            const [{ test, operation, why }] = group
            const names = group.map(({ failure }) => failure).join(', ')
            return `  ${toTestText(test)}${operation === undefined ? '' : ` under ${operation}:${names}`}: ${why}`
          }),
        ],
    baseline === undefined ? [] : compareCells(cells, baseline),
    [`${toVariantCount(report.summary.of)}${counts.length === 0 ? '' : ': '}${counts.join(', ')}`],
  ]
  const text = blocks
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
  // The errors of pages and the titles of tests may contain anything.
  return toTerminalText(text)
}

/** Parses an earlier report. @throws {SetupError} if it is none. */
export function parseBaseline(text: string, path: string): readonly Cell[] {
  const { data } = z.object({ cells: z.array(cellSchema).readonly() }).safeParse(findJson(text))
  if (data !== undefined) return data.cells
  throw new SetupError(`--baseline: ${path} is not a report of this command. Write one with --report ${path}`)
}

/** What decides the exit status. */
export interface Demands {
  /** In percent. */
  readonly minSurvived: number | undefined
  readonly allow: readonly Verdict[]
  readonly failOn: readonly Verdict[]
}

/**
 * Why a report does not meet the demands, in a sentence; undefined if it does.
 *
 * @param notRun number of planned variants that did not run
 */
export function findShortfall(
  { summary }: ResilienceReport,
  { minSurvived, allow, failOn }: Demands,
  notRun: number,
): string | undefined {
  if (minSurvived === undefined && allow.length + failOn.length === 0) return undefined
  const failing = failOn.filter((verdict) => summary[verdict] > 0)
  if (failing.length > 0)
    return `--fail-on: ${failing.map((verdict) => `${toVariantCount(summary[verdict])} ${verdict}`).join(', ')}.`
  if (notRun > 0)
    return `${toVariantCount(notRun)} of the plan did not run, so the demands are not met. Allow more with --max-time.`
  if (summary.of === 0)
    return 'No variant was judged, so nothing is known of the app. Check --only, the plan, and the tests that were left out.'
  const least = minSurvived ?? (allow.length > 0 ? 100 : 0)
  const good = [...new Set<Verdict>(['survived', ...allow])].reduce((sum, verdict) => sum + summary[verdict], 0)
  const share = (100 * good) / summary.of
  const what = ['survived', ...allow].join(' or ')
  return share >= least
    ? undefined
    : `${Math.floor(share * 10) / 10} % of the variants ${what}, but at least ${least} % were asked for.`
}
