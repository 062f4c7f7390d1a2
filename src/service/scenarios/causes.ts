import type { Scenario } from './schema.ts'

// Also runs in the dashboard, so it imports only types.

/** What tells the failures that a scenario causes. */
export type Causing = Pick<Scenario, 'name' | 'rules'>

type RuleEffect = Causing['rules'][number]['effect']

/** The status and the error code that an effect causes; undefined if it causes no failure of an operation. */
function findOutcome(
  effect: RuleEffect,
  operation: string,
): { readonly status: number; readonly code?: string } | undefined {
  const { answer, advanceVersion, expireToken, dropScopes, rateLimit, hideResources } = effect
  if (answer !== undefined) {
    const code = answer.error?.code
    return code === undefined ? { status: answer.status } : { status: answer.status, code }
  }
  if (advanceVersion !== undefined) return { status: 409, code: 'ConcurrentModification' }
  if (expireToken === true) return { status: 401, code: 'invalid_token' }
  if (dropScopes !== undefined) return { status: 403, code: 'insufficient_scope' }
  if (rateLimit !== undefined) return { status: 429, code: 'TooManyRequests' }
  // Lists are just empty, which is not a failure, whereas HEAD has a status for it, and no body.
  if (hideResources === true && operation === 'checkResources') return { status: 404 }
  if (hideResources === true && /Resource(?:ById|ByKey)?$/.test(operation)) {
    return { status: 404, code: 'ResourceNotFound' }
  }
  return undefined
}

/**
 * Finds a scenario that causes a status or an error code of an operation. One that fires for every request is preferred to
 * one that fires a few times or by chance.
 */
export function findCause(
  scenarios: readonly Causing[],
  operation: string,
  wanted: number | string,
): string | undefined {
  const found = scenarios.flatMap(({ name, rules }) => {
    const rule = rules.find(({ match, effect }) => {
      const operations = match?.operation === undefined ? undefined : [match.operation].flat()
      if (operations !== undefined && !operations.some((one) => one === operation)) return false
      const outcome = findOutcome(effect, operation)
      return outcome?.status === wanted || outcome?.code === wanted
    })
    if (rule === undefined) return []
    return [{ name, isSure: rule.times === undefined && rule.probability === undefined }]
  })
  return (found.find(({ isSure }) => isSure) ?? found[0])?.name
}
