import { decisions } from '../../service/contract/decisions.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { toPosition } from './compare/difference.ts'
import type { AnswerDifference } from './compare/difference.ts'
import type { Conversation } from './conversations/conversation.ts'
import type { RecordedAnswer, RecordedRequest, Mismatch } from './report.ts'
import type { StepResult } from './run-step.ts'
import type { SideAnswer, Message } from './side.ts'

/** A difference with the steps that led to it. */
export interface Finding {
  readonly conversation: Conversation
  /** The position of its step in the conversation. */
  readonly at: number
  readonly result: StepResult & Required<Pick<StepResult, 'sent'>>
  readonly difference: AnswerDifference
  /** The requests of the conversation before it. */
  readonly before: readonly Message[]
}

/** Requirements on every answer, which have one cause in all operations, by position. */
const COMMON: Readonly<Partial<Record<string, string>>> = {
  'X-Content-Type-Options': 'Errors',
  'X-Correlation-ID': 'Errors',
  'Content-Type': 'section 1',
  'WWW-Authenticate': 'D33',
  statusCode: 'Errors',
  message: 'Errors',
  errors: 'Errors',
  'errors[].message': 'Errors',
  error: 'D33',
  error_description: 'D33',
  connection: 'section 1',
}

/** What a position rests on, whatever the conversation is about. */
const BASES: Readonly<Partial<Record<string, string>>> = {
  ETag: 'D5',
  Location: 'D5',
  'Content-Location': 'D5',
  Allow: 'D24',
  'Content-Language': 'D23',
  'errors[].code': 'Errors',
  'errors[].currentVersion': 'Errors',
}

/** The statuses that the specification itself names. */
const NAMED_STATUSES: Readonly<Partial<Record<string, string>>> = {
  401: 'section 5',
  403: 'section 5',
  409: 'section 7',
}

const toStatuses = ({ at, mock, service }: AnswerDifference): string =>
  at === 'status' ? `${String(mock)} ${String(service)}` : ''

const isOfTokens = ({ operation }: StepResult): boolean => operation === 'tokenEndpoints'

/** Differences with the same cause have one entry in the report. */
export function toCause({ conversation, result, difference }: Finding): string {
  const position = toPosition(difference.at)
  if (COMMON[position] !== undefined) return position
  if (BASES[position] !== undefined || isOfTokens(result))
    return [result.operation, position, toStatuses(difference)].join(' ')
  return [result.operation, position, toStatuses(difference), conversation.about].join(' ')
}

/** Whether two differences are the same, so that a shorter conversation shows the same problem. */
export const isSameDifference = (one: AnswerDifference, other: AnswerDifference): boolean =>
  toPosition(one.at) === toPosition(other.at) && toStatuses(one) === toStatuses(other)

/** The section or decision that a difference rests on, and how firm that ground is. */
function toBasis({ conversation, result, difference }: Finding): Pick<Mismatch, 'decision' | 'ground'> {
  const position = toPosition(difference.at)
  // How a token is obtained is not shown (section 5).
  const tokens = isOfTokens(result) ? 'D31' : undefined
  const status = difference.at === 'status' ? NAMED_STATUSES[String(difference.mock)] : undefined
  const decision = COMMON[position] ?? BASES[position] ?? tokens ?? status ?? conversation.decision
  return { decision, ground: decision.startsWith('section') ? 'documented' : 'decided' }
}

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

/** The title of the first decision that a mismatch rests on. */
export function findTitle(decision: string): string | undefined {
  const id = /\bD\d+\b/.exec(decision)?.[0]
  return id === undefined ? undefined : Object.entries(decisions).find(([name]) => name === id)?.[1]
}

function toMismatchSentence({ result, difference, before }: Finding, basis: string, also: number): string {
  const { operation, step, sent } = result
  const { method, path, body } = sent.message
  const text = toBodyText(body)
  const label = step.label === undefined ? '' : ` (${step.label})`
  const request = `${method} ${cut(path)}${label}${text === undefined ? '' : ` ${cut(text)}`}`
  const earlier = before.slice(-3).map((one) => `${one.method} ${cut(one.path.split('?')[0] ?? '', 60)}`)
  const others = before.length > 3 ? ` and ${before.length - 3} more` : ''
  const after = before.length === 0 ? '' : `, after ${earlier.join(', ')}${others}`
  const place = difference.at === 'status' ? '' : `${difference.at}: `
  const more = also === 0 ? '' : ` [and ${also} more]`
  return `${operation}: ${request}${after}: ${place}the mock answers ${showSent(difference.mock)}, the service ${showSent(difference.service)} (${basis})${more}`
}

/** Reports a difference. */
export const toMismatch = (finding: Finding, also: number): Mismatch => {
  const { sent } = finding.result
  const { decision, ground } = toBasis(finding)
  const basis = `${decision}, ${ground === 'documented' ? 'documented' : 'decided here'}`
  return {
    conversation: finding.conversation.name,
    operation: finding.result.operation,
    sentence: toMismatchSentence(finding, basis, also),
    at: finding.difference.at,
    request: toRecordedRequest(sent.message),
    before: finding.before.map(toRecordedRequest),
    mock: toRecordedAnswer(sent.mock),
    service: toRecordedAnswer(sent.service),
    decision,
    ground,
    also,
  }
}
