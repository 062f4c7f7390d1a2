import type { CheckReport, Fault, SubjectReport, Report } from '../report.ts'
import { toBasis, toVerdict } from './wording.ts'

/** How a part of a line looks. */
export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Styles a text for where it is shown; texts of the provider go through it too. */
export type Paint = (style: Style, text: string) => string

/** A check with more faults than this has one cause, and is told by the first few. */
const MOST_FAULTS = 5

const MARKS = { held: '✓', failed: '✗', untried: '○' } as const
const STYLES = { held: 'green', failed: 'red', untried: 'yellow' } as const

/** The reason that all checks of a subject were not tried for; undefined where some were, or reasons differ. */
function findSharedReason({ checks }: SubjectReport): string | undefined {
  const reasons = new Set(checks.map(({ outcome }) => (outcome.kind === 'untried' ? outcome.reason : undefined)))
  const [reason] = reasons
  return reasons.size === 1 ? reason : undefined
}

/** A report for people: each subject, and beneath it what held, what failed and how, and what could not be tried. */
export function toPretty(report: Report, paint: Paint): string {
  /** The faults of one answer are listed below its request. */
  const toFault = (
    { request, at, expected, actual }: Fault,
    index: number,
    all: readonly Fault[],
  ): readonly string[] => [
    ...(request === all[index - 1]?.request ? [] : [`      ${paint('dim', request)}`]),
    `        ${paint('plain', at)}: expected ${paint('green', expected)}, got ${paint('red', actual)}`,
  ]

  function toCheck(check: CheckReport): readonly string[] {
    const { says, outcome } = check
    const line = `  ${paint(STYLES[outcome.kind], MARKS[outcome.kind])} ${paint('plain', says)}`
    if (outcome.kind === 'held') return [line]
    if (outcome.kind === 'untried') return [`${line} ${paint('dim', `— not tried: ${outcome.reason}`)}`]
    const { faults } = outcome
    const more = faults.length - MOST_FAULTS
    return [
      `${line} ${paint('dim', `(${toBasis(check)})`)}`,
      ...faults.slice(0, MOST_FAULTS).flatMap(toFault),
      ...(more > 0 ? [`      ${paint('dim', `and ${more} more`)}`] : []),
    ]
  }

  function toSubject(subject: SubjectReport): readonly string[] {
    const { method, path, notes } = subject
    const title = `${paint('bold', subject.subject)} ${paint('dim', `${method} ${path}`)}`
    const reason = findSharedReason(subject)
    if (reason !== undefined)
      return [title, `  ${paint('yellow', MARKS.untried)} not tried: ${paint('dim', reason)}`, '']
    return [title, ...subject.checks.flatMap(toCheck), ...notes.map((note) => `  ${paint('dim', `note: ${note}`)}`), '']
  }

  return [
    ...report.subjects.flatMap(toSubject),
    ...report.leftovers.map((sentence) => paint('red', `Left behind: ${sentence}`)),
    ...toVerdict(report).map((sentence) => paint('bold', sentence)),
  ].join('\n')
}
