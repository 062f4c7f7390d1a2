import { findViolations } from '../contract/check-response.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Violation } from '../contract/violation.ts'
import { problem } from '../errors.ts'
import type { Problem } from '../errors.ts'
import type { RequestContext } from './request-context.ts'

/** Finds the fault of an answer that violates the contract; the path of each violation is in `field` and in the sentence. */
export function findFault(operation: OperationId, violations: readonly Violation[]): Problem | undefined {
  const [first, ...others] = violations.map(({ path, message }) => ({
    code: 'ContractViolation',
    message: `The answer of ${operation} breaks the contract: ${path}: ${message}`,
    field: path,
  }))
  return first === undefined ? undefined : problem.contractViolation([first, ...others])
}

/** Whether a response is what a scenario made up: also an error that an operation has because of one. */
const isScenarios = ({ sent, isFaked, isTwisted }: RequestContext): boolean =>
  isFaked || (isTwisted && sent !== undefined && sent.status >= 400)

/**
 * Checks what the mock itself answered against the endpoint table (`--check-responses`). What a scenario made up is left
 * alone (D78).
 */
export function checkAnswer(context: RequestContext): Problem | undefined {
  const { operation, sent, brokenBy, method } = context
  if (operation === undefined || sent === undefined || brokenBy !== undefined || isScenarios(context)) return undefined
  const answered = { status: sent.status, headers: new Headers(sent.headers), body: sent.body }
  return findFault(operation, findViolations(endpoints[operation], method, answered))
}
