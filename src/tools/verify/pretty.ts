import { findTitle } from './mismatch.ts'
import { countOf, DIFFERENCES, isAlike, listNames, split } from './report.ts'
import type { ConversationReport, Mismatch, VerifyReport } from './report.ts'

/** Styles a text for its output; also applied to texts from the service. */
export type Paint = (style: 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string

/** Maximum number of violations listed in a folded report. */
const MOST_FOLDED = 12

/** Maximum number of conversation names listed for each kind of change. */
const MOST_CHANGED = 10

/** Summarizes the differences from an earlier report. */
export function toChanges({ since }: VerifyReport): readonly string[] {
  if (since === undefined) return []
  const { better, worse } = since
  const lists = [['Better', better] as const, ['Worse', worse] as const]
  return [
    `Since the earlier report: ${better.length} better, ${worse.length} worse.`,
    ...lists.flatMap(([title, names]) => (names.length === 0 ? [] : [`  ${title}: ${listNames(names, MOST_CHANGED)}`])),
  ]
}

/** What was replayed: `312 requests of 41 tests: 309 answered alike, 3 otherwise`. */
function toReplay({ replay }: VerifyReport): readonly string[] {
  if (replay === undefined) return []
  const { requests, tests, alike, otherwise, leftOut } = replay
  const of = tests === 0 ? '' : ` of ${countOf(tests, 'test')}`
  return [
    ...leftOut.map(({ why, count: many }) => `${countOf(many, 'request')} left out: ${why}`),
    `${countOf(requests, 'request')}${of}: ${alike} answered alike, ${otherwise} otherwise`,
  ]
}

const count = (all: readonly Mismatch[], what: string): string =>
  all.length === 0 ? `no ${what}s` : countOf(all.length, what)

/** Summarizes the report, one sentence per line. */
export function toVerdict(report: VerifyReport): readonly string[] {
  const { url, project, seed, requests, allowsWrites, isInterrupted, milliseconds, fixFirst, notFound } = report
  const how = allowsWrites ? 'with writes' : 'read-only'
  const { violations, differences } = split(report)
  const seconds = (milliseconds / 1000).toFixed(1)
  return [
    ...(isInterrupted ? ['Interrupted. Everything written so far was removed.'] : []),
    ...toReplay(report),
    `${url}, project ${project}, ${how}${seed === undefined ? '' : `, seed ${seed}`}: ${countOf(requests, 'request')} in ${seconds} s, ${count(violations, 'violation')}, ${count(differences, 'difference')}.`,
    ...(notFound.length === 0
      ? []
      : [
          `Not found: ${listNames(
            notFound.map(({ operation, status }) => `${operation} (${status})`),
            6,
          )}. To leave operations out, list the others with --only.`,
        ]),
    ...(fixFirst === undefined ? [] : [`Fix first: ${fixFirst.sentence}`]),
  ]
}

/** Formats a report for people. `isFolded` shortens long lists. */
export function toPretty(
  report: VerifyReport,
  paint: Paint,
  { isFolded = false }: { readonly isFolded?: boolean } = {},
): string {
  const { conversations, notes, leftovers } = report

  function toConversation(one: ConversationReport): readonly string[] {
    const { name, compared, otherwise, reasons } = one
    const alike = isAlike(one)
    const [mark, style] =
      alike === undefined ? (['○', 'yellow'] as const) : alike ? (['✓', 'green'] as const) : (['•', 'red'] as const)
    const counts = [countOf(compared, 'request'), ...(otherwise === 0 ? [] : [countOf(otherwise, 'violation')])].join(
      ', ',
    )
    return [
      `${paint(style, mark)} ${name} ${paint('dim', counts)}`,
      ...(isFolded ? [] : reasons.slice(0, 3).map((reason) => `    ${paint('dim', `not compared: ${reason}`)}`)),
    ]
  }

  function toMismatch({ sentence, kind, decision, test }: Mismatch): readonly string[] {
    const title = findTitle(decision)
    return [
      `${kind === 'violation' ? paint('red', '✗') : paint('yellow', '≠')} ${paint('plain', sentence)}`,
      ...(title === undefined ? [] : [`    ${paint('dim', title)}`]),
      ...(test === undefined ? [] : [`    ${paint('dim', `test: ${test}`)}`]),
    ]
  }

  const alike = conversations.filter((one) => isAlike(one) === true)
  const shown = isFolded ? conversations.filter((one) => !alike.includes(one)) : conversations
  const { violations, differences } = split(report)
  const listed = isFolded ? violations.slice(0, MOST_FOLDED) : violations
  const more = violations.length - listed.length
  return [
    ...(isFolded && alike.length > 0 ? [`${paint('green', '✓')} ${countOf(alike.length, 'conversation')} alike`] : []),
    ...shown.flatMap(toConversation),
    '',
    ...listed.flatMap(toMismatch),
    ...(more > 0 ? [paint('dim', `and ${more} more: --verbose lists them`)] : []),
    ...(listed.length > 0 ? [''] : []),
    ...(differences.length > 0 ? [paint('bold', `${DIFFERENCES}:`), ...differences.flatMap(toMismatch), ''] : []),
    ...notes.map((note) => paint('dim', `note: ${note}`)),
    ...leftovers.map((sentence) => paint('red', `Left behind: ${sentence}`)),
    ...toChanges(report).map((sentence) => paint('plain', sentence)),
    ...toVerdict(report).map((sentence) => paint('bold', sentence)),
  ].join('\n')
}
