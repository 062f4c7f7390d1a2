import { isOperation } from '../../service/contract/endpoints.ts'
import { findNotBuilt, toList } from './fix-first.ts'
import type { CheckReport, Comparison, Finding, Report } from './report.ts'

/** The basis of a check: `spec 4.10, D18`. */
export const toBasis = ({ section, decision }: CheckReport): string =>
  `spec ${section}${decision === undefined ? '' : `, ${decision}`}`

/** Formats a finding as one line. */
export const toLine = ({ request, at, expected, actual }: Finding): string =>
  `${request}: ${at}: expected ${expected}, got ${actual}`

export const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`

/** Summarizes the report, one sentence per line. */
export function toVerdict(report: Report): readonly string[] {
  const { url, project, subjects, counts, isInterrupted, allowsWrites, milliseconds } = report
  const all = counts.held + counts.failed + counts.untried
  const operations = subjects.filter(({ subject }) => isOperation(subject)).length
  const others = subjects.map(({ subject }) => subject).filter((subject) => !isOperation(subject))
  const examined = [...(operations === 0 ? [] : [count(operations, 'operation')]), ...others].join(', ')
  const how = allowsWrites ? 'with writes' : 'read-only'
  return [
    ...(isInterrupted ? ['Interrupted. Everything written so far was removed.'] : []),
    `${url}, project ${project}, ${how}: ${examined}, ${count(all, 'check')} in ${(milliseconds / 1000).toFixed(1)} s:`,
    `${counts.held} passed, ${counts.failed} failed, ${counts.untried} not tried.`,
    ...toAdvice(report),
  ]
}

/** Says which operations are missing, and what to fix first. */
function toAdvice({ subjects, fixFirst }: Report): readonly string[] {
  const notBuilt = [...findNotBuilt(subjects)].map(([subject, status]) => `${subject} (${status})`)
  const isSingle = subjects.length === 1
  return [
    ...(notBuilt.length === 0 || isSingle
      ? []
      : [`Not found: ${toList(notBuilt, 6)}. To leave operations out, list the others with --only.`]),
    ...(fixFirst === undefined ? [] : [`Fix first: ${fixFirst.sentence}`]),
    // Checks that wait have no request of their own.
    ...(fixFirst?.example === undefined || fixFirst.waiting.length > 0
      ? []
      : [`For example: ${toLine(fixFirst.example)}`]),
  ]
}

/** Maximum number of check ids listed for each kind of change. */
const MOST_CHANGES = 10

/** Summarizes the differences from an earlier report. */
export function toChanges({ better, worse, revealed }: Comparison): readonly string[] {
  const lists = [
    ['Better', better],
    ['Worse', worse],
    ['Newly tried, and failed', revealed],
  ] as const
  return [
    `Since the earlier report: ${better.length} better, ${worse.length} worse, ${revealed.length} newly tried and failed.`,
    ...lists.flatMap(([title, ids]) => (ids.length === 0 ? [] : [`  ${title}: ${toList(ids, MOST_CHANGES)}`])),
  ]
}
