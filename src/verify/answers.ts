import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { errorCodes } from '../contract/error-codes.ts'
import { arrayNames } from '../contract/models.ts'
import { errorEnvelope } from '../contract/results.ts'
import { isEqualContent } from '../query/equal-content.ts'
import type { Examination, OperationExamination } from './examination.ts'
import {
  compare,
  compareHeader,
  compareMember,
  fault,
  faultUnless,
  findStatusFaults,
  findTextFaults,
  show,
} from './fault.ts'
import type { ProviderAnswer } from './provider.ts'
import { memberOf } from './read-answer.ts'
import type { Fault } from './report.ts'
import type { CheckName } from './checks.ts'
import { checkShape } from './shape.ts'

/** Headers that a response documents but has only sometimes: a cart without a locale has no language (D23). */
const SOMETIMES = new Set(['Content-Language'])

const findUnreadable = (answer: ProviderAnswer): readonly Fault[] =>
  answer.unreadable === undefined ? [] : fault(answer, 'body', 'JSON', answer.unreadable)

/** Faults of an answer that has another status, or whose body is not JSON: a page of HTML has taken nothing. */
export const findTakenFaults = (answer: ProviderAnswer, ...statuses: readonly number[]): readonly Fault[] => {
  const faults = findStatusFaults(answer, ...statuses)
  return faults.length > 0 ? faults : findUnreadable(answer)
}

/** RFC 8259, section 11: `application/json`, whose parameters mean nothing. */
function findTypeFaults(answer: ProviderAnswer): readonly Fault[] {
  const type = answer.headers.get('Content-Type') ?? undefined
  const isJson = type?.split(';')[0]?.trim().toLowerCase() === 'application/json'
  return isJson ? [] : fault(answer, 'Content-Type', 'application/json', type ?? 'nothing')
}

const responseOf = (operation: OperationId, status: number): ResponseSpec | undefined => {
  const { responses }: Endpoint = endpoints[operation]
  return responses[status]
}

/** Checks status, content type and shape of an answer of success. Returns whether its status was right. */
export function checkAnswer(
  exam: OperationExamination,
  answer: ProviderAnswer,
  ...statuses: readonly [number, ...number[]]
): boolean {
  const faults = findStatusFaults(answer, ...statuses)
  exam.add('status', faults)
  if (faults.length > 0) return false
  checkEcho(exam, answer)
  checkNosniff(exam, answer)
  exam.add('content-type', findTypeFaults(answer))
  const schema = responseOf(exam.operation, answer.status)?.schema
  if (answer.unreadable !== undefined || schema === undefined) {
    exam.add('shape', findUnreadable(answer))
    return true
  }
  const shape = checkShape(schema, answer.body, answer.text)
  const wrong = shape.faults.map((one) => ({ request: answer.request, ...one }))
  exam.add('shape', wrong)
  for (const path of shape.unknown) exam.note(`Nobody documents the member ${path.replace(/\[\d+\]/g, '[…]')}.`)
  return true
}

/**
 * Checks an answer that is about one resource: also its headers, that its ETag is the version, and that it leads to that
 * id, by a path or by a whole URL that ends with it (D5), and the order of its members. Returns whether its status was right.
 */
export function checkResource(
  exam: OperationExamination,
  answer: ProviderAnswer,
  status: number,
  id?: string,
): boolean {
  if (!checkAnswer(exam, answer, status)) return false
  const { headers, body } = answer
  const always = (responseOf(exam.operation, status)?.headers ?? []).filter((name) => !SOMETIMES.has(name))
  const missing = always.filter((name) => !headers.has(name))
  exam.add(
    'headers',
    missing.flatMap((name) => fault(answer, name, 'a value', 'nothing')),
  )
  if (headers.has('ETag')) exam.add('etag', compareHeader(answer, 'ETag', `"${String(memberOf(body, 'version'))}"`))
  checkOrder(exam, answer)
  if (id === undefined) return true
  const name = headers.has('Location') ? 'Location' : 'Content-Location'
  const place = headers.get(name) ?? ''
  const end = `/${encodeURIComponent(exam.project)}/resource/${encodeURIComponent(id)}`
  exam.add('location', faultUnless(place.endsWith(end), answer, name, `…${end}`, show(place)))
  return true
}

const RESOURCE_ORDER = ['id', 'key', 'version', 'objectTypeProperty', 'someProperty', 'createdAt', 'lastModifiedAt']

function findDisorder(answer: ProviderAnswer, at: string, value: unknown, order: readonly string[]): readonly Fault[] {
  const listed = Object.keys(typeof value === 'object' && value !== null ? value : {})
  const known = listed.filter((name) => order.includes(name))
  const isOrdered = isEqualContent(
    known,
    order.filter((name) => known.includes(name)),
  )
  return isOrdered ? [] : fault(answer, at, 'the order of the specification', known.join(', '))
}

/** Checks the order of the members of a resource (D8). */
export function checkOrder(exam: Examination, answer: ProviderAnswer): void {
  const { body } = answer
  exam.add('order', [
    ...findDisorder(answer, 'body', body, RESOURCE_ORDER),
    ...findDisorder(answer, 'objectTypeProperty', memberOf(body, 'objectTypeProperty'), arrayNames),
  ])
}

/** Checks that browsers are told to keep to the Content-Type (decisions, "Errors"). */
export const checkNosniff = (exam: Examination, answer: ProviderAnswer): void =>
  exam.add('nosniff', compareHeader(answer, 'X-Content-Type-Options', 'nosniff'))

/** Checks that an answer tells the correlation id that its request had (decisions, "Errors"). */
export const checkEcho = (exam: Examination, answer: ProviderAnswer): void =>
  exam.add('correlation-id', compareHeader(answer, 'X-Correlation-ID', answer.correlationId))

/** RFC 6750, section 3: who is refused is told the scheme and why. */
function findChallengeFaults(answer: ProviderAnswer, code: string): readonly Fault[] {
  const challenge = answer.headers.get('WWW-Authenticate') ?? 'nothing'
  const isNamed = /^Bearer\b/i.test(challenge) && challenge.includes('realm=') && challenge.includes(`error="${code}"`)
  const isWhole = isNamed && (answer.status === 401 || challenge.includes('scope='))
  const expected = `Bearer realm="…", error="${code}"${answer.status === 401 ? '' : ', scope="…"'}`
  return isWhole ? [] : fault(answer, 'WWW-Authenticate', expected, challenge)
}

/** The members that errors of OAuth have in addition to the envelope (D31, D33). */
function findOauthFaults(answer: ProviderAnswer, code: string): readonly Fault[] {
  return [...compareMember(answer, 'error', code), ...findTextFaults(answer, 'error_description')]
}

/** The member that an error of a code has in addition to its message (decisions, "Errors"). */
const detailNames: Readonly<Record<string, string>> = {
  InvalidJsonInput: 'detailedErrorMessage',
  RequiredField: 'field',
  InvalidField: 'field',
}

function findEnvelopeFaults(answer: ProviderAnswer, expected?: string): readonly Fault[] {
  const outer = [...findTypeFaults(answer), ...findUnreadable(answer)]
  if (answer.unreadable !== undefined) return outer
  const shape = checkShape(errorEnvelope, answer.body, answer.text)
  const envelope = errorEnvelope.safeParse(answer.body).data
  if (envelope === undefined) return [...outer, ...shape.faults.map((one) => ({ request: answer.request, ...one }))]
  const { statusCode, message, errors } = envelope
  const code = errors[0]?.code
  const detail = detailNames[code ?? '']
  const codes = expected === undefined ? errorCodes[answer.status] : [expected]
  const isRefused = expected === undefined && (answer.status === 401 || answer.status === 403)
  // Codes of OAuth are written in lower case, all others are not.
  const oauthCode = codes?.find((one) => /^[a-z_]+$/.test(one))
  return [
    ...outer,
    ...compare(answer, 'statusCode', answer.status, statusCode),
    ...compare(answer, ['errors', 0, 'message'], message, errors[0]?.message),
    ...(code === undefined || codes?.includes(code) === true
      ? []
      : fault(answer, 'errors[0].code', codes?.join(' or ') ?? 'none', show(code))),
    ...(detail === undefined ? [] : findTextFaults(answer, detail, `errors[0].${detail}`, errors[0])),
    ...(oauthCode === undefined ? [] : findOauthFaults(answer, oauthCode)),
    ...(isRefused && oauthCode !== undefined ? findChallengeFaults(answer, oauthCode) : []),
  ]
}

/**
 * Checks the status of a refusal, and then its envelope. Returns whether its status was right.
 *
 * @param name the check that fails where the status is another one
 * @param code the one code that is right, where the decisions know it
 */
export function checkRefusal(
  exam: Examination,
  name: CheckName,
  answer: ProviderAnswer,
  status = 400,
  code?: string,
): boolean {
  const faults = findStatusFaults(answer, status)
  exam.add(name, faults)
  if (faults.length > 0) return false
  checkEcho(exam, answer)
  exam.add('envelope', findEnvelopeFaults(answer, code))
  return true
}

/** Checks what a strict provider refuses with 400, and others take: then what `find` finds of it. */
export function checkTolerated(
  exam: Examination,
  name: CheckName,
  answer: ProviderAnswer,
  find: (answer: ProviderAnswer) => readonly Fault[],
): void {
  if (exam.isStrict === true) checkRefusal(exam, name, answer)
  else exam.add(name, find(answer))
}
