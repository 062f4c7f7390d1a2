import { problem } from '../errors.ts'
import type { Effect } from '../scenarios/effect-schema.ts'
import type { Rule, Scenario } from '../scenarios/schema.ts'

/** A limit that is reached already. */
const LIMITED: Effect = {
  answer: { status: 429, error: { ...problem.tooManyRequests(1, 1).errors[0] }, headers: { 'Retry-After': '1' } },
}

/** Whether a rule may have led to the status, which is undefined for a broken connection. */
function isOf(status: number | undefined, { effect }: Rule): boolean {
  if (effect.fault !== undefined) return status === undefined
  const answered = effect.rateLimit === undefined ? effect.answer?.status : 429
  return status === undefined || answered === undefined || answered === status
}

/**
 * Returns the scenario without `during`, `flapping`, `times`, `after`, `every` and `probability`, so that what happened to the
 * third request, or by chance, happens again to the one that is verified.
 *
 * @param status the recorded status; rules that answer with another one are left out
 */
export function toDeterministicScenario(scenario: Scenario, status: number | undefined): Scenario {
  const rules = scenario.rules
    .filter((rule) => isOf(status, rule))
    .map(({ match, effect }): Rule => {
      const effectOf = effect.rateLimit !== undefined && status === 429 ? LIMITED : effect
      return { ...(match === undefined ? {} : { match }), effect: effectOf }
    })
  return { ...scenario, rules }
}
