import { findViolations } from '../contract/check-response.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Violation } from '../contract/violation.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import type { Exchange, Outcome } from './exchange.ts'
import { toFaultReply } from './respond.ts'
import type { FaultParts } from './respond.ts'

/** Gives an answer back, or a 500 in its place that says where it breaks the contract. */
export type Inspect = (exchange: Exchange, outcome: Outcome) => Outcome

/** What an answer is found at fault for; undefined for nothing. The path of each fault is in `field`, and in the sentence. */
export function findFault(operation: OperationId, violations: readonly Violation[]): Problem | undefined {
  const [first, ...others] = violations.map(({ path, message }) => ({
    code: 'ContractViolation',
    message: `The answer of ${operation} breaks the contract: ${path}: ${message}`,
    field: path,
  }))
  return first === undefined ? undefined : problem.contractViolation([first, ...others])
}

/**
 * Creates the mock's check of itself (`--check-responses`): each answer of an operation is held to the endpoint table. What
 * a scenario made up is meant to be what it is, and is left alone (D78).
 */
export function createInspect(parts: FaultParts): Inspect {
  return function inspect(exchange, outcome) {
    const { operation, sent, isFaked, brokenBy, method } = exchange
    if (operation === undefined || sent === undefined || isFaked || brokenBy !== undefined) return outcome
    const answered = { status: sent.status, headers: new Headers(sent.headers), body: sent.body }
    const fault = findFault(operation, findViolations(endpoints[operation], method, answered))
    if (fault === undefined) return outcome
    parts.onFault(fault, exchange.correlationId)
    return toFaultReply(exchange, fault, parts)
  }
}
