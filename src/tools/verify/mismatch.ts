import { decisions } from '../../service/contract/decisions.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { groupBy } from '../../util/collections.ts'
import { toPosition } from './compare/difference.ts'
import type { JudgedDifference } from './compare/difference.ts'
import type { Conversation } from './conversations/conversation.ts'
import type { RecordedAnswer, RecordedRequest, Mismatch } from './report.ts'
import type { StepResult } from './run-step.ts'
import type { SideAnswer, Message } from './side.ts'

/** A difference with the steps that led to it. */
export interface Finding {
  readonly conversation: Conversation
  readonly result: StepResult & Required<Pick<StepResult, 'sent'>>
  readonly difference: JudgedDifference
  /** The requests of the conversation before it. */
  readonly before: readonly Message[]
}

const toStatuses = ({ at, mock, service }: JudgedDifference): string =>
  at === 'status' ? `${String(mock)} ${String(service)}` : ''

/** Violations with the same cause have one entry in the report, and so have all differences of a decision. */
export function toCause({ conversation, result, difference }: Finding): string {
  const { ground, at } = difference
  if (ground.kind === 'difference') return ground.decision
  // A model has one fault, whichever operation shows it.
  if (at !== 'status' && ground.section.startsWith('2,')) return `2 ${toPosition(at)}`
  // Each parameter may have its own fault.
  const about = at === 'status' && result.sent.message.path.includes('?') ? conversation.about : ''
  return [result.operation, toPosition(at), toStatuses(difference), ground.section, about].join(' ')
}

/** What a difference contradicts, as a report says it. */
const toGround = ({ difference: { ground } }: Finding): Pick<Mismatch, 'kind' | 'section' | 'decision'> => ground

const LONGEST_SHOWN = 200

const cut = (text: string, most = LONGEST_SHOWN): string => (text.length > most ? `${text.slice(0, most)}…` : text)

const showSent = (value: unknown): string =>
  value === undefined ? 'nothing' : cut(typeof value === 'string' ? value : stringifyJson(value), 120)

const bodyDecoder = new TextDecoder()

const toBodyText = (body: Message['body']): string | undefined =>
  body === undefined ? undefined : body.length > 4000 ? `${body.length} bytes` : bodyDecoder.decode(body)

export const toRecordedRequest = ({ method, path, headers, body }: Message): RecordedRequest => {
  const text = toBodyText(body)
  // Credentials are not reported.
  const scheme = headers['Authorization']?.split(' ', 1)[0]
  const shown = scheme === undefined ? headers : { ...headers, Authorization: `${scheme} …` }
  return { method, path, headers: shown, ...(text === undefined ? {} : { body: text }) }
}

const toRecordedAnswer = ({ status, headers, text, broken }: SideAnswer): RecordedAnswer => ({
  status,
  headers: Object.fromEntries(headers),
  body: cut(broken ?? text, 4000),
})

/** Options of the mock that bring it in line with a service that decided otherwise. */
const REMEDIES: Readonly<Partial<Record<string, string>>> = {
  D1: '--strict rejects what the names of arrays forbid',
  D2: '--strict requires all arrays of a draft',
  D4: '--strict rejects unknown members and parameters',
  D5: '--identity body shows id, key and dates in bodies',
  D16: 'the fixture array-test-type.json is the body',
  D17: '--strict requires all members of the complex POST',
  D22: 'the fixture action.json is the first payload',
  D23: 'the fixtures cart.json and cart.<locale>.json are the carts',
  D32: '--auth chooses which tokens are valid',
}

/** The title of a decision, and the option that brings the mock in line. */
export function findTitle(decision: string | undefined): string | undefined {
  const title = Object.entries(decisions).find(([name]) => name === decision)?.[1]
  return [title, REMEDIES[decision ?? '']].filter((one) => one !== undefined).join('; ') || undefined
}

function toMismatchSentence(finding: Finding, also: number): string {
  const { result, difference, before } = finding
  const { operation, step, sent } = result
  const { method, path, body } = sent.message
  const { section, decision = '' } = toGround(finding)
  const text = toBodyText(body)
  const label = step.label === undefined ? '' : ` (${step.label})`
  const request = `${method} ${cut(path)}${label}${text === undefined ? '' : ` ${cut(text)}`}`
  const earlier = before.slice(-3).map((one) => `${one.method} ${cut(one.path.split('?')[0] ?? '', 60)}`)
  const others = before.length > 3 ? ` and ${before.length - 3} more` : ''
  const after = before.length === 0 ? '' : `, after ${earlier.join(', ')}${others}`
  const place = difference.at === 'status' ? '' : `${difference.at}: `
  const more = also === 0 ? '' : ` [and ${also} more]`
  const ground = section?.replaceAll(/[\d.]+/g, 'section $&') ?? decision
  const start = `${operation}: ${request}${after}: ${place}`
  return `${start}the mock answers ${showSent(difference.mock)}, the service ${showSent(difference.service)} (${ground})${more}`
}

/** Reports a difference. */
const toMismatch = (finding: Finding, also: number): Mismatch => {
  const { sent, operation } = finding.result
  return {
    conversation: finding.conversation.name,
    operation,
    sentence: toMismatchSentence(finding, also),
    at: finding.difference.at,
    request: toRecordedRequest(sent.message),
    before: finding.before.map(toRecordedRequest),
    mock: toRecordedAnswer(sent.mock),
    service: toRecordedAnswer(sent.service),
    ...toGround(finding),
    also,
  }
}

/** Groups differences by cause, violations first, each with the finding that has the fewest requests before it. */
export function toMismatches(findings: readonly Finding[]): readonly Mismatch[] {
  const mismatches = groupBy(findings, toCause).map((all) => {
    // Few requests before it, then a short path.
    const lengths = all.map(({ before, result }) => before.length * 1000 + result.sent.message.path.length)
    return toMismatch(all[lengths.indexOf(Math.min(...lengths))] ?? all[0], all.length - 1)
  })
  return mismatches.toSorted(
    (one, other) =>
      Number(one.kind === 'difference') - Number(other.kind === 'difference') ||
      Number(other.at === 'connection') - Number(one.at === 'connection') ||
      one.sentence.length - other.sentence.length,
  )
}
