import { toJunitXml } from '../../util/junit.ts'
import type { JunitCase } from '../../util/junit.ts'
import { DIFFERENCES, isAlike, split } from './report.ts'
import type { ConversationReport, VerifyReport } from './report.ts'
import { toVerdict } from './pretty.ts'

/** The report as JSON, for programs. */
export const toJsonReport = (report: VerifyReport): string => JSON.stringify(report, undefined, 2)

function sentencesOf(report: VerifyReport, { name }: ConversationReport): readonly [string, ...string[]] {
  const { violations } = split(report)
  const [first, ...others] = violations.filter((one) => one.conversation === name).map(({ sentence }) => sentence)
  return [first ?? 'its violations have the same causes as those of other conversations', ...others]
}

/** The differences of a report, which are told and fail nothing. */
function tellDifferences(report: VerifyReport): readonly string[] {
  const { differences } = split(report)
  return differences.length === 0 ? [] : [`${DIFFERENCES}:`, ...differences.map(({ sentence }) => `≠ ${sentence}`)]
}

/** The report as JUnit XML: a case per conversation. Leftovers fail, so that a CI pipeline notices them. */
export function toJunitReport(report: VerifyReport): string {
  const { conversations, leftovers, notes, milliseconds } = report
  const cases = conversations.map((one): JunitCase => {
    const { name, reasons } = one
    const alike = isAlike(one)
    if (alike === undefined) return { name, skipped: reasons[0] ?? 'no request was sent' }
    if (alike) return { name }
    const sentences = sentencesOf(report, one)
    return { name, failure: { type: 'violation', message: sentences[0], text: sentences.join('\n') } }
  })
  const left = leftovers.map((message) => ({ name: 'removes what it wrote', failure: { type: 'leftover', message } }))
  const cleanup = left.length === 0 ? [] : [{ name: 'cleaning up', cases: left }]
  return toJunitXml(
    'resource-mock verify',
    [{ name: 'conversations', cases, notes: [...notes, ...tellDifferences(report)] }, ...cleanup],
    milliseconds,
  )
}

/** A description is a single line in which `#` and `\` must be escaped. */
const toDescription = (text: string): string => text.replace(/[\r\n]+/g, ' ').replace(/[\\#]/g, '\\$&')

/** The report as TAP 14: a test point per conversation. */
export function toTap(report: VerifyReport): string {
  const { conversations, leftovers, notes } = report
  const points = conversations.flatMap((one, at) => {
    const alike = isAlike(one)
    const skip = alike === undefined ? ` # SKIP ${toDescription(one.reasons[0] ?? 'no request was sent')}` : ''
    const point = `ok ${at + 1} - ${toDescription(one.name)}${skip}`
    if (alike !== false) return [point]
    // A YAML block, indented by two. JSON is valid YAML.
    const sentences = sentencesOf(report, one).map((sentence) => `    - ${JSON.stringify(sentence)}`)
    return [`not ${point}`, '  ---', '  violations:', ...sentences, '  ...']
  })
  const left = leftovers.map(
    (one, at) => `not ok ${conversations.length + at + 1} - left behind: ${toDescription(one)}`,
  )
  return [
    'TAP version 14',
    `1..${conversations.length + left.length}`,
    ...points,
    ...left,
    ...[...notes, ...tellDifferences(report), ...toVerdict(report)].map(
      (sentence) => `# ${sentence.replace(/[\r\n]+/g, ' ')}`,
    ),
  ].join('\n')
}
