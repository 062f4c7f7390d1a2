import { checkAllow } from '../contract/check-response.ts'
import { checkAccepted, checkExchange, checkResponse, toViolations } from './check-exchange.ts'
import type { SentRequest } from './check-exchange.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import type { ProxyViolation } from './violation.ts'

/** Of a HEAD there is no body; what is not JSON is told by its type alone. */
function toCheckedBody({ body, decoded }: Omit<Incoming, 'violations'>, method: string): Uint8Array | undefined {
  if (method === 'HEAD') return undefined
  return body instanceof ReadableStream ? new Uint8Array() : decoded
}

/** Holds an answer to the contract, and to what was asked for. */
export function checkAnswer(
  incoming: Omit<Incoming, 'violations'>,
  { found, decoded: asked }: Outgoing,
  sent: SentRequest,
): readonly ProxyViolation[] {
  const { status, headers, json } = incoming
  if (found.kind === 'undocumented') return []
  if (found.kind === 'unknown') return toViolations(checkAllow(status, headers), status)
  const { operation, parameters } = found
  const body = toCheckedBody(incoming, sent.method)
  const violations = checkResponse(operation, { status, headers, body }, sent)
  if (asked === undefined) return violations
  const exchanged = checkExchange({ operation, parameters, decoded: asked, status, headers, json })
  const accepted = status < 300 ? checkAccepted(operation, asked) : []
  return [...violations, ...toViolations(exchanged, status), ...accepted]
}
