import type { Counter } from '../../../../../service/scenarios/rule-runner.ts'
import type { toRuleText } from '../../../../../service/scenarios/rule-text.ts'
import type { Source } from '../../api.ts'
import type { Rule, Scenario } from '../../../../../service/scenarios/schema.ts'

interface ListedRule extends Rule {
  readonly text: ReturnType<typeof toRuleText>
  readonly counter: Counter
}

/** A scenario as the admin API lists it. */
export interface ListedScenario extends Pick<Scenario, 'name' | 'title' | 'description' | 'source'> {
  readonly rules: readonly ListedRule[]
}

/** The answer of `GET /scenarios`. */
export interface ScenarioOverview {
  readonly active: readonly string[]
  readonly default: readonly string[]
  readonly scenarios: readonly ListedScenario[]
}

/** What a rule has done so far, and for how many requests it still acts; empty if there is nothing to say. */
export function toCounterText({ seen, fired, left }: Counter, isActive: boolean): string {
  const matches = seen === 1 ? 'match' : 'matches'
  return [
    fired > 0 && `Fired ${fired} of ${seen} ${matches}`,
    left === 0 && 'used up',
    isActive && left !== undefined && left > 0 && `for the next ${left === 1 ? 'request' : `${left} requests`}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** What the rules of a scenario have done so far. If they differ, each names its rule. */
export function toCountersText(counters: readonly Counter[], isActive: boolean): string {
  const texts = counters.map((counter) => toCounterText(counter, isActive))
  if (new Set(texts).size < 2) return texts[0] ?? ''
  return texts.flatMap((text, at) => (text === '' ? [] : `Rule ${at + 1}: ${text}`)).join('; ')
}

/** The text of a scenario in its editor; empty if it does not exist. */
export function toDefinitionText({ scenarios }: ScenarioOverview, name: string): string {
  const found = scenarios.find((one) => one.name === name)
  if (found === undefined) return ''
  const rules = found.rules.map(({ text: _text, counter: _counter, ...rule }) => rule)
  return JSON.stringify({ title: found.title, description: found.description, rules }, undefined, 2)
}

/** Switches a scenario of the session on or off. */
export const switchScenario = (source: Source, name: string, isOn: boolean): Promise<unknown> =>
  source.send(isOn ? 'PUT' : 'DELETE', `/scenarios/active/${encodeURIComponent(name)}`)

/**
 * The scenarios that contain a text: some first, then those of the session.
 *
 * @param first the names of those that come first
 */
export function searchScenarios(
  { scenarios }: ScenarioOverview,
  search: string,
  first: readonly string[],
): readonly ListedScenario[] {
  const words = search.toLowerCase().split(/\s+/)
  const isFound = ({ name, title, description, rules }: ListedScenario): boolean => {
    const texts = rules.flatMap(({ text }) => [text.match, text.effect, text.often])
    const whole = [name, title, description, ...texts].join('\n').toLowerCase()
    return words.every((word) => whole.includes(word))
  }
  const rank = ({ name, source }: ListedScenario): number => (first.includes(name) ? 0 : source === 'session' ? 1 : 2)
  return scenarios.filter(isFound).toSorted((one, other) => rank(one) - rank(other))
}
