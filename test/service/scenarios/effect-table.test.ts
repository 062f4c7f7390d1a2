import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import {
  effectSchema,
  effectTable,
  namesEverywhere,
  toEffectText,
} from '../../../src/service/scenarios/effect-table.ts'
import type { Effect } from '../../../src/service/scenarios/effect-table.ts'

it.each<readonly [Effect, string]>([
  [{ advanceVersion: 1 }, 'another writer updates first'],
  [{ advanceVersion: 3 }, 'another writer updates first, by 3 versions'],
  [{ dropScopes: ['view_test', 'manage_test'] }, 'the token loses view_test, manage_test'],
  [{ dropScopes: ['*'] }, 'the token loses every scope'],
  [{ expireToken: true }, 'the token has expired'],
  [{ hideResources: true }, 'the project appears empty'],
  [{ generate: 5 }, 'adds 5 resources'],
  [{ delay: { fixedDelayMilliseconds: 300 } }, 'waits 300 ms'],
  [{ delay: { delayDistribution: { type: 'uniform', lower: 1, upper: 2 } } }, 'waits 1–2 ms'],
  [{ delay: { delayDistribution: { type: 'lognormal', median: 40, sigma: 1 } } }, 'waits about 40 ms'],
  [{ chunkedDribbleDelay: { numberOfChunks: 4, totalDuration: 50 } }, 'sends the body in 4 chunks over 50 ms'],
  [{ answer: { status: 503, error: { code: 'Busy', message: 'Later.' } } }, 'responds with 503 Busy'],
  [{ answer: { status: 502, stage: 'gateway' } }, 'responds with 502, at the gateway'],
  [{ rateLimit: { requests: 5, perSeconds: 1 } }, '5 requests in 1 s, then 429'],
  [{ fault: 'TIMEOUT' }, 'breaks the connection: TIMEOUT'],
])('describes %j: %s', (effect, text) => {
  expect(toEffectText(effectSchema.parse(effect))).toBe(text)
})

it('does not compile without the sentence of an effect', () => {
  const { toText: _toText, ...others } = effectTable.fault
  // @ts-expect-error -- the sentence is missing
  const table: typeof effectTable = { ...effectTable, fault: others }
  expect(table.fault).not.toHaveProperty('toText')
})

it('does not compile without how an effect combines with others', () => {
  const { combine: _combine, ...others } = effectTable.fault
  // @ts-expect-error -- combine is missing
  const table: typeof effectTable = { ...effectTable, fault: others }
  expect(table.fault).not.toHaveProperty('combine')
})

it('describes each effect in the schema and on the page about writing scenarios', async () => {
  const page = await readFile(new URL('../../../docs/writing-scenarios.md', import.meta.url), 'utf8')
  for (const [name, { description }] of Object.entries(effectSchema.shape)) {
    expect({ name, description }).toEqual({ name, description: expect.any(String) })
    expect(page).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'))
  }
})

it('lets responses, delays, faults and rate limits apply to the requests of another service', () => {
  expect(namesEverywhere).toEqual(['answer', 'delay', 'fault', 'rateLimit'])
})
