import type { CheckReport, Report } from '../report.ts'
import { toBasis, toVerdict } from './wording.ts'

/** A description is one line, in which `#` and `\` have a meaning. */
const describe = (text: string): string => text.replace(/[\r\n]+/g, ' ').replace(/[\\#]/g, '\\$&')

/** Within YAML, JSON is YAML. */
const toYaml = (value: string): string => JSON.stringify(value)

/** A point's diagnostics: a YAML block, indented by two. */
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

/** The report as TAP 14: a test point for each check. */
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
