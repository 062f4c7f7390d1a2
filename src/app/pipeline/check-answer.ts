import { findViolations } from '../../service/contract/check-response.ts'
import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import type { Violation } from '../../service/contract/check-response.ts'
import { problem } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import type { Exchange } from './exchange.ts'

/** Converts violations to a problem; each path is in `field` and in the message. */
export function findFault(operation: OperationId, violations: readonly Violation[]): Problem | undefined {
  const [first, ...others] = violations.map(({ path, message }) => ({
    code: 'ContractViolation',
    message: `The response of ${operation} violates the contract: ${path}: ${message}`,
    field: path,
  }))
  return first === undefined ? undefined : problem.contractViolation([first, ...others])
}

/**
 * Checks the mock's own responses against the endpoint table (`--check-responses`). Responses from scenarios are not
 * checked (D78).
 */
export function checkAnswer(exchange: Exchange): Problem | undefined {
  const { operation, method, status, responseHeaders, responseBody } = exchange
  if (
    !isOperation(operation) ||
    status === 0 ||
    exchange.fault !== undefined ||
    exchange.isSimulated ||
    (exchange.isChangedByScenario && status >= 400)
  )
    return undefined
  const answered = { status, headers: new Headers(responseHeaders), body: responseBody }
  return findFault(operation, findViolations(endpoints[operation], method, answered))
}
