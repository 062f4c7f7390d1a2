import { expect, it } from 'vitest'
import { toRuleText } from '../../../src/service/scenarios/rule-text.ts'
import type { Rule } from '../../../src/service/scenarios/schema.ts'

it.each<readonly [Omit<Rule, 'effect'>, string]>([
  [{}, ''],
  [{ during: { from: 30, to: 40 } }, 'from 30 to 40 s'],
  [{ during: { from: 30 }, times: 2 }, 'from 30 s on, 2 times'],
  [{ during: { to: 40 } }, 'from 0 to 40 s'],
  [{ flapping: { up: 5, down: 0.5 } }, '5 s up and 0.5 s down in turn'],
  [{ after: 2, every: 3, probability: 0.5, times: 1 }, 'after the first 2, one in 3, with probability 0.5, once'],
])('a rule %j applies: %s', (gates, expected) => {
  expect(toRuleText({ ...gates, effect: { expireToken: true } }).often).toBe(expected)
})
