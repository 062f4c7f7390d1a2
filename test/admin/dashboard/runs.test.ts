import { describe, expect, it } from 'vitest'
import { toAudienceSentence } from '../../../src/admin/dashboard/app/sentence.ts'
import {
  compareRuns,
  findRepeated,
  layOut,
  searchTests,
  sortTests,
  toErrorLine,
  toUnretried,
} from '../../../src/admin/dashboard/app/views/board/tests.ts'
import type { RunWithTests, BoardTest } from '../../../src/admin/dashboard/app/views/board/tests.ts'
import { findCause } from '../../../src/service/scenarios/causes.ts'
import { createAsk } from '../api/ask.ts'

const AT = '2026-01-31T12:00:00.000Z'
const SEEN = { operation: 'updateResource', method: 'POST', status: 200, count: 1, retried: 0 }
const COUNTS = { tests: 1, passed: 0, failed: 0, flaky: 0, skipped: 0, interrupted: 0, running: 0, attempts: 1 }

const createTest = (title: string, members: Partial<BoardTest> = {}): BoardTest => ({
  id: `${title}~1`,
  session: title,
  run: 'r',
  title: ['shop', title],
  file: 'shop.spec.ts',
  line: 1,
  startedAt: AT,
  requests: 1,
  failures: 0,
  scenarios: [],
  responses: [SEEN],
  archive: 'archived',
  ...members,
})

const createRun = (...tests: readonly BoardTest[]): RunWithTests => ({
  run: 'r',
  startedAt: AT,
  counts: COUNTS,
  tests,
})

describe('the tests of a run', () => {
  const [passed, failed, running] = [
    createTest('a', { status: 'passed' }),
    createTest('b', { status: 'failed', worker: 2, error: 'expected 200' }),
    createTest('c'),
  ]

  it('are sorted with the failed ones first, then those without an outcome', () => {
    expect(sortTests([passed, running, failed])).toEqual([failed, running, passed])
  })

  it('have their variants and retries below them, failed ones first', () => {
    const variant = (name: string, status: BoardTest['status'] & string) =>
      createTest('a', { id: name, variant: name, status })
    const [survived, lost] = [variant('getCart slow', 'passed'), variant('getCart error', 'failed')]
    const retry = createTest('b', { id: 'b~2', status: 'passed', retry: 1 })
    const sorted = sortTests([running, failed, survived, passed, lost, retry])
    expect(sorted).toEqual([failed, retry, passed, lost, survived, running])
    expect(findRepeated(sorted)).toEqual(new Set([retry.id, lost.id, survived.id]))
  })

  it.each([
    ['SHOP b', [failed]],
    ['w2 failed', [failed]],
    ['200', [failed]],
    ['running', [running]],
    ['', [passed, failed, running]],
    ['nothing', []],
  ])('are found by %j', (text, found) => {
    expect(searchTests([passed, failed, running], text)).toEqual(found)
  })

  it('are laid out over time, a lane for each worker', () => {
    const later = createTest('d', {
      startedAt: '2026-01-31T12:00:01.000Z',
      endedAt: '2026-01-31T12:00:02.000Z',
      worker: 3,
    })
    const { lanes, bars } = layOut([createTest('e', { endedAt: '2026-01-31T12:00:01.000Z' }), later])
    expect(lanes).toEqual(['w0', 'w3'])
    expect(bars).toMatchObject([
      { lane: 0, start: 0, length: 0.5 },
      { lane: 1, start: 0.5, length: 0.5 },
    ])
  })

  it.each([
    ['Error: expect(received).toBe(expected)\n\nExpected: 200\nReceived: 409', 'expected 200, got 409'],
    ['Error: page closed\n  at x', 'page closed'],
    ['', ''],
  ])('show %j in one line', (error, line) => {
    expect(toErrorLine(error)).toBe(line)
  })

  it('name each failure that was not retried', () => {
    const responses = [SEEN, { ...SEEN, status: 409, count: 2, retried: 1 }, { ...SEEN, status: 503, retried: 1 }]
    expect(toUnretried({ responses })).toEqual(['409 not retried'])
  })
})

describe('the comparison of two runs', () => {
  it('lists what only one of them has, and leaves out equal tests', () => {
    const conflict = { ...SEEN, status: 409, count: 2, retried: 1 }
    const before = createRun(createTest('same', { status: 'passed' }), createTest('a', { status: 'passed' }))
    const now = createRun(
      createTest('same', { status: 'passed' }),
      createTest('a', { status: 'failed', responses: [conflict] }),
    )
    expect(compareRuns(before, now)).toMatchObject([
      {
        title: 'shop › a',
        added: ['updateResource 409 × 2', 'a retry after updateResource 409'],
        removed: ['updateResource 200'],
      },
    ])
  })

  it('compares the last attempts, and lists tests that only one run has', () => {
    const first = createTest('a', { status: 'failed' })
    const retry = createTest('a', { id: 'a~2', status: 'passed', retry: 1 })
    const added = createTest('b', { status: 'passed' })
    expect(compareRuns(createRun(first, retry), createRun(retry, added))).toMatchObject([
      { title: 'shop › b', before: undefined, now: added },
    ])
  })
})

describe('the scenario that causes a status', () => {
  it.each([
    ['updateResource', 409, 'conflict'],
    ['updateResource', 'ConcurrentModification', 'conflict'],
    ['getResourceById', 404, 'not-found'],
    ['queryResources', 404, undefined],
    ['checkResources', 404, 'empty'],
    ['queryResources', 401, 'unauthorized'],
    ['queryResources', 'OverCapacity', 'unavailable'],
    ['uploadImage', 413, 'upload-too-large'],
    ['queryResources', 500, undefined],
  ] as const)('of %s %s is %s', async (operation, wanted, name) => {
    const { ask } = await createAsk()
    const { body } = await ask('GET', '/__admin/scenarios')
    const { scenarios } = body as { readonly scenarios: Parameters<typeof findCause>[0] }
    expect(findCause(scenarios, operation, wanted)).toBe(name)
  })
})

it.each([
  ['updateResource', 409, 'Save refused: someone else was first'],
  ['updateResource', 200, 'Saved'],
  ['oauth token', 200, 'Signed in'],
  ['queryResources', 503, 'List failed: the service is unavailable'],
  [undefined, 500, 'GET request failed: the service had an error'],
])('says %s with %i to an audience as %j', (operation, status, sentence) => {
  expect(toAudienceSentence({ operation, method: 'GET', status })).toBe(sentence)
})
