import { describe, expect, it } from 'vitest'
import { subjectIds } from '../../../src/tools/verify/subjects.ts'
import { createFetchTransport } from './fetch-transport.ts'
import { verify } from '../../../src/tools/verify/verify.ts'
import { bendAnswers } from './bends.ts'
import { createMock } from '../../../src/mock.ts'
import { families, findChecks } from './faults/families.ts'
import { stranger } from './stranger.ts'
import { seededFaults } from './seeded-faults.ts'
import { holdingsOf, idsOf, usual, verifyMock } from './verifier.ts'

describe('verify', () => {
  it('reports no findings for the mock', async () => {
    const report = await verifyMock()
    expect([idsOf(report, 'failed'), idsOf(report, 'untried'), report.leftovers]).toEqual([[], [], []])
  })

  it('reports no findings for a rewritten response', async () => {
    const bend = bendAnswers('getResourceById', ({ body }) => body)
    expect(idsOf(await verifyMock({ bend }), 'failed')).toEqual([])
  })

  it('reports no findings for another correct implementation', async () => {
    const report = await verifyMock({ bend: stranger })
    expect([idsOf(report, 'failed'), idsOf(report, 'untried'), report.leftovers]).toEqual([[], [], []])
  })

  it.each(families)('detects everywhere: %s', async (_what, bend, names) => {
    expect(idsOf(await verifyMock({ bend }), 'failed')).toEqual(expect.arrayContaining([...findChecks(names)]))
  })

  it.each(seededFaults)('detects %s, and leaves nothing behind without naming it', async (_what, bend, finds) => {
    const only = subjectIds.filter((subject) => finds.some((id) => id.startsWith(`${subject}/`)))
    const mock = await createMock()
    const before = await holdingsOf(mock)
    const report = await verify({
      ...usual,
      only,
      transport: createFetchTransport(bend((request) => mock.fetch(request))),
    })
    expect(idsOf(report, 'failed')).toEqual(expect.arrayContaining([...finds]))
    if (report.leftovers.length === 0) expect(await holdingsOf(mock)).toEqual(before)
  })
})
