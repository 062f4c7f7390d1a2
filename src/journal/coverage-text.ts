import type { CoverageReport, Share } from './coverage-report.ts'

/** The parts of a report, and their titles. */
export const COVERAGE_PARTS = {
  operations: 'Operations',
  statuses: 'Statuses',
  errors: 'Error codes',
  scenarios: 'Scenarios',
  recoveries: 'Recoveries',
} as const

export type CoveragePart = keyof typeof COVERAGE_PARTS

/** What a client does after each failure. */
export const RECOVERY_TEXTS = {
  unauthorized: '401, then a new token',
  conflict: '409, then sent again',
  rateLimited: '429, then sent again after Retry-After',
  unavailable: '503, then sent again',
} as const

const WIDTH = 100

/** A titled list of words, broken into lines. */
function toLines(title: string, words: readonly (string | number)[]): readonly string[] {
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

function toSummaryLine(title: string, { met, of }: Share): string {
  return `  ${title.padEnd(12)} ${String(met).padStart(4)} of ${of}`
}

/** The sentence that the other lines explain. */
export const toHeadline = ({ summary: { met, of, percent } }: CoverageReport): string =>
  `Coverage of failure: ${percent} % (${met} of ${of} met)`

/** Says why a report is not enough; undefined if it is. */
export function describeShortfall({ summary: { met, of, percent } }: CoverageReport, min: number): string | undefined {
  if (100 * met >= min * of) return undefined
  return `The coverage of failure is ${percent} %, less than the ${min} % that min asks for.`
}

/** Writes a report as text: how much was met, and what never was. */
export function toCoverageText(report: CoverageReport): string {
  const { summary, operations, scenarios, recoveries } = report
  const parts = Object.entries(COVERAGE_PARTS) as [CoveragePart, string][]
  const met = operations.filter((operation) => !isNever(operation))
  return [
    toHeadline(report),
    ...parts.map(([part, title]) => toSummaryLine(title, summary[part])),
    '',
    'Never met:',
    ...met.flatMap(({ id, statuses, errors }) => [
      ...toLines(`${id}:`, [
        ...statuses.filter(isNever).map(({ status }) => status),
        ...errors.filter(isNever).map(({ code }) => code),
      ]),
    ]),
    ...toLines(
      'Operations:',
      operations.filter(isNever).map(({ id }) => id),
    ),
    ...toLines(
      'Scenarios:',
      scenarios.filter(isNever).map(({ name }) => name),
    ),
    ...toLines(
      'Recoveries:',
      recoveries.flatMap(({ kind, recovered }) => (recovered > 0 ? [] : [`${kind} (${RECOVERY_TEXTS[kind]})`])),
    ),
    ...(summary.met === summary.of ? ['  nothing'] : []),
  ].join('\n')
}
