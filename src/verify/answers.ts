import * as z from 'zod'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { errorCodes } from '../contract/error-responses.ts'
import {
  findUnless,
  finding,
  isObject,
  show,
  compare,
  compareHeader,
  compareMember,
  compareStatus,
  compareText,
  memberOf,
} from './finding.ts'
import { resultEntry } from '../contract/models.ts'
import { toPath, valueAt } from '../http/json-problems.ts'
import { isEqualContent } from '../query/fields.ts'
import { guardOf } from '../contract/check.ts'
import { isJsonResponse, memberByCode } from '../contract/check-response.ts'
import { errorEnvelope } from '../contract/results.ts'
import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
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
  const { purpose, responses }: Endpoint = endpoints[context.operation]
  const schema = purpose === 'query' ? pageOrder : responses[answer.status]?.schema
  context.addFirst('order', findDisorder(answer, schema, answer.body, []))
}

/** The result of validating a body against a schema. */
interface ShapeFindings {
  readonly findings: readonly Omit<Finding, 'request'>[]
  /** Paths of undocumented members (D81). */
  readonly unknown: readonly string[]
}

/** The expected value of an issue, as a noun: `JSON String`, `one of "text", "number"`. */
function toExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `JSON ${issue.expected[0]?.toUpperCase() ?? ''}${issue.expected.slice(1)}`
  if (issue.code === 'invalid_value') return `one of ${issue.values.map((value) => show(value)).join(', ')}`
  return issue.message.replace(/ expected\.$/, '')
}

const FLOAT = /\d(?:\.\d|[eE])/
/** A cheap pre-check for integers written as floats. Most texts have none and need no second parse. */
const MAYBE_SPELLED = /[:[,]\s*-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE])/

/**
 * Finds integers written as floats, such as `1.0` or `1e3`. JavaScript does not distinguish them, but the integer types of
 * other languages cannot parse them.
 */
function findSpelledFloats(schema: unknown, value: unknown, path: readonly PropertyKey[]): ShapeFindings['findings'] {
  if (schema instanceof z.ZodOptional) return findSpelledFloats(schema.unwrap(), value, path)
  if (isLosslessNumber(value)) {
    const isWrong =
      schema instanceof z.ZodCustom && schema.meta()?.type === 'integer' && Number.isInteger(Number(value.value))
    return isWrong && FLOAT.test(value.value)
      ? [{ at: toPath(path), expected: 'JSON Integer', actual: `the float ${value.value}` }]
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

const NOTHING: ShapeFindings = { findings: [], unknown: [] }

/** Validates a body against a contract schema, with strict types. `text` is the unparsed body. */
export function checkShape(schema: z.ZodType, body: unknown, text: string): ShapeFindings {
  const isSpelled = MAYBE_SPELLED.test(text)
  if (!isSpelled && guardOf(schema)(body)) return NOTHING
  const issues = schema.safeParse(body).error?.issues ?? []
  const wrong = issues.filter(({ code }) => code !== 'unrecognized_keys')
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => toPath([...issue.path, key])) : [],
  )
  const typed = wrong.map((issue) => ({
    at: issue.path.length === 0 ? 'body' : toPath(issue.path),
    expected: toExpected(issue),
    actual: show(valueAt(body, issue.path)),
  }))
  const spelled = isSpelled ? findSpelledFloats(schema, parseTexts(text), []) : []
  return { findings: [...typed, ...spelled], unknown }
}

/** Documented headers that are optional: the response for a cart without a locale has no Content-Language (D23). */
const SOMETIMES = new Set(['Content-Language'])

const findUnreadable = (answer: ProviderAnswer): readonly Finding[] =>
  answer.unreadable === undefined ? [] : finding(answer, 'body', 'JSON', answer.unreadable)

/**
 * Findings for a request that should have been accepted: another status, or a body that is not JSON, such as an HTML page.
 */
export const findTakenFindings = (answer: ProviderAnswer, ...statuses: readonly number[]): readonly Finding[] => {
  const findings = compareStatus(answer, ...statuses)
  return findings.length > 0 ? findings : findUnreadable(answer)
}

/** RFC 8259, section 11: `application/json`; its parameters have no meaning. */
function findTypeFindings(answer: ProviderAnswer): readonly Finding[] {
  const type = answer.headers.get('Content-Type') ?? 'nothing'
  return findUnless(isJsonResponse(answer.headers), answer, 'Content-Type', 'application/json', type)
}

const responseOf = (operation: OperationId, status: number): ResponseSpec | undefined => {
  const { responses }: Endpoint = endpoints[operation]
  return responses[status]
}

/** Validates the body of a response against the documented schema for its status. */
function checkBody(context: OperationContext, answer: ProviderAnswer, { schema }: ResponseSpec): void {
  context.addFirst('content-type', findTypeFindings(answer))
  if (answer.unreadable !== undefined || schema === undefined) {
    context.addFirst('shape', findUnreadable(answer))
    return
  }
  const shape = checkShape(schema, answer.body, answer.text)
  context.addFirst(
    'shape',
    shape.findings.map((one) => ({ request: answer.request, ...one })),
  )
  for (const path of shape.unknown) context.note(`Undocumented member: ${path.replace(/\[\d+\]/g, '[…]')}.`)
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
export function checkAnswer(
  context: SubjectContext,
  answer: ProviderAnswer,
  ...statuses: readonly [number, ...number[]]
): boolean {
  const findings = compareStatus(answer, ...statuses)
  context.add('status', findings)
  return findings.length === 0
}

/**
 * Checks a response for a single resource: its status, headers and member order, that its ETag matches the version, and
 * that its Location or Content-Location is a path or URL that ends with the id (D5). Returns whether the status was as
 * expected.
 */
export function checkResource(context: OperationContext, answer: ProviderAnswer, status: number, id?: string): boolean {
  if (!checkAnswer(context, answer, status)) return false
  const { headers, body } = answer
  const always = (responseOf(context.operation, status)?.headers ?? []).filter((name) => !SOMETIMES.has(name))
  const missing = always.filter((name) => !headers.has(name))
  context.add(
    'headers',
    missing.flatMap((name) => finding(answer, name, 'a value', 'nothing')),
  )
  if (headers.has('ETag')) context.add('etag', compareHeader(answer, 'ETag', `"${String(memberOf(body, 'version'))}"`))
  checkOrder(context, answer)
  if (id === undefined) return true
  const name = headers.has('Location') ? 'Location' : 'Content-Location'
  const location = headers.get(name) ?? ''
  const end = `/${encodeURIComponent(context.project)}/resource/${encodeURIComponent(id)}`
  context.add('location', findUnless(location.endsWith(end), answer, name, `…${end}`, show(location)))
  return true
}

/** Checks that the response forbids content sniffing (decisions, "Errors"). */
export const checkNosniff = (context: SubjectContext, answer: ProviderAnswer): void =>
  context.addFirst('nosniff', compareHeader(answer, 'X-Content-Type-Options', 'nosniff'))

/** Checks that a response echoes the correlation id of its request (decisions, "Errors"). */
export const checkEcho = (context: SubjectContext, answer: ProviderAnswer): void =>
  context.addFirst('correlation-id', compareHeader(answer, 'X-Correlation-ID', answer.correlationId))

/** Checks the members that OAuth errors have in addition to the envelope (D31, D33). */
function findOauthFindings(answer: ProviderAnswer, code: string): readonly Finding[] {
  return [...compareMember(answer, 'error', code), ...compareText(answer, 'error_description')]
}

function findEnvelopeFindings(answer: ProviderAnswer, expected?: string): readonly Finding[] {
  const outer = [...findTypeFindings(answer), ...findUnreadable(answer)]
  if (answer.unreadable !== undefined) return outer
  const shape = checkShape(errorEnvelope, answer.body, answer.text)
  const envelope = errorEnvelope.safeParse(answer.body).data
  if (envelope === undefined) return [...outer, ...shape.findings.map((one) => ({ request: answer.request, ...one }))]
  const { statusCode, message, errors } = envelope
  const code = errors[0]?.code
  const detail = memberByCode[code ?? '']
  const codes = expected === undefined ? errorCodes[answer.status] : [expected]
  // OAuth error codes are lower case; all others are not.
  const oauthCode = codes?.find((one) => /^[a-z_]+$/.test(one))
  return [
    ...outer,
    ...compare(answer, 'statusCode', answer.status, statusCode),
    ...compare(answer, ['errors', 0, 'message'], message, errors[0]?.message),
    ...(code === undefined || codes?.includes(code) === true
      ? []
      : finding(answer, 'errors[0].code', codes?.join(' or ') ?? 'none', show(code))),
    ...(detail === undefined ? [] : compareText(answer, detail, `errors[0].${detail}`, errors[0])),
    ...(oauthCode === undefined ? [] : findOauthFindings(answer, oauthCode)),
  ]
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
