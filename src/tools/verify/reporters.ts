import type { CheckReport, Report } from './report.ts'
import { toJunitXml } from '../../util/junit.ts'
import type { JunitCase } from '../../util/junit.ts'
import { toBasis, toLine, toVerdict } from './verdict.ts'

/** The report as JSON, for programs. */
export const toJson = (report: Report): string => JSON.stringify(report, undefined, 2)

function toCase(check: CheckReport): JunitCase {
  const { id, says, outcome } = check
  const name = `${says} (${toBasis(check)})`
  if (outcome.kind === 'held') return { name }
  if (outcome.kind === 'untried') return { name, skipped: outcome.reason }
  const lines = outcome.faults.map(toLine)
  return { name, failure: { type: id, message: lines[0] ?? '', text: lines.join('\n') } }
}

/** The report as JUnit XML: a suite per subject, a case per check. Leftovers fail, so that a CI pipeline notices them. */
export function toJunit({ subjects, leftovers, ...report }: Report): string {
  const suites = subjects.map(({ subject, checks, notes, milliseconds }) => ({
    name: subject,
    cases: checks.map(toCase),
    notes,
    milliseconds,
  }))
  const left = leftovers.map((message) => ({ name: 'removes what it wrote', failure: { type: 'leftover', message } }))
  const cleanup = left.length === 0 ? [] : [{ name: 'cleaning up', cases: left }]
  return toJunitXml('resource-mock verify', [...suites, ...cleanup], report.milliseconds)
}

/** A description is a single line in which `#` and `\` must be escaped. */
const describe = (text: string): string => text.replace(/[\r\n]+/g, ' ').replace(/[\\#]/g, '\\$&')

/** JSON is valid YAML. */
const toYaml = (value: string): string => JSON.stringify(value)

/** The diagnostics of a test point: a YAML block, indented by two. */
function toDiagnostics({ outcome, id, section, decision }: CheckReport): readonly string[] {
  if (outcome.kind !== 'failed') return []
  return [
    '  ---',
    `  check: ${id}`,
    `  section: ${toYaml(section)}`,
    ...(decision === undefined ? [] : [`  decision: ${decision}`]),
    '  faults:',
    ...outcome.faults.flatMap(({ request, at, expected, actual }) => [
      `    - request: ${toYaml(request)}`,
      `      at: ${toYaml(at)}`,
      `      expected: ${toYaml(expected)}`,
      `      actual: ${toYaml(actual)}`,
    ]),
    '  ...',
  ]
}

/** The report as TAP 14: a test point per check. */
export function toTap(report: Report): string {
  const checks = report.subjects.flatMap(({ subject, checks }) => checks.map((check) => ({ subject, check })))
  const points = checks.flatMap(({ subject, check }, at) => {
    const { outcome, says } = check
    const skip = outcome.kind === 'untried' ? ` # SKIP ${describe(outcome.reason)}` : ''
    const ok = outcome.kind === 'failed' ? 'not ok' : 'ok'
    const description = describe(`${subject} ${says} (${toBasis(check)})`)
    return [`${ok} ${at + 1} - ${description}${skip}`, ...toDiagnostics(check)]
  })
  const left = report.leftovers.map(
    (sentence, at) => `not ok ${checks.length + at + 1} - left behind: ${describe(sentence)}`,
  )
  const notes = report.subjects.flatMap(({ subject, notes }) => notes.map((note) => `# ${subject}: ${note}`))
  return [
    'TAP version 14',
    `1..${checks.length + left.length}`,
    ...points,
    ...left,
    ...notes,
    ...toVerdict(report).map((sentence) => `# ${sentence}`),
  ].join('\n')
}
