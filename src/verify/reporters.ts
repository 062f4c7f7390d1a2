import type { CheckReport, Report, SubjectReport } from './report.ts'
import { escapeXml, toAttributes } from '../util/xml.ts'
import { toBasis, toLine, toVerdict } from './verdict.ts'

/** The report as JSON, for programs. */
export const toJson = (report: Report): string => JSON.stringify(report, undefined, 2)

const toSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

function toCase(check: CheckReport, subject: string): readonly string[] {
  const { says, outcome } = check
  const open = `<testcase${toAttributes({ classname: subject, name: `${says} (${toBasis(check)})` })}`
  if (outcome.kind === 'held') return [`    ${open}/>`]
  if (outcome.kind === 'untried') {
    return [`    ${open}>`, `      <skipped${toAttributes({ message: outcome.reason })}/>`, '    </testcase>']
  }
  const lines = outcome.faults.map(toLine)
  return [
    `    ${open}>`,
    `      <failure${toAttributes({ type: check.id, message: lines[0] ?? '' })}>${lines.map(escapeXml).join('\n')}</failure>`,
    '    </testcase>',
  ]
}

/** Reports leftovers as a failed suite, so that a CI pipeline notices them. */
const toLeftovers = ({ leftovers }: Report): readonly string[] =>
  leftovers.length === 0
    ? []
    : [
        `  <testsuite${toAttributes({ name: 'cleaning up', tests: leftovers.length, failures: leftovers.length, skipped: 0 })}>`,
        ...leftovers.flatMap((sentence) => [
          `    <testcase${toAttributes({ classname: 'cleaning up', name: 'removes what it wrote' })}>`,
          `      <failure${toAttributes({ type: 'leftover', message: sentence })}/>`,
          '    </testcase>',
        ]),
        '  </testsuite>',
      ]

function toSuite({ subject, checks, notes, milliseconds }: SubjectReport): readonly string[] {
  const kinds = checks.map(({ outcome }) => outcome.kind)
  const attributes = {
    name: subject,
    tests: checks.length,
    failures: kinds.filter((kind) => kind === 'failed').length,
    skipped: kinds.filter((kind) => kind === 'untried').length,
    time: toSeconds(milliseconds),
  }
  return [
    `  <testsuite${toAttributes(attributes)}>`,
    ...checks.flatMap((check) => toCase(check, subject)),
    ...(notes.length === 0 ? [] : [`    <system-out>${notes.map(escapeXml).join('\n')}</system-out>`]),
    '  </testsuite>',
  ]
}

/** The report as JUnit XML: a suite per subject, a case per check. */
export function toJunit(report: Report): string {
  const { counts, subjects, leftovers, milliseconds } = report
  const attributes = {
    name: 'resource-mock verify',
    tests: counts.held + counts.failed + counts.untried + leftovers.length,
    failures: counts.failed + leftovers.length,
    skipped: counts.untried,
    time: toSeconds(milliseconds),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${toAttributes(attributes)}>`,
    ...subjects.flatMap(toSuite),
    ...toLeftovers(report),
    '</testsuites>',
  ].join('\n')
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
