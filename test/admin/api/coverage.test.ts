import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operationIds } from '../../../src/service/contract/endpoints.ts'
import type { CoverageReport } from '../../../src/sessions/journal/coverage-report.ts'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

/** The coverage of one session, or of all. */
const read = async (ask: Ask, query = ''): Promise<CoverageReport> =>
  (await ask('GET', `/__admin/coverage${query}`)).body as CoverageReport

const findOperation = ({ operations }: CoverageReport, id: string) => operations.find((one) => one.id === id)

/** The statuses and codes of an operation that occurred, with their counts. */
const metOf = (report: CoverageReport, id: string) => {
  const { statuses = [], errors = [] } = findOperation(report, id) ?? {}
  return {
    statuses: Object.fromEntries(statuses.filter(({ met }) => met > 0).map(({ status, met }) => [status, met])),
    errors: Object.fromEntries(errors.filter(({ met }) => met > 0).map(({ code, met }) => [code, met])),
  }
}

describe('GET /__admin/coverage', () => {
  it('lists every operation, status, error code, scenario and recovery, with 0 for those that never occurred', async () => {
    const { ask } = await createAsk()
    const report = await read(ask)
    expect(report.operations).toHaveLength(operationIds.length + 1)
    expect(report.scenarios).toHaveLength(readdirSync('scenarios').length)
    expect(report.recoveries.map(({ kind }) => kind).toSorted()).toEqual([
      'conflict',
      'rateLimited',
      'unauthorized',
      'unavailable',
    ])
    const { met, of, percent, ...parts } = report.summary
    expect([met, percent]).toEqual([0, 0])
    expect(of).toBe(Object.values(parts).reduce((sum, part) => sum + part.of, 0))
    expect(findOperation(report, 'updateResource')?.statuses).toContainEqual({
      status: 409,
      met: 0,
      scenario: 'conflict',
    })
  })

  it('counts a conflict, its scenario and the retry', async () => {
    const { ask } = await createAsk({ scenario: 'conflict-once' })
    const path = await create(ask)
    expect([await update(ask, path, 1), await update(ask, path, 2)]).toEqual([409, 200])
    await ask('GET', '/acme/resource/none')
    const report = await read(ask)
    expect(metOf(report, 'updateResource')).toEqual({
      statuses: { 200: 1, 409: 1 },
      errors: { ConcurrentModification: 1 },
    })
    expect(metOf(report, 'getResourceById')).toEqual({ statuses: { 404: 1 }, errors: { ResourceNotFound: 1 } })
    expect(report.scenarios.filter(({ met }) => met > 0).map(({ name }) => name)).toEqual(['conflict-once'])
    expect(report.recoveries).toContainEqual({ kind: 'conflict', failed: 1, recovered: 1 })
    // Three operations, four statuses, two codes, one scenario, one recovery.
    expect(report.summary).toMatchObject({ met: 11, percent: Math.floor((1000 * 11) / report.summary.of) / 10 })
  })

  it.each([
    [{ journal: 0 }, 'keeps nothing'],
    [{ journal: 1 }, 'keeps one request'],
  ])('counts all requests with %j, when the journal %s', async (options) => {
    const { ask } = await createAsk(options)
    for (let at = 0; at < 5; at += 1) await ask('GET', '/acme/resource')
    expect(findOperation(await read(ask), 'queryResources')?.met).toBe(5)
  })

  it('counts each session separately and in a total, including ended sessions', async () => {
    const { ask } = await createAsk()
    await ask('GET', '/@a/acme/resource')
    await ask('GET', '/@b/acme/resource')
    await ask('DELETE', '/__admin/sessions/b?final=true')
    const [a, c, all] = [await read(ask, '?session=a'), await read(ask, '?session=c'), await read(ask, '?session=*')]
    expect([a, c, all].map((report) => findOperation(report, 'queryResources')?.met)).toEqual([1, 0, 2])
  })

  it('survives a reset between tests', async () => {
    const { ask } = await createAsk()
    await ask('GET', '/acme/resource')
    await ask('POST', '/__admin/reset')
    expect((await read(ask)).summary.operations.met).toBe(1)
  })

  it('counts a connection that a scenario broke as its operation and scenario, without a status', async () => {
    const { ask } = await createAsk({ scenario: 'offline' })
    await expect(ask('GET', '/acme/resource')).rejects.toThrow(TypeError)
    const report = await read(ask)
    expect(report.summary).toMatchObject({ operations: { met: 1 }, statuses: { met: 0 }, scenarios: { met: 1 } })
  })

  it('limits the report to some operations, and the scenarios that can affect them', async () => {
    const { ask } = await createAsk()
    const { operations, scenarios } = await read(ask, '?only=queryResources,%20createResource')
    expect(operations.map(({ id }) => id)).toEqual(['queryResources', 'createResource'])
    const names = scenarios.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['empty', 'read-only', 'unavailable']))
    expect(names.filter((name) => /upload|conflict|custom/.test(name))).toEqual([])
  })

  it('refuses an operation that does not exist', async () => {
    const { ask } = await createAsk()
    const { status, text } = await ask('GET', '/__admin/coverage?only=queryResource')
    expect(status).toBe(400)
    expect(text).toContain('Did you mean \\"queryResources\\"?')
  })
})

describe('DELETE /__admin/coverage', () => {
  it.each([
    ['/@a/__admin/coverage', [0, 1, 2]],
    ['/__admin/coverage?session=*', [0, 0, 0]],
  ])('%s clears the counts of one session, or of all', async (path, expected) => {
    const { ask } = await createAsk()
    for (const session of ['a', 'b']) await ask('GET', `/@${session}/acme/resource`)
    await ask('DELETE', path)
    const reports = [await read(ask, '?session=a'), await read(ask, '?session=b'), await read(ask, '?session=*')]
    expect(reports.map((report) => findOperation(report, 'queryResources')?.met)).toEqual(expected)
  })
})
