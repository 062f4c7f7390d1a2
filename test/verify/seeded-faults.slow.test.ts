import { describe, expect, it } from 'vitest'
import { bendAnswers } from './bends.ts'
import { seededFaults } from './seeded-faults.ts'
import { idsOf, verifyMock } from './verifier.ts'

describe('verify', () => {
  it('finds nothing where nothing is bent', async () => {
    const report = await verifyMock()
    expect([idsOf(report, 'failed'), idsOf(report, 'untried'), report.leftovers]).toEqual([[], [], []])
  })

  it('finds nothing where an answer is only bent straight', async () => {
    const bend = bendAnswers('getResourceById', ({ body }) => body)
    expect(idsOf(await verifyMock({ bend }), 'failed')).toEqual([])
  })

  it.each(seededFaults)('catches %s', async (_what, bend, fails) => {
    expect(idsOf(await verifyMock({ bend }), 'failed')).toEqual(fails)
  })
})
