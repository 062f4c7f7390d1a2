import type { Counter } from '../../../../../service/scenarios/rule-runner.ts'
import type { toRuleText } from '../../../../../service/scenarios/rule-text.ts'
import type { Source } from '../../api.ts'
import type { Rule, Scenario } from '../../../../../service/scenarios/schema.ts'

interface ListedRule extends Rule {
  readonly text: ReturnType<typeof toRuleText>
  readonly counter: Counter
}

/** A scenario as the admin API lists it. */
export interface ListedScenario extends Pick<Scenario, 'name' | 'description' | 'source'> {
  readonly rules: readonly ListedRule[]
}

/** The answer of `GET /scenarios`. */
export interface ScenarioOverview {
  readonly active: readonly string[]
  readonly default: readonly string[]
  readonly scenarios: readonly ListedScenario[]
}

/** What a rule has done so far, in a few words. */
export function toCounterText({ seen, fired, left }: Counter): string {
  const rest = left === undefined ? '' : left === 0 ? ', used up' : `, ${left} ${left === 1 ? 'use' : 'uses'} left`
  if (seen === 0) return `No matches yet${rest}`
  return `Fired ${fired} of ${seen} ${seen === 1 ? 'match' : 'matches'}${rest}`
}

/** The text of a scenario in its editor; empty if it does not exist. */
export function toDefinitionText({ scenarios }: ScenarioOverview, name: string): string {
  const found = scenarios.find((one) => one.name === name)
  if (found === undefined) return ''
  const rules = found.rules.map(({ text: _text, counter: _counter, ...rule }) => rule)
  return JSON.stringify({ description: found.description, rules }, undefined, 2)
}

/** Switches a scenario of the session on or off. */
export const switchScenario = (source: Source, name: string, isOn: boolean): Promise<unknown> =>
  source.send(isOn ? 'PUT' : 'DELETE', `/scenarios/active/${encodeURIComponent(name)}`)

/**
 * The scenarios that contain a text, those of the session first. Their order does not depend on which are active, so that
 * one that is switched stays where it is.
 */
export function searchScenarios({ scenarios }: ScenarioOverview, search: string): readonly ListedScenario[] {
  const words = search.toLowerCase().split(/\s+/)
  const isFound = ({ name, description, rules }: ListedScenario): boolean => {
    const texts = rules.flatMap(({ text }) => [text.match, text.effect, text.often])
    const whole = [name, description, ...texts].join('\n').toLowerCase()
    return words.every((word) => whole.includes(word))
  }
  const isOwn = ({ source }: ListedScenario): boolean => source === 'session'
  return scenarios.filter(isFound).toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
}
