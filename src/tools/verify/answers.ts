import * as z from 'zod'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import { errorCodes } from '../../service/contract/error-responses.ts'
import { compareParts, compareStatus, findUnless, isSuccess, toStop, finding, isObject, toFindings } from './finding.ts'
import { resultEntry } from '../../service/contract/models.ts'
import { toPath } from '../../service/http/json.ts'
import { isEqualContent } from '../../service/query/fields.ts'
import {
  checkEnvelope,
  checkHeader,
  checkResource,
  checkShape,
  checkType,
  toViolation,
} from '../../service/contract/check-response.ts'
import type { Violation } from '../../service/contract/check-response.ts'
import type { Endpoint, ResponseSpec } from '../../service/contract/endpoint.ts'
import type { SubjectContext, Findings, OperationContext } from './subject.ts'
import type { ProviderAnswer } from './provider.ts'
import type { Finding } from './report.ts'
import { isLosslessNumber, parse as parseTexts } from 'lossless-json'

/** Reads a parameter of a challenge (RFC 9110, section 11.2). */
const parameterOf = (challenge: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1]

/** RFC 6750, section 3: the challenge names the scheme, the project as its realm, the error, and a sufficient scope. */
export function findChallengeFindings(
  { operation, project }: OperationContext,
  answer: ProviderAnswer,
): readonly Finding[] {
  const challenge = answer.headers.get('WWW-Authenticate') ?? 'nothing'
  const { scopes }: Endpoint = endpoints[operation]
  const accepted = answer.status === 401 || scopes === 'anyToken' ? [] : scopes.map((scope) => `${scope}:${project}`)
  const [code = ''] = errorCodes[answer.status] ?? []
  const realm = parameterOf(challenge, 'realm')
  const namedScopes = parameterOf(challenge, 'scope')?.split(' ')
  const isRight =
    /^Bearer\b/i.test(challenge) &&
    (realm === project || realm === encodeURIComponent(project)) &&
    parameterOf(challenge, 'error') === code &&
    (accepted.length === 0 || accepted.some((scope) => namedScopes?.includes(scope)))
  const scope = accepted.length === 0 ? '' : `, scope="${accepted.join(' ')}"`
  return findUnless(
    isRight,
    answer,
    'WWW-Authenticate',
    `Bearer realm="${project}", error="${code}"${scope}`,
    challenge,
  )
}

/** Finds the first object whose members are not in schema order. Unknown members may be anywhere. */
function findDisorder(
  answer: ProviderAnswer,
  schema: unknown,
  value: unknown,
  path: readonly PropertyKey[],
): readonly Finding[] {
  if (schema instanceof z.ZodOptional) return findDisorder(answer, schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((entry, at) => findDisorder(answer, schema.element, entry, [...path, at])).slice(0, 1)
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return []
  const order = Object.keys(schema.shape)
  const known = Object.keys(value).filter((name) => order.includes(name))
  const isOrdered = isEqualContent(
    known,
    order.filter((name) => known.includes(name)),
  )
  if (!isOrdered) return finding(answer, toPath(path) || 'body', 'the order of the specification', known.join(', '))
  return known.flatMap((name) => findDisorder(answer, schema.shape[name], value[name], [...path, name])).slice(0, 1)
}

/** Requires an order for `results` only: no decision orders the other members of a page. */
const pageOrder = z.object({ results: z.array(resultEntry) })

/** Checks the member order of a resource, a cart or the results of a page (D8). */
export function checkOrder(context: OperationContext, answer: ProviderAnswer): void {
  if (answer.unreadable !== undefined) return
  const { purpose }: Endpoint = endpoints[context.operation]
  const schema = purpose === 'query' ? pageOrder : responseOf(context.operation, answer.status)?.schema
  context.addFirst('order', findDisorder(answer, schema, answer.body, []))
}

const FLOAT = /\d(?:\.\d|[eE])/
/** A cheap pre-check for integers written as floats. Most texts have none and need no second parse. */
const MAYBE_SPELLED = /[:[,]\s*-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE])/

/**
 * Finds integers written as floats, such as `1.0` or `1e3`. JavaScript does not distinguish them, but the integer types of
 * other languages cannot parse them.
 */
function findSpelledFloats(schema: unknown, value: unknown, path: readonly PropertyKey[]): readonly Violation[] {
  if (schema instanceof z.ZodOptional) return findSpelledFloats(schema.unwrap(), value, path)
  if (isLosslessNumber(value)) {
    const isWrong =
      schema instanceof z.ZodCustom && schema.meta()?.type === 'integer' && Number.isInteger(Number(value.value))
    return isWrong && FLOAT.test(value.value)
      ? [toViolation(toPath(path), 'JSON Integer', `the float ${value.value}`)]
      : []
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((entry, at) => findSpelledFloats(schema.element, entry, [...path, at]))
  }
  if (schema instanceof z.ZodObject && isObject(value)) {
    return Object.entries(schema.shape).flatMap(([name, member]) =>
      findSpelledFloats(member, value[name], [...path, name]),
    )
  }
  return []
}

const findUnreadable = (answer: ProviderAnswer): readonly Finding[] =>
  answer.unreadable === undefined ? [] : finding(answer, 'body', 'JSON', answer.unreadable)

/**
 * Findings for a request that should have been accepted: another status, or a body that is not JSON, such as an HTML page.
 */
export const findTakenFindings = (answer: ProviderAnswer, ...statuses: readonly number[]): readonly Finding[] => {
  const findings = compareStatus(answer, ...statuses)
  return findings.length > 0 ? findings : findUnreadable(answer)
}

const responseOf = (operation: OperationId, status: number): ResponseSpec | undefined => {
  const { responses }: Endpoint = endpoints[operation]
  if (!isSuccess(status) || responses[status] !== undefined) return responses[status]
  // Another success: its status is a finding of its own, and the rest is checked like the documented success.
  return Object.entries(responses).find(([documented]) => isSuccess(Number(documented)))?.[1]
}

/** Finds integers of a JSON text that are written as floats. */
export const checkSpelling = (schema: z.ZodType, text: string): readonly Violation[] =>
  MAYBE_SPELLED.test(text) ? findSpelledFloats(schema, parseTexts(text), ['body']) : []

/** Validates the body of a response against the documented schema for its status. */
function checkBody(context: OperationContext, answer: ProviderAnswer, { schema }: ResponseSpec): void {
  context.addFirst('content-type', toFindings(answer, checkType(answer.headers)))
  if (answer.unreadable !== undefined || schema === undefined) {
    context.addFirst('shape', findUnreadable(answer))
    return
  }
  const { violations, unknown } = checkShape(schema, answer.body)
  context.addFirst('shape', toFindings(answer, [...violations, ...checkSpelling(schema, answer.text)]))
  for (const { at } of toFindings(answer, unknown)) {
    context.note(`Undocumented member: ${at.replace(/\[\d+\]/g, '[…]')}.`)
  }
}

/** Checks what applies to every response of an operation, whatever the request: its headers, and its body if it has one. */
export function checkEvery(context: OperationContext, method: string, answer: ProviderAnswer): void {
  const { status } = answer
  checkEcho(context, answer)
  checkNosniff(context, answer)
  if (status === 401 || status === 403) context.addFirst('challenge', findChallengeFindings(context, answer))
  if (method === 'HEAD') return
  const documented = status < 400 ? responseOf(context.operation, status) : undefined
  if (documented !== undefined) checkBody(context, answer, documented)
  else if (status in errorCodes) context.addFirst('envelope', findEnvelopeFindings(answer))
}

/** Checks the status of a successful response. Returns whether it was as expected. */
export function checkStatus(
  context: SubjectContext,
  answer: ProviderAnswer,
  ...statuses: readonly [number, ...number[]]
): boolean {
  const findings = compareStatus(answer, ...statuses)
  context.add('status', findings)
  return findings.length === 0
}

/**
 * Returns the response if it has this status, or another success instead of one: a check of the status reports that.
 *
 * @throws {Stop} otherwise, since the checks that depend on it cannot be tried.
 */
export function expectStatus(answer: ProviderAnswer, status: number): ProviderAnswer {
  if (answer.status === status || (isSuccess(status) && isSuccess(answer.status))) return answer
  throw toStop(answer, status)
}

/**
 * Checks a response for a single resource: its status, headers and member order, that its ETag matches the version, and
 * that its Location or Content-Location is a path or URL that ends with the id (D5). Returns whether it is a success: the rest of
 * another success than the documented one is checked, too.
 */
export function recordResource(
  context: OperationContext,
  answer: ProviderAnswer,
  status: number,
  id?: string,
): boolean {
  checkStatus(context, answer, status)
  if (!isSuccess(answer.status)) return false
  const { headers = [] } = responseOf(context.operation, status) ?? {}
  const found = [
    ...headers.flatMap((name) => checkHeader(name, answer.headers)),
    ...checkResource(answer.body, answer.headers, headers, { project: context.project, id }),
  ]
  const pick = (isMeant: (one: Violation) => boolean) => toFindings(answer, found.filter(isMeant))
  const pickWrong = (end: string) => pick(({ path, actual }) => path.endsWith(end) && actual !== 'nothing')
  context.add(
    'headers',
    pick(({ actual }) => actual === 'nothing'),
  )
  if (answer.headers.has('ETag')) context.add('etag', pickWrong('ETag'))
  checkOrder(context, answer)
  if (id !== undefined) context.add('location', pickWrong('Location'))
  return true
}

/** Checks that the response forbids content sniffing (decisions, "Errors"). */
export const checkNosniff = (context: SubjectContext, answer: ProviderAnswer): void =>
  context.addFirst('nosniff', compareParts(answer, { headers: { 'X-Content-Type-Options': 'nosniff' } }))

/** Checks that a response echoes the correlation id of its request (decisions, "Errors"). */
export const checkEcho = (context: SubjectContext, answer: ProviderAnswer): void =>
  context.addFirst('correlation-id', compareParts(answer, { headers: { 'X-Correlation-ID': answer.correlationId } }))

function findEnvelopeFindings(answer: ProviderAnswer, code?: string): readonly Finding[] {
  const { headers, body, status, unreadable } = answer
  const codes = code === undefined ? undefined : [code]
  const envelope =
    unreadable === undefined ? toFindings(answer, checkEnvelope(body, status, codes)) : findUnreadable(answer)
  return [...toFindings(answer, checkType(headers)), ...envelope]
}

/** Checks the status and the envelope of an error response. `code` is the only valid code, if the decisions define one. */
export function compareRefusal(context: SubjectContext, answer: ProviderAnswer, status = 400, code?: string): Findings {
  const findings = compareStatus(answer, status)
  if (findings.length > 0) return findings
  checkEcho(context, answer)
  checkNosniff(context, answer)
  context.addFirst('envelope', findEnvelopeFindings(answer, code))
  return []
}

/** Expects a 400 from a strict provider; for others, returns the findings of `find`. */
export const checkTolerated = (context: SubjectContext, answer: ProviderAnswer, find: () => Findings): Findings =>
  context.isStrict === true ? compareRefusal(context, answer) : find()
