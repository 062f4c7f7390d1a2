import { expect, it } from 'vitest'
import { stranger } from './stranger.ts'
import { sentencesOf, verifyMock, violationsOf } from './verifier.ts'

const token = { kind: 'token', token: 'any-token' } as const
const spelled = { kind: 'token', token: 'manage_test:acme,manage_products:acme' } as const
const EMPTY = { 'resources.json': '[]' }

it.each([
  ['by default', { mock: {} }],
  ['with --auth off', { mock: { auth: 'off' } }],
  ['with --identity body', { seed: 2, mock: { identity: 'body' } }],
  ['with --strict', { mock: { strict: true, auth: 'strict' } }],
  ['with an empty project', { mock: { auth: 'strict', fixtures: EMPTY } }],
  ['with 5,000 resources', { mock: { auth: 'strict', generate: 5000 } }],
  ['with another seed', { seed: 3 }],
  ['with any token', { credentials: token, mock: {} }],
  ['with a token that spells its scopes', { credentials: spelled }],
  ['without writes, with generated resources', { allowsWrites: false, mock: { generate: 50 } }],
  ['without writes or resources', { allowsWrites: false, mock: { fixtures: EMPTY } }],
] as const)('the mock answers like the mock %s', async (_case, run) => {
  const report = await verifyMock({ isQuick: true, ...run })
  expect([sentencesOf(report), report.leftovers]).toEqual([[], []])
  expect(report.requests).toBeLessThanOrEqual(600)
})

// All requests, where the others send those of a quick run. command.slow.test.ts sends those of the seeds 1 and 2 over a socket.
it('the mock answers like the mock in a whole run', async () => {
  const report = await verifyMock({ seed: 3, mock: { auth: 'strict', fixtures: EMPTY } })
  expect([sentencesOf(report), report.leftovers]).toEqual([[], []])
  expect(report.requests).toBeLessThanOrEqual(3000)
})

it('another correct implementation contradicts nothing', async () => {
  const report = await verifyMock({ bend: stranger })
  expect([violationsOf(report), report.leftovers]).toEqual([[], []])
})
