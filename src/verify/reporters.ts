import { endpoints } from '../contract/endpoints.ts'
import type { CheckReport, Finding, Report, SubjectReport } from './report.ts'

/** What a check rests on: `spec 4.10, D18`. */
export const toBasis = ({ section, decision }: CheckReport): string =>
  `spec ${section}${decision === undefined ? '' : `, ${decision}`}`

/** A finding in one line. */
export const toLine = ({ request, at, expected, actual }: Finding): string =>
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

/** The report as it is, for programs. */
export const toJson = (report: Report): string => JSON.stringify(report, undefined, 2)

/** How a part of a line looks. */
export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Styles a text for its medium; texts of the provider go through it too. */
export type Paint = (style: Style, text: string) => string

/** A check with more findings than this has one cause, and the first few show it. */
const MOST_FINDINGS = 5

const MARKS = { held: '✓', failed: '✗', untried: '○' } as const
const STYLES = { held: 'green', failed: 'red', untried: 'yellow' } as const

/** The reason that all checks of a subject were not tried for; undefined if some were, or reasons differ. */
function findSharedReason({ checks }: SubjectReport): string | undefined {
  const reasons = new Set(checks.map(({ outcome }) => (outcome.kind === 'untried' ? outcome.reason : undefined)))
  const [reason] = reasons
  return reasons.size === 1 ? reason : undefined
}

/** A report for people: each subject, and beneath it what held, what failed and how, and what could not be tried. */
export function toPretty(report: Report, paint: Paint): string {
  /** The findings of one answer are listed below its request. */
  const toFinding = (
    { request, at, expected, actual }: Finding,
    index: number,
    all: readonly Finding[],
  ): readonly string[] => [
    ...(request === all[index - 1]?.request ? [] : [`      ${paint('dim', request)}`]),
    `        ${paint('plain', at)}: expected ${paint('green', expected)}, got ${paint('red', actual)}`,
  ]

  function toCheck(check: CheckReport): readonly string[] {
    const { says, outcome } = check
    const line = `  ${paint(STYLES[outcome.kind], MARKS[outcome.kind])} ${paint('plain', says)}`
    if (outcome.kind === 'held') return [line]
    if (outcome.kind === 'untried') return [`${line} ${paint('dim', `— not tried: ${outcome.reason}`)}`]
    const { faults: findings } = outcome
    const more = findings.length - MOST_FINDINGS
    return [
      `${line} ${paint('dim', `(${toBasis(check)})`)}`,
      ...findings.slice(0, MOST_FINDINGS).flatMap(toFinding),
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

/** What XML 1.0 (section 2.2) has no place for, not even escaped: a provider may have sent it. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNTELLABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes for text and for attributes, whose line breaks would be read as spaces (section 3.3.3). */
const escape = (text: string): string =>
  text
    .replace(UNTELLABLE, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)

const toAttributes = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join('')

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
    `      <failure${toAttributes({ type: check.id, message: lines[0] ?? '' })}>${lines.map(escape).join('\n')}</failure>`,
    '    </testcase>',
  ]
}

/** What was left behind fails a suite of its own: a pipeline must see it. */
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
    ...(notes.length === 0 ? [] : [`    <system-out>${notes.map(escape).join('\n')}</system-out>`]),
    '  </testsuite>',
  ]
}

/** The report as JUnit XML: a suite for each subject, a case for each check. */
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
