import { problem } from '../errors.ts'
import type { Effect } from '../scenarios/effect-schema.ts'
import type { Rule, Scenario } from '../scenarios/schema.ts'

/** A limit that is reached already. */
const LIMITED: Effect = {
  answer: { status: 429, error: { ...problem.tooManyRequests(1, 1).errors[0] }, headers: { 'Retry-After': '1' } },
}

/** Whether a rule may have led to the status; undefined: to any. */
function isOf(status: number | undefined, { effect }: Rule): boolean {
  if (effect.fault !== undefined) return status === undefined
  const answered = effect.rateLimit === undefined ? effect.answer?.status : 429
  return status === undefined || answered === undefined || answered === status
}

/**
 * A scenario that acts at once and on every request: what happened once in a while, or to the third request, happens
 * again to the one that is verified.
 *
 * @param status what it led to; rules that answer otherwise are left out.
 */
export function toCertain(scenario: Scenario, status: number | undefined): Scenario {
  const rules = scenario.rules
    .filter((rule) => isOf(status, rule))
    .map(({ match, effect }): Rule => {
      const certain = effect.rateLimit !== undefined && status === 429 ? LIMITED : effect
      return { ...(match === undefined ? {} : { match }), effect: certain }
    })
  return { ...scenario, rules }
}
