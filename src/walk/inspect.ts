import { findViolations } from '../contract/check-response.ts'
import { endpoints } from '../contract/endpoints.ts'
import { problem } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import { toFaultResponse } from './respond.ts'
import type { FaultParts } from './respond.ts'

/** Gives an answer back, or a 500 in its place that says where it breaks the contract. */
export type Inspect = (exchange: Exchange, response: Response) => Response

/**
 * Creates the mock's check of itself (`--check-responses`): each answer of an operation is held to the endpoint table. What
 * a scenario made up is meant to be what it is, and is left alone (D78).
 */
export function createInspect(parts: FaultParts): Inspect {
  return function inspect(exchange, response) {
    const { operation, sent, isFaked, brokenBy, request } = exchange
    if (operation === undefined || sent === undefined || isFaked || brokenBy !== undefined) return response
    const answered = { status: sent.status, headers: new Headers(sent.headers), body: sent.body }
    const violations = findViolations(endpoints[operation], request.method, answered)
    if (violations.length === 0) return response
    const fault = problem.contractViolation(operation, violations)
    parts.onFault(fault, exchange.correlationId)
    return toFaultResponse(exchange, fault, parts)
  }
}
