import { describe, expect, it } from 'vitest'
import { documentedErrors, documentedStatuses } from '../../../src/service/contract/error-responses.ts'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import {
  addReports,
  restrictReport,
  toCoverageReport,
  describeShortfall,
  toCoverageText,
} from '../../../src/sessions/journal/coverage-report.ts'
import { loadAllScenarios } from '../../../src/service/scenarios/load.ts'
import { createCoverage } from '../../../src/sessions/journal/counts.ts'
import type { AnsweredRequest } from '../../../src/sessions/journal/counts.ts'

const answered = (more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  operation: 'updateResource',
  path: '/acme/resource/1',
  authorization: 'Bearer a',
  scenarios: [],
  status: 200,
  body: undefined,
  retryAfter: undefined,
  time: 0,
  ...more,
})

/** The counts of one kind of recovery after these responses, in one session. */
function recoveriesAfter(...responses: readonly Partial<AnsweredRequest>[]) {
  const session = createCoverage().openSession()
  for (const response of responses) session.count(answered(response))
  const { recoveries } = toCoverageReport(session.read(), [])
  return Object.fromEntries(
    recoveries.flatMap(({ kind, ...counts }) => (counts.failed > 0 ? [[kind, counts] as const] : [])),
  )
}

describe('an error code', () => {
  const envelope = JSON.stringify({ statusCode: 409, errors: [{ code: 'ConcurrentModification' }] })

  it.each([
    ['text', envelope],
    ['bytes, as from another service', new TextEncoder().encode(envelope)],
  ])('is counted in %s', (_what, body) => {
    const session = createCoverage().openSession()
    session.count(answered({ status: 409, body }))
    expect(session.read().get('updateResource ConcurrentModification')).toBe(1)
  })
})

describe('a recovery', () => {
  it.each([
    ['a conflict that was retried', [{ status: 409 }, {}], { conflict: { failed: 1, recovered: 1 } }],
    [
      'a conflict that was retried twice',
      [{ status: 409 }, { status: 409 }, {}],
      { conflict: { failed: 2, recovered: 1 } },
    ],
    [
      'a request with a new token',
      [{ status: 401 }, { authorization: 'Bearer b' }],
      { unauthorized: { failed: 1, recovered: 1 } },
    ],
    ['an outage that was waited out', [{ status: 503 }, {}], { unavailable: { failed: 1, recovered: 1 } }],
    [
      'a rate limit that was waited out',
      [{ status: 429, retryAfter: '2' }, { time: 2000 }],
      { rateLimited: { failed: 1, recovered: 1 } },
    ],
    [
      'two failures of one request',
      [{ status: 503 }, { status: 409 }, {}],
      { unavailable: { failed: 1, recovered: 1 }, conflict: { failed: 1, recovered: 1 } },
    ],
  ])('is %s', (_what, responses, expected) => {
    expect(recoveriesAfter(...responses)).toEqual(expected)
  })

  it.each([
    ['another resource', [{ status: 409 }, { path: '/acme/resource/2' }], 'conflict'],
    ['another operation', [{ status: 409 }, { operation: 'getResourceById' }], 'conflict'],
    ['a second failure', [{ status: 409 }, { status: 404 }], 'conflict'],
    ['the same token', [{ status: 401 }, {}], 'unauthorized'],
    ['a request that came too early', [{ status: 429, retryAfter: '2' }, { time: 1000 }], 'rateLimited'],
  ] as const)('is not %s', (_what, responses, kind) => {
    expect(recoveriesAfter(...responses)).toEqual({ [kind]: { failed: 1, recovered: 0 } })
  })

  it('is remembered for the last hundred failed requests', () => {
    const session = createCoverage().openSession()
    for (let at = 0; at <= 100; at += 1) session.count(answered({ status: 409, path: `/acme/resource/${at}` }))
    for (const at of [0, 1]) session.count(answered({ path: `/acme/resource/${at}` }))
    expect([session.read().get('failed conflict'), session.read().get('recovered conflict')]).toEqual([101, 1])
  })
})

describe('the coverage', () => {
  it('counts only what the contract documents', () => {
    const coverage = createCoverage()
    const session = coverage.openSession()
    session.count(answered({ status: 418, body: '{"errors":[{"code":"Teapot"},{"code":"General"},7]}' }))
    for (const body of ['', 'no JSON', '[]', '{"errors":{}}', new Uint8Array([1])]) {
      session.count(answered({ status: 500, body }))
    }
    const { operations } = toCoverageReport(coverage.read(), [])
    const counted = operations.find(({ id }) => id === 'updateResource')
    expect(counted?.met).toBe(6)
    expect(counted?.statuses.filter(({ met }) => met > 0)).toEqual([{ status: 500, met: 5 }])
    expect(counted?.errors.filter(({ met }) => met > 0)).toEqual([{ code: 'General', met: 1 }])
    expect([...coverage.read().keys()]).toEqual([
      'updateResource other',
      'updateResource General',
      'updateResource 500',
    ])
  })

  it('counts at most a thousand scenarios', () => {
    const session = createCoverage().openSession()
    for (let at = 0; at < 1001; at += 1) session.count(answered({ scenarios: [`s-${at}`, 's-0'] }))
    const counts = session.read()
    expect([...counts.keys()].filter((name) => name.startsWith('scenario '))).toHaveLength(1000)
    expect(counts.get('scenario s-0')).toBe(1002)
  })
})

describe('the documented errors', () => {
  it('are empty for HEAD, which has no body', () => {
    expect(documentedErrors(endpoints.checkResources)).toEqual([])
    expect(documentedStatuses(endpoints.checkResources)).toContain(404)
  })

  it('include invalid JSON only if JSON is sent', () => {
    expect(documentedErrors(endpoints.createResource)).toContain('InvalidJsonInput')
    expect(documentedErrors(endpoints.queryResources)).not.toContain('InvalidJsonInput')
    expect(documentedErrors(endpoints.uploadImage)).not.toContain('InvalidJsonInput')
  })
})

describe('a report', () => {
  const reportOf = (...responses: readonly Partial<AnsweredRequest>[]) => {
    const session = createCoverage().openSession()
    for (const response of responses) session.count(answered(response))
    return toCoverageReport(session.read(), [])
  }

  it('adds up the coverage of several sessions', () => {
    const sum = addReports([reportOf({ status: 409 }, {}), reportOf({ status: 409 }), reportOf({ status: 404 })])
    const update = sum.operations.find(({ id }) => id === 'updateResource')
    expect(update?.met).toBe(4)
    expect(update?.statuses.filter(({ met }) => met > 0)).toEqual([
      { status: 200, met: 1 },
      { status: 404, met: 1 },
      { status: 409, met: 2 },
    ])
    expect(sum.recoveries.find(({ kind }) => kind === 'conflict')).toEqual({
      kind: 'conflict',
      failed: 2,
      recovered: 1,
    })
    expect(sum.summary).toMatchObject({
      met: 5,
      operations: { met: 1, of: operationIds.length + 1 },
      statuses: { met: 3 },
    })
  })

  it('counts the recoveries that its operations may need', () => {
    const kinds = (...only: readonly string[]) => restrictReport(reportOf(), only).recoveries.map(({ kind }) => kind)
    expect(kinds('queryResources')).toEqual(['unauthorized', 'rateLimited', 'unavailable'])
    expect(kinds('queryResources', 'updateResource')).toContain('conflict')
  })

  it.each([
    [100, 'The coverage of failure is 50 %, below the minimum of 100 %.'],
    [50, undefined],
    [50.01, 'The coverage of failure is 50 %, below the minimum of 50.01 %.'],
  ])('of one half, with a min of %d: %s', (min, sentence) => {
    const report = reportOf()
    expect(describeShortfall({ ...report, summary: { ...report.summary, met: 5, of: 10, percent: 50 } }, min)).toBe(
      sentence,
    )
  })

  it('lists as text the covered and uncovered cases', () => {
    const lines = toCoverageText(restrictReport(reportOf({ status: 409 }, {}), ['updateResource', 'getAction'])).split(
      '\n',
    )
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Coverage of failure: [\d.]+ % \(4 of \d+ met\)$/),
        '  Operations      1 of 2',
        '  Operations: getAction',
        expect.stringMatching(/^ {2}updateResource: 400, 401, 403, 404, 412, 413,/),
      ]),
    )
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
  })
})

describe('what was not met', () => {
  const readLines = async (only: string, ...requests: readonly Partial<AnsweredRequest>[]) => {
    const session = createCoverage().openSession()
    for (const request of requests) session.count(answered(request))
    const report = toCoverageReport(session.read(), await loadAllScenarios({}))
    return { report, text: toCoverageText(restrictReport(report, [only])).replaceAll(/\n +/g, ' ') }
  }

  it('names the scenario that causes a status, or how to get it without one', async () => {
    const { text } = await readLines('createResource', { operation: 'createResource', status: 201 })
    expect(text).toContain(
      'createResource: 400, 401 (unauthorized), 403 (missing-scope), 412, 413, 415, 429 (rate-limited)',
    )
    expect(text).toContain('For the others, such as 400 of createResource, send Prefer: code=400.')
    expect((await readLines('uploadImage', { operation: 'uploadImage' })).text).toContain('413 (upload-too-large)')
    expect((await readLines('updateResource', {})).text).toContain('409 (conflict)')
  })

  it('loses its scenario once any of several reports met it', async () => {
    const [none, met] = await Promise.all([readLines('updateResource'), readLines('updateResource', { status: 409 })])
    for (const reports of [
      [none, met],
      [met, none],
    ]) {
      const { operations } = addReports(reports.map(({ report }) => report))
      const { statuses = [] } = operations.find(({ id }) => id === 'updateResource') ?? {}
      expect(statuses.find(({ status }) => status === 409)).toEqual({ status: 409, met: 1 })
      expect(statuses.find(({ status }) => status === 401)).toEqual({ status: 401, met: 0, scenario: 'unauthorized' })
    }
  })
})
