import { expect, it } from 'vitest'
import { idsOf, verifyMock } from './verifier.ts'

const client = { kind: 'client', client: 'shop:secret' } as const

it.each([
  ['a client that the mock knows', { credentials: client, mock: { clients: ['shop:secret'] } }],
  ['a client, under --auth strict', { credentials: client, mock: { auth: 'strict' as const } }],
  ['with --identity body', { mock: { identity: 'body' as const } }],
  ['with two thousand resources', { mock: { generate: 2000 } }],
  ['with a frozen clock', { mock: { clock: '2026-01-31T12:00:00Z' } }],
  ['in a session', { url: 'http://mock/@worker-1' }],
  ['under region and cloud provider', { url: 'http://mock/europe-west1/gcp/' }],
  ['in a project whose key has to be escaped', { project: 'shop&co' }],
] as const)('the mock passes every check: %s', async (_case, run) => {
  const report = await verifyMock(run)
  expect([idsOf(report, 'failed'), idsOf(report, 'untried'), report.leftovers]).toEqual([[], [], []])
})
