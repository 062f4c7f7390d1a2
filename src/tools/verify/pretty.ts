import { findNotBuilt } from './fix-first.ts'
import { countOutcomes } from './report.ts'
import type { CheckOutcome, CheckReport, Finding, Report, SubjectReport } from './report.ts'
import { count, toBasis, toChanges, toVerdict } from './verdict.ts'

/** The style of a part of a line. */
export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Styles a text for its output; also applied to texts from the provider. */
export type Paint = (style: Style, text: string) => string

/** Maximum number of findings listed per check: more of them usually share one cause. */
const MOST_FINDINGS = 5

/** Maximum lengths of a folded report: failed checks per subject, findings per check, and sentences about leftovers. */
const MOST_FOLDED = { checks: 5, findings: 1, leftovers: 5 } as const

/** Maximum number of untried checks listed below their shared reason. */
const FEWEST_GROUPED = 3

const MARKS = { held: '✓', failed: '✗', untried: '○' } as const
const STYLES = { held: 'green', failed: 'red', untried: 'yellow' } as const

/** The untried checks of a subject, by reason. */
function groupUntried({ checks }: SubjectReport): ReadonlyMap<string, readonly CheckReport[]> {
  const groups = new Map<string, CheckReport[]>()
  for (const check of checks) {
    if (check.outcome.kind !== 'untried') continue
    const { reason } = check.outcome
    groups.set(reason, [...(groups.get(reason) ?? []), check])
  }
  return groups
}

/**
 * A report for people: each subject with its passed, failed and untried checks, then the counts of each subject and what to
 * fix first.
 *
 * @param isFolded shortens long lists: passed checks are counted, and only the first failed ones are listed
 */
export function toPretty(
  report: Report,
  paint: Paint,
  { isFolded = false }: { readonly isFolded?: boolean } = {},
): string {
  const notBuilt = findNotBuilt(report.subjects)
  const mark = (kind: CheckOutcome['kind']) => paint(STYLES[kind], MARKS[kind])

  /** Lists the findings of each response below its request. */
  const toFinding = (
    { request, at, expected, actual }: Finding,
    index: number,
    all: readonly Finding[],
  ): readonly string[] => [
    ...(request === all[index - 1]?.request ? [] : [`      ${paint('dim', request)}`]),
    `        ${paint('plain', at)}: expected ${paint('green', expected)}, got ${paint('red', actual)}`,
  ]

  /** A failed check; `known` has the findings that are listed above it. */
  function toFailed(check: CheckReport, findings: readonly Finding[], known: Set<string>): readonly string[] {
    const fresh = findings.filter((one) => !known.has(JSON.stringify(one)))
    for (const one of fresh) known.add(JSON.stringify(one))
    const shown = fresh.slice(0, isFolded ? MOST_FOLDED.findings : MOST_FINDINGS)
    const more = fresh.length - shown.length
    const repeated = fresh.length === 0 ? ', for the same reason as above' : ''
    return [
      `  ${mark('failed')} ${paint('plain', check.says)} ${paint('dim', `(${toBasis(check)})${repeated}`)}`,
      ...shown.flatMap(toFinding),
      ...(more > 0 ? [`      ${paint('dim', `and ${more} more`)}`] : []),
    ]
  }

  function toGroup(kind: 'failed' | 'untried', reason: string, checks: readonly CheckReport[]): readonly string[] {
    if (checks.length === 0) return []
    const title =
      kind === 'failed' ? `${count(checks.length, 'more check')} failed` : `${count(checks.length, 'check')} not tried`
    const names = isFolded ? [] : checks.map(({ says }) => `      ${paint('plain', says)}`)
    return [`  ${mark(kind)} ${title}: ${paint('dim', reason)}`, ...names]
  }

  /** Whether a check failed because the service does not have the operation. */
  const isAbsent = (subject: SubjectReport, { outcome }: CheckReport): boolean =>
    outcome.kind === 'failed' &&
    outcome.faults.some(({ at, actual }) => at === 'status' && actual === notBuilt.get(subject.subject))

  function toChecks(subject: SubjectReport): readonly string[] {
    const groups = [...groupUntried(subject)].filter(([, checks]) => isFolded || checks.length >= FEWEST_GROUPED)
    // The first one is listed with its requests, as an example.
    const absent = subject.checks.filter((check) => isAbsent(subject, check)).slice(1)
    const grouped = new Set([...absent, ...groups.flatMap(([, checks]) => checks)])
    const known = new Set<string>()
    const lines = subject.checks.map((check): readonly string[] => {
      const { says, outcome } = check
      if (grouped.has(check) || (isFolded && outcome.kind === 'held')) return []
      if (outcome.kind === 'failed') return toFailed(check, outcome.faults, known)
      const line = `  ${mark(outcome.kind)} ${paint('plain', says)}`
      return outcome.kind === 'held' ? [line] : [`${line} ${paint('dim', `— not tried: ${outcome.reason}`)}`]
    })
    return [
      ...(isFolded ? fold(subject, lines) : lines.flat()),
      ...toGroup('failed', `not found, ${notBuilt.get(subject.subject) ?? ''}`, absent),
      ...groups.flatMap(([reason, all]) => toGroup('untried', reason, all)),
    ]
  }

  /** Counts the passed checks, and lists the first failed ones. */
  function fold({ checks }: SubjectReport, lines: readonly (readonly string[])[]): readonly string[] {
    const held = checks.filter(({ outcome }) => outcome.kind === 'held').length
    const failed = lines.filter((one) => one.length > 0)
    const more = failed.length - MOST_FOLDED.checks
    return [
      ...(held === 0 ? [] : [`  ${mark('held')} ${count(held, 'check')} passed`]),
      ...failed.slice(0, MOST_FOLDED.checks).flat(),
      ...(more > 0 ? [`    ${paint('dim', `and ${more} more failed: --verbose lists them`)}`] : []),
    ]
  }

  function toSubject(subject: SubjectReport): readonly string[] {
    const { method, path, notes, checks } = subject
    const title = `${paint('bold', subject.subject)} ${paint('dim', `${method} ${path}`)}`
    const [first, ...others] = groupUntried(subject)
    if (first !== undefined && others.length === 0 && first[1].length === checks.length) {
      return [title, `  ${mark('untried')} not tried: ${paint('dim', first[0])}`, '']
    }
    return [title, ...toChecks(subject), ...notes.map((note) => `  ${paint('dim', `note: ${note}`)}`), '']
  }

  const toCell = (kind: CheckOutcome['kind'], many: number, what: string) =>
    paint(many === 0 ? 'dim' : STYLES[kind], `${String(many).padStart(5)} ${what}`)

  /** A line of counts for each subject. */
  function toCounts(subjects: readonly SubjectReport[]): readonly string[] {
    if (subjects.length < 2) return []
    const width = Math.max(...subjects.map(({ subject }) => subject.length))
    const lines = subjects.map((one) => {
      const { held, failed, untried } = countOutcomes([one])
      const cells = [
        toCell('held', held, 'passed'),
        toCell('failed', failed, 'failed'),
        toCell('untried', untried, 'not tried'),
      ]
      return `${one.subject.padEnd(width)}${cells.join('')}`
    })
    return [...lines, '']
  }

  function toLeftovers(sentences: readonly string[]): readonly string[] {
    const shown = isFolded ? sentences.slice(0, MOST_FOLDED.leftovers) : sentences
    const more = sentences.length - shown.length
    return [
      ...shown.map((sentence) => paint('red', `Left behind: ${sentence}`)),
      ...(more > 0 ? [paint('red', `and ${more} more: --verbose lists them`)] : []),
    ]
  }

  return [
    ...report.subjects.flatMap(toSubject),
    ...toCounts(report.subjects),
    ...toLeftovers(report.leftovers),
    ...(report.since === undefined ? [] : toChanges(report.since)).map((sentence) => paint('plain', sentence)),
    ...toVerdict(report).map((sentence) => paint('bold', sentence)),
  ].join('\n')
}
