import { findCause } from '../../service/scenarios/causes.ts'
import { findCalledOperations } from '../../service/scenarios/schema.ts'
import { OTHER_STATUS, documentedResponses, recoveryKinds, recoveryStatuses, toCountName } from './counts.ts'
import type { CoverageCounts, RecoveryKind } from './counts.ts'
import type { CalledOperation } from '../../service/contract/endpoints.ts'
import type { Scenario } from '../../service/scenarios/schema.ts'

/** The number of items covered (`met`), and their total (`of`). */
export interface Share {
  readonly met: number
  readonly of: number
}

/** An item, and a scenario that causes it if it was not covered and there is one. */
interface MissableItem {
  readonly met: number
  readonly scenario?: string
}

/** Which parts of the contract and which scenarios were covered by requests. Uncovered items have `met: 0`. */
export interface CoverageReport {
  readonly summary: Share & {
    /** `met` as a percentage of `of`, rounded down to one decimal place. */
    readonly percent: number
    readonly operations: Share
    readonly statuses: Share
    readonly errors: Share
    readonly scenarios: Share
    readonly recoveries: Share
  }
  /** All operations with their documented statuses and error codes. */
  readonly operations: readonly {
    readonly id: CalledOperation
    readonly met: number
    /** How many of these requests had no response, because their clients left; absent if none. */
    readonly clientLeft?: number
    readonly statuses: readonly (MissableItem & { readonly status: number })[]
    readonly errors: readonly (MissableItem & { readonly code: string })[]
  }[]
  /** Built-in scenarios and those loaded from files. */
  readonly scenarios: readonly {
    readonly name: string
    readonly met: number
    /** The operations that the scenario can affect. */
    readonly operations: readonly CalledOperation[]
  }[]
  /** Failures that clients can recover from by resending the request, and how often they did. */
  readonly recoveries: readonly {
    readonly kind: RecoveryKind
    readonly failed: number
    readonly recovered: number
  }[]
}

type Lists = Omit<CoverageReport, 'summary'>

function toShare(counts: readonly number[]): Share {
  return { met: counts.filter((count) => count > 0).length, of: counts.length }
}

/** `met` as a percentage of `of`, rounded down to one decimal place; 100 if `of` is 0. */
export const toPercent = ({ met, of }: Share): number => (of === 0 ? 100 : Math.floor((1000 * met) / of) / 10)

/** Adds a summary in which every list entry counts once. */
function summarize({ operations, scenarios, recoveries }: Lists): CoverageReport {
  const parts = {
    operations: toShare(operations.map(({ met }) => met)),
    statuses: toShare(operations.flatMap(({ statuses }) => statuses.map(({ met }) => met))),
    errors: toShare(operations.flatMap(({ errors }) => errors.map(({ met }) => met))),
    scenarios: toShare(scenarios.map(({ met }) => met)),
    recoveries: toShare(recoveries.map(({ recovered }) => recovered)),
  }
  const sum = (member: keyof Share): number => Object.values(parts).reduce((total, part) => total + part[member], 0)
  const share = { met: sum('met'), of: sum('of') }
  return { summary: { ...share, percent: toPercent(share), ...parts }, operations, scenarios, recoveries }
}

/**
 * Builds a coverage report from counts.
 *
 * @param scenarios those of the mock, which the report lists
 * @param defined those of the session, which can also cause what was not covered
 */
export function toCoverageReport(
  counts: CoverageCounts,
  scenarios: readonly Scenario[],
  defined: Iterable<Scenario> = [],
): CoverageReport {
  const causing = [...scenarios, ...defined]
  const countOf = (name: string): number => counts.get(name) ?? 0
  function toItem(id: CalledOperation, wanted: number | string, met: number): MissableItem {
    const scenario = met > 0 ? undefined : findCause(causing, id, wanted)
    return { met, ...(scenario === undefined ? {} : { scenario }) }
  }
  return summarize({
    operations: Array.from(documentedResponses, ([id, lists]) => {
      const statuses = lists.statuses.map((status) => ({
        status,
        ...toItem(id, status, countOf(toCountName.status(id, status))),
      }))
      const clientLeft = countOf(toCountName.clientLeft(id))
      return {
        id,
        met: statuses.reduce((sum, { met }) => sum + met, countOf(`${id} ${OTHER_STATUS}`) + clientLeft),
        ...(clientLeft === 0 ? {} : { clientLeft }),
        statuses,
        errors: lists.errors.map((code) => ({ code, ...toItem(id, code, countOf(toCountName.error(id, code))) })),
      }
    }),
    scenarios: scenarios.map(({ name, rules }) => ({
      name,
      met: countOf(toCountName.scenario(name)),
      operations: [...new Set(rules.flatMap(({ match }) => findCalledOperations(match?.operation, match?.method)))],
    })),
    recoveries: recoveryKinds.map((kind) => ({
      kind,
      failed: countOf(toCountName.failed(kind)),
      recovered: countOf(toCountName.recovered(kind)),
    })),
  })
}

/** Restricts a report to some operations, and to the scenarios and recoveries that apply to them. */
export function restrictReport(
  { operations, scenarios, recoveries }: CoverageReport,
  only: readonly string[],
): CoverageReport {
  const restricted = operations.filter(({ id }) => only.includes(id))
  const statuses = new Set(restricted.flatMap((operation) => operation.statuses.map(({ status }) => status)))
  return summarize({
    operations: restricted,
    scenarios: scenarios.filter((scenario) => scenario.operations.some((id) => only.includes(id))),
    recoveries: recoveries.filter(({ kind }) => statuses.has(recoveryStatuses[kind])),
  })
}

/** Merges lists, adding up entries with the same name. */
function addUp<Entry>(
  lists: readonly (readonly Entry[])[],
  name: (entry: Entry) => unknown,
  add: (a: Entry, b: Entry) => Entry,
) {
  const sums = new Map<unknown, Entry>()
  for (const entry of lists.flat()) {
    const known = sums.get(name(entry))
    sums.set(name(entry), known === undefined ? entry : add(known, entry))
  }
  return [...sums.values()]
}

/** Adds up counts. An item that one of the reports covers needs no scenario. */
const addMet = <Entry extends MissableItem>(a: Entry, b: Entry): Entry => ({
  ...(a.met > 0 ? a : b),
  met: a.met + b.met,
})

/** Merges the reports of several sessions or mocks. */
export function addReports(reports: readonly CoverageReport[]): CoverageReport {
  return summarize({
    operations: addUp(
      reports.map(({ operations }) => operations),
      ({ id }) => id,
      (a, b) => ({
        ...addMet(a, b),
        ...(a.clientLeft === undefined && b.clientLeft === undefined
          ? {}
          : { clientLeft: (a.clientLeft ?? 0) + (b.clientLeft ?? 0) }),
        statuses: addUp([a.statuses, b.statuses], ({ status }) => status, addMet),
        errors: addUp([a.errors, b.errors], ({ code }) => code, addMet),
      }),
    ),
    scenarios: addUp(
      reports.map(({ scenarios }) => scenarios),
      ({ name }) => name,
      addMet,
    ),
    recoveries: addUp(
      reports.map(({ recoveries }) => recoveries),
      ({ kind }) => kind,
      (a, b) => ({ ...a, failed: a.failed + b.failed, recovered: a.recovered + b.recovered }),
    ),
  })
}

/** The titles of a report's parts. */
export const COVERAGE_PARTS = {
  operations: 'Operations',
  statuses: 'Statuses',
  errors: 'Error codes',
  scenarios: 'Scenarios',
  recoveries: 'Recoveries',
} as const

export type CoveragePart = keyof typeof COVERAGE_PARTS

/** How a client recovers from each failure. */
export const RECOVERY_TEXTS = {
  unauthorized: '401, then a new token',
  conflict: '409, then sent again',
  rateLimited: '429, then resent after Retry-After',
  unavailable: '503, then sent again',
} as const

const WIDTH = 100

/** Formats a titled list, wrapped at {@link WIDTH} columns. */
function toWrappedList(title: string, words: readonly (string | number)[]): readonly string[] {
  if (words.length === 0) return []
  const lines = [`  ${title}`]
  for (const [at, word] of words.entries()) {
    const last = lines.at(-1) ?? ''
    const text = `${word}${at === words.length - 1 ? '' : ','}`
    if (at > 0 && last.length + text.length >= WIDTH) lines.push(`    ${text}`)
    else lines[lines.length - 1] = `${last} ${text}`
  }
  return lines
}

const isNever = ({ met }: { readonly met: number }): boolean => met === 0

/** How to cover the statuses that are listed as missing. */
function toHint(called: CoverageReport['operations']): readonly string[] {
  const missing = called.flatMap(({ id, statuses }) =>
    statuses.filter(isNever).map((item): typeof item & { readonly id: CalledOperation } => ({ ...item, id })),
  )
  if (missing.length === 0) return []
  const other = missing.find(({ status, scenario }) => scenario === undefined && status >= 400)
  const { status = 0, id } = other ?? {}
  return [
    '',
    'The names in parentheses are scenarios that cause the status.',
    ...(other === undefined ? [] : [`For the others, such as ${status} of ${id}, send Prefer: code=${status}.`]),
  ]
}

/** The headline of a text report. */
export const toHeadline = ({ summary: { met, of, percent } }: CoverageReport): string =>
  `Coverage of failure: ${percent} % (${met} of ${of} met)`

/** Explains why coverage is below the minimum; undefined if it is not. */
export function describeShortfall({ summary: { met, of, percent } }: CoverageReport, min: number): string | undefined {
  if (100 * met >= min * of) return undefined
  return `The coverage of failure is ${percent} %, below the minimum of ${min} %.`
}

/** Formats a report as text: a summary, then the uncovered items. */
export function toCoverageText(report: CoverageReport): string {
  const { summary, operations, scenarios, recoveries } = report
  const parts = Object.entries(COVERAGE_PARTS) as [CoveragePart, string][]
  const met = operations.filter((operation) => !isNever(operation))
  return [
    toHeadline(report),
    ...parts.map(
      ([part, title]) => `  ${title.padEnd(12)} ${String(summary[part].met).padStart(4)} of ${summary[part].of}`,
    ),
    ...toWrappedList(
      'Left by clients before the response:',
      operations.flatMap(({ id, clientLeft }) => (clientLeft === undefined ? [] : [`${id} (${clientLeft})`])),
    ),
    '',
    'Never met:',
    ...met.flatMap(({ id, statuses, errors }) =>
      toWrappedList(`${id}:`, [
        ...statuses
          .filter(isNever)
          .map(({ status, scenario }) => (scenario === undefined ? String(status) : `${status} (${scenario})`)),
        ...errors.filter(isNever).map(({ code }) => code),
      ]),
    ),
    ...toWrappedList(
      'Operations:',
      operations.filter(isNever).map(({ id }) => id),
    ),
    ...toWrappedList(
      'Scenarios:',
      scenarios.filter(isNever).map(({ name }) => name),
    ),
    ...toWrappedList(
      'Recoveries:',
      recoveries.flatMap(({ kind, recovered }) => (recovered > 0 ? [] : [`${kind} (${RECOVERY_TEXTS[kind]})`])),
    ),
    ...(summary.met === summary.of ? ['  nothing'] : []),
    ...toHint(met),
  ].join('\n')
}
