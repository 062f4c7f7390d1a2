import { errorStatusesOf } from '../contract/error-responses.ts'
import { endpoints, TOKEN_OPERATION } from '../contract/endpoints.ts'
import type { CalledOperation } from '../contract/endpoints.ts'
import { findCalledOperations } from './schema.ts'
import type { Rule, Scenario } from './schema.ts'

interface Failure {
  readonly status: number
  readonly code?: string
}

/** The failure that hidden resources cause; undefined for lists, which are then just empty. */
function findAbsence(operation: CalledOperation): Failure | undefined {
  if (operation === TOKEN_OPERATION) return undefined
  const endpoint = endpoints[operation]
  // The response to HEAD has a status for it, but no body.
  if (endpoint.purpose === 'check') return { status: 404 }
  return errorStatusesOf(endpoint).includes(404) ? { status: 404, code: 'ResourceNotFound' } : undefined
}

/** The status and the error code that an effect causes; undefined if it causes no failure of an operation. */
function findCausedOutcome({ effect }: Rule, operation: CalledOperation): Failure | undefined {
  const { answer, advanceVersion, expireToken, dropScopes, rateLimit, hideResources } = effect
  if (answer !== undefined) {
    const code = answer.error?.code
    return code === undefined ? { status: answer.status } : { status: answer.status, code }
  }
  if (rateLimit !== undefined) return { status: 429, code: 'TooManyRequests' }
  if (advanceVersion !== undefined) return { status: 409, code: 'ConcurrentModification' }
  if (expireToken === true) return { status: 401, code: 'invalid_token' }
  if (dropScopes !== undefined) return { status: 403, code: 'insufficient_scope' }
  return hideResources === true ? findAbsence(operation) : undefined
}

/**
 * Finds a scenario that causes a status or an error code of an operation. One that fires for every request is preferred to
 * one that fires a few times or by chance.
 */
export function findCause(
  scenarios: readonly Scenario[],
  operation: CalledOperation,
  wanted: number | string,
): string | undefined {
  const found = scenarios.flatMap(({ name, rules }) => {
    const rule = rules.find((one) => {
      if (!findCalledOperations(one.match?.operation, one.match?.method).includes(operation)) return false
      const outcome = findCausedOutcome(one, operation)
      return outcome?.status === wanted || outcome?.code === wanted
    })
    if (rule === undefined) return []
    return [{ name, isSure: rule.times === undefined && rule.probability === undefined }]
  })
  return (found.find(({ isSure }) => isSure) ?? found[0])?.name
}
