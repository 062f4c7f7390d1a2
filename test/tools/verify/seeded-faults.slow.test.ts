import { expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import { seededFaults } from './seeded-faults.ts'
import { holdingsOf, sentencesOf, verifyFetch } from './verifier.ts'

const EMPTY = { auth: 'strict', fixtures: { 'resources.json': '[]' } } as const

it.each(seededFaults)('verify detects %s, and leaves nothing behind without naming it', async (_what, bend, only) => {
  const mock = await createMock(EMPTY)
  const verifyBent = (isQuick: boolean) =>
    verifyFetch(
      bend((request) => mock.fetch(request)),
      { only, isQuick },
    )
  const quick = await verifyBent(true)
  // Some of them show only in requests that a quick run leaves out.
  const report = quick.mismatches.length > 0 ? quick : await verifyBent(false)
  expect(sentencesOf(report)).not.toEqual([])
  if (report.leftovers.length === 0) expect(await holdingsOf(mock)).toEqual(await holdingsOf(await createMock(EMPTY)))
})
