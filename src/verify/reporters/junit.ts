import type { CheckReport, SubjectReport, Report } from '../report.ts'
import { toBasis, toLine } from './wording.ts'

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
