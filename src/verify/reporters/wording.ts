import { endpoints } from '../../contract/endpoints.ts'
import type { CheckReport, Fault, Report } from '../report.ts'

/** What a check rests on: `spec 4.10, D18`. */
export const toBasis = ({ section, decision }: CheckReport): string =>
  `spec ${section}${decision === undefined ? '' : `, ${decision}`}`

/** A fault in one line. */
export const toLine = ({ request, at, expected, actual }: Fault): string =>
  `${request}: ${at}: expected ${expected}, got ${actual}`

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`

/** What the whole report comes to, a sentence a line. */
export function toVerdict(report: Report): readonly string[] {
  const { url, project, subjects, counts, isInterrupted, allowsWrites, milliseconds } = report
  const all = counts.held + counts.failed + counts.untried
  const operations = subjects.filter(({ subject }) => subject in endpoints).length
  const others = subjects.map(({ subject }) => subject).filter((subject) => !(subject in endpoints))
  const examined = [...(operations === 0 ? [] : [count(operations, 'operation')]), ...others].join(', ')
  const how = allowsWrites ? 'with writes' : 'read-only'
  return [
    ...(isInterrupted ? ['Interrupted: what was written so far was removed.'] : []),
    `${url}, project ${project}, ${how}: ${examined}, ${count(all, 'check')} in ${(milliseconds / 1000).toFixed(1)} s:`,
    `${counts.held} held, ${counts.failed} failed, ${counts.untried} not tried.`,
  ]
}
