import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { errorEnvelope } from '../contract/results.ts'
import type { Bench } from './bench.ts'
import { compare, fault, show } from './fault.ts'
import type { Answer } from './provider.ts'
import type { Fault } from './report.ts'
import { checkShape } from './shape.ts'

/** The codes of each error status (decisions, "Errors"). */
const CODES: Readonly<Record<number, readonly string[]>> = {
  400: ['InvalidJsonInput', 'RequiredField', 'InvalidField', 'InvalidInput'],
  401: ['invalid_token'],
  403: ['insufficient_scope'],
  404: ['ResourceNotFound'],
  406: ['InvalidInput'],
  409: ['ConcurrentModification'],
  415: ['InvalidInput'],
}

/** Headers that a response documents but has only sometimes: a cart without a locale has no language (D23). */
const SOMETIMES = new Set(['Content-Language'])

/** Faults of an answer whose status is none of those. */
export const findStatusFaults = (answer: Answer, ...statuses: readonly number[]): readonly Fault[] =>
  statuses.includes(answer.status) ? [] : fault(answer, 'status', statuses.join(' or '), String(answer.status))

/** RFC 8259, section 11: `application/json`, whose parameters mean nothing. */
function findTypeFaults(answer: Answer): readonly Fault[] {
  const type = answer.headers.get('Content-Type') ?? undefined
  const isJson = type?.split(';')[0]?.trim().toLowerCase() === 'application/json'
  return isJson ? [] : fault(answer, 'Content-Type', 'application/json', type ?? 'nothing')
}

const findUnreadable = (answer: Answer): readonly Fault[] =>
  answer.unreadable === undefined ? [] : fault(answer, 'body', 'JSON', answer.unreadable)

const responseOf = (operation: OperationId, status: number): ResponseSpec | undefined => {
  const { responses }: Endpoint = endpoints[operation]
  return responses[status]
}

/** Holds an answer of success to its status, content type and shape. Gives back whether its status was right. */
export function holdAnswer(
  bench: Bench<'status' | 'content-type' | 'shape'>,
  operation: OperationId,
  answer: Answer,
  ...statuses: readonly [number, ...number[]]
): boolean {
  const faults = findStatusFaults(answer, ...statuses)
  bench.hold('status', faults)
  if (faults.length > 0) return false
  bench.hold('content-type', findTypeFaults(answer))
  const schema = responseOf(operation, answer.status)?.schema
  if (answer.unreadable !== undefined || schema === undefined) {
    bench.hold('shape', findUnreadable(answer))
    return true
  }
  const shape = checkShape(schema, answer.body, answer.text)
  bench.hold(
    'shape',
    shape.faults.map((one) => ({ request: answer.request, ...one })),
  )
  for (const path of shape.unknown) bench.note(`Nobody documents the member ${path.replace(/\[\d+\]/g, '[…]')}.`)
  return true
}

/** Holds an answer to the headers that the endpoint table documents of it (D5). */
export function holdHeaders(bench: Bench<'headers'>, operation: OperationId, answer: Answer): void {
  const always = (responseOf(operation, answer.status)?.headers ?? []).filter((name) => !SOMETIMES.has(name))
  bench.hold(
    'headers',
    always.flatMap((name) => (answer.headers.has(name) ? [] : fault(answer, name, 'a value', 'nothing'))),
  )
}

/** RFC 6750, section 3: who is refused is told the scheme; the members beside the envelope are D33's. */
function findChallengeFaults(answer: Answer, error: unknown): readonly Fault[] {
  const challenge = answer.headers.get('WWW-Authenticate') ?? 'nothing'
  return [
    ...(/^Bearer\b/i.test(challenge) ? [] : fault(answer, 'WWW-Authenticate', 'Bearer …', challenge)),
    ...(typeof error === 'string' ? [] : fault(answer, 'error', 'a code of RFC 6750', show(error))),
  ]
}

function findEnvelopeFaults(answer: Answer): readonly Fault[] {
  const outer = [...findTypeFaults(answer), ...findUnreadable(answer)]
  if (answer.unreadable !== undefined) return outer
  const shape = checkShape(errorEnvelope, answer.body, answer.text)
  const envelope = errorEnvelope.safeParse(answer.body).data
  if (envelope === undefined) return [...outer, ...shape.faults.map((one) => ({ request: answer.request, ...one }))]
  const { statusCode, message, errors, error } = envelope
  const code = errors[0]?.code
  const codes = CODES[answer.status]
  const isAuth = answer.status === 401 || answer.status === 403
  return [
    ...outer,
    ...compare(answer, 'statusCode', answer.status, statusCode),
    ...compare(answer, ['errors', 0, 'message'], message, errors[0]?.message),
    ...(code === undefined || codes?.includes(code) === true
      ? []
      : fault(answer, 'errors[0].code', codes?.join(' or ') ?? 'none', show(code))),
    ...(isAuth ? findChallengeFaults(answer, error) : []),
  ]
}

/**
 * Holds a refusal to its status, and then to the error envelope. Gives back whether its status was right.
 *
 * @param name the check that fails where the status is another one
 */
export function holdRefusal<Name extends string>(
  bench: Bench<Name | 'envelope'>,
  name: Name,
  answer: Answer,
  status: number,
): boolean {
  const faults = findStatusFaults(answer, status)
  bench.hold(name, faults)
  if (faults.length > 0) return false
  bench.hold('envelope', findEnvelopeFaults(answer))
  return true
}
