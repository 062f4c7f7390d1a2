import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { errorCodes } from '../contract/error-codes.ts'
import { arrayNames } from '../contract/models.ts'
import { errorEnvelope } from '../contract/results.ts'
import { isEqualContent } from '../query/equal-content.ts'
import { compare, fault, show } from './fault.ts'
import type { ProviderAnswer } from './provider.ts'
import { memberOf } from './read-answer.ts'
import type { Fault } from './report.ts'
import type { Results } from './results.ts'
import { checkShape } from './shape.ts'

/** Headers that a response documents but has only sometimes: a cart without a locale has no language (D23). */
const SOMETIMES = new Set(['Content-Language'])

/** Faults of an answer whose status is none of those. */
export const findStatusFaults = (answer: ProviderAnswer, ...statuses: readonly number[]): readonly Fault[] =>
  statuses.includes(answer.status) ? [] : fault(answer, 'status', statuses.join(' or '), String(answer.status))

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

/** Checks status, content type and shape of an answer of success. Gives back whether its status was right. */
export function checkAnswer(
  results: Results<'status' | 'content-type' | 'shape' | 'correlation-id' | 'nosniff'>,
  operation: OperationId,
  answer: ProviderAnswer,
  ...statuses: readonly [number, ...number[]]
): boolean {
  const faults = findStatusFaults(answer, ...statuses)
  results.add('status', faults)
  if (faults.length > 0) return false
  checkEcho(results, answer)
  checkNosniff(results, answer)
  results.add('content-type', findTypeFaults(answer))
  const schema = responseOf(operation, answer.status)?.schema
  if (answer.unreadable !== undefined || schema === undefined) {
    results.add('shape', findUnreadable(answer))
    return true
  }
  const shape = checkShape(schema, answer.body, answer.text)
  results.add(
    'shape',
    shape.faults.map((one) => ({ request: answer.request, ...one })),
  )
  for (const path of shape.unknown) results.note(`Nobody documents the member ${path.replace(/\[\d+\]/g, '[…]')}.`)
  return true
}

/** Checks the headers that the endpoint table documents of an answer, and that its ETag is the version (D5). */
export function checkHeaders(
  results: Results<'headers' | 'etag'>,
  operation: OperationId,
  answer: ProviderAnswer,
): void {
  const always = (responseOf(operation, answer.status)?.headers ?? []).filter((name) => !SOMETIMES.has(name))
  results.add(
    'headers',
    always.flatMap((name) => (answer.headers.has(name) ? [] : fault(answer, name, 'a value', 'nothing'))),
  )
  const tag = answer.headers.get('ETag')
  if (tag !== null) results.add('etag', compare(answer, 'ETag', `"${String(memberOf(answer.body, 'version'))}"`, tag))
}

/** Checks that an answer leads to a resource (D5): by a path, or by a whole URL that ends with it. */
export function checkLocation(
  results: Results<'location'>,
  answer: ProviderAnswer,
  { project, id }: { readonly project: string; readonly id: string },
): void {
  const name = answer.headers.has('Location') ? 'Location' : 'Content-Location'
  const place = answer.headers.get(name) ?? ''
  const end = `/${encodeURIComponent(project)}/resource/${encodeURIComponent(id)}`
  results.add('location', place.endsWith(end) ? [] : fault(answer, name, `…${end}`, show(place)))
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
export function checkOrder(results: Results<'order'>, answer: ProviderAnswer): void {
  const { body } = answer
  results.add('order', [
    ...findDisorder(answer, 'body', body, RESOURCE_ORDER),
    ...findDisorder(answer, 'objectTypeProperty', memberOf(body, 'objectTypeProperty'), arrayNames),
  ])
}

/** Checks that browsers are told to keep to the Content-Type (decisions, "Errors"). */
export function checkNosniff(results: Results<'nosniff'>, answer: ProviderAnswer): void {
  const option = answer.headers.get('X-Content-Type-Options') ?? undefined
  results.add('nosniff', compare(answer, 'X-Content-Type-Options', 'nosniff', option))
}

/** Checks that an answer tells the correlation id that its request had (decisions, "Errors"). */
export function checkEcho(results: Results<'correlation-id'>, answer: ProviderAnswer): void {
  const echoed = answer.headers.get('X-Correlation-ID') ?? undefined
  results.add('correlation-id', compare(answer, 'X-Correlation-ID', answer.correlationId, echoed))
}

/** RFC 6750, section 3: who is refused is told the scheme and why. */
function findChallengeFaults(answer: ProviderAnswer, code: string): readonly Fault[] {
  const challenge = answer.headers.get('WWW-Authenticate') ?? 'nothing'
  const isNamed = /^Bearer\b/i.test(challenge) && challenge.includes('realm=') && challenge.includes(`error="${code}"`)
  const isWhole = isNamed && (answer.status === 401 || challenge.includes('scope='))
  const expected = `Bearer realm="…", error="${code}"${answer.status === 401 ? '' : ', scope="…"'}`
  return isWhole ? [] : fault(answer, 'WWW-Authenticate', expected, challenge)
}

/** The members that errors of OAuth have beside the envelope (D31, D33). */
function findOauthFaults(answer: ProviderAnswer, code: string): readonly Fault[] {
  const described = memberOf(answer.body, 'error_description')
  return [
    ...compare(answer, 'error', code, memberOf(answer.body, 'error')),
    ...(typeof described === 'string' ? [] : fault(answer, 'error_description', 'a text', show(described))),
  ]
}

/** What an error of a kind must tell beside its message (decisions, "Errors"). */
function findDetailFaults(answer: ProviderAnswer, error: unknown): readonly Fault[] {
  const code = memberOf(error, 'code')
  const name =
    code === 'InvalidJsonInput'
      ? 'detailedErrorMessage'
      : code === 'RequiredField' || code === 'InvalidField'
        ? 'field'
        : undefined
  if (name === undefined || typeof memberOf(error, name) === 'string') return []
  return fault(answer, `errors[0].${name}`, 'a text', show(memberOf(error, name)))
}

function findEnvelopeFaults(answer: ProviderAnswer, expected?: string): readonly Fault[] {
  const outer = [...findTypeFaults(answer), ...findUnreadable(answer)]
  if (answer.unreadable !== undefined) return outer
  const shape = checkShape(errorEnvelope, answer.body, answer.text)
  const envelope = errorEnvelope.safeParse(answer.body).data
  if (envelope === undefined) return [...outer, ...shape.faults.map((one) => ({ request: answer.request, ...one }))]
  const { statusCode, message, errors } = envelope
  const code = errors[0]?.code
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
    ...findDetailFaults(answer, errors[0]),
    ...(oauthCode === undefined ? [] : findOauthFaults(answer, oauthCode)),
    ...(isRefused && oauthCode !== undefined ? findChallengeFaults(answer, oauthCode) : []),
  ]
}

/**
 * Checks the status of a refusal, and then its envelope. Gives back whether its status was right.
 *
 * @param name the check that fails where the status is another one
 * @param code the one code that is right, where the decisions know it
 */
export function checkRefusal<Name extends string>(
  results: Results<Name | 'envelope' | 'correlation-id'>,
  name: Name,
  answer: ProviderAnswer,
  status: number,
  code?: string,
): boolean {
  const faults = findStatusFaults(answer, status)
  results.add(name, faults)
  if (faults.length > 0) return false
  checkEcho(results, answer)
  results.add('envelope', findEnvelopeFaults(answer, code))
  return true
}
