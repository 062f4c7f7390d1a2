import { describe, expect, it } from 'vitest'
import {
  countSharedTitles,
  countValues,
  filterTests,
  isNewIn,
  listFailures,
  sortTests,
  toCommand,
  toErrorLine,
  toFirstOpened,
  toPastText,
  toRunTests,
  toVerdicts,
} from '../../../src/admin/dashboard/app/views/board/tests.ts'
import type { BoardTest, RunTest } from '../../../src/admin/dashboard/app/views/board/tests.ts'
import { findCause } from '../../../src/service/scenarios/causes.ts'
import { createAsk } from '../api/ask.ts'

const AT = '2026-01-31T12:00:00.000Z'
const SEEN = { operation: 'updateResource', method: 'POST', status: 200, count: 1, retried: 0 }
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

const NO_FILTER = { search: '', result: '', project: '', file: '', cause: '' }

const titlesOf = (tests: readonly RunTest[]) => tests.map(({ last }) => last.title.at(-1))

describe('the tests of a run', () => {
  const attempts = [
    createTest('a', { status: 'passed', project: 'chromium' }),
    createTest('b', { status: 'failed', worker: 2, error: 'expected "oak"' }),
    createTest('c', { archive: 'live' }),
    createTest('d', { status: 'timedOut', error: 'Test timeout of 500ms exceeded.' }),
    createTest('b', { id: 'b~2', status: 'failed', retry: 1, error: 'expected "elm"' }),
    createTest('d', { id: 'd~2', status: 'passed', retry: 1 }),
    createTest('e', { status: 'skipped' }),
    createTest('f'),
    createTest('g', { status: 'failed', error: 'expected "ash"' }),
  ]
  const tests = toRunTests(attempts)

  it('are sorted by how they went, each once with its attempts', () => {
    expect(tests.map(({ last, verdict, attempts: own }) => `${last.title[1]} ${verdict} ${own.length}`)).toEqual([
      'b failed 2',
      'g failed 1',
      'f interrupted 1',
      'd flaky 2',
      'c running 1',
      'a passed 1',
      'e skipped 1',
    ])
  })

  it('name why the last failed attempt failed, and open it first', () => {
    expect(tests.slice(0, 4).map(({ cause }) => cause)).toEqual([
      'expected "elm"',
      'expected "ash"',
      'interrupted',
      'Test timeout of 500ms exceeded.',
    ])
    expect(tests.map((test) => toFirstOpened(test).id)).toEqual(['b~2', 'g~1', 'f~1', 'd~1', 'c~1', 'a~1', 'e~1'])
  })

  it('are grouped by causes that differ only in values, and by what was not retried', () => {
    expect(countValues(tests.slice(0, 4), 'cause')).toEqual([
      ['expected …', 2],
      ['interrupted', 1],
      ['Test timeout of …ms exceeded.', 1],
    ])
    const unretried = { ...SEEN, status: 409 }
    const members = { status: 'failed', responses: [unretried] } as const
    const conflicts = ['x', 'y'].map((title) => createTest(title, { ...members, error: title }))
    expect(countValues(toRunTests(conflicts), 'cause')).toEqual([['409 not retried', 2]])
  })

  it.each<readonly [Partial<typeof NO_FILTER>, readonly string[]]>([
    [{ search: 'SHOP b' }, ['b']],
    [{ search: 'w2 failed' }, ['b']],
    [{ search: 'oak' }, ['b']],
    [{ search: 'running' }, ['c']],
    [{ search: 'nothing' }, []],
    [{ result: 'flaky' }, ['d']],
    [{ project: 'chromium' }, ['a']],
    [{ file: 'other.spec.ts' }, []],
    [{ cause: 'expected …', search: 'ash' }, ['g']],
    [{}, ['b', 'g', 'f', 'd', 'c', 'a', 'e']],
  ])('are found by %j', (filter, found) => {
    expect(titlesOf(filterTests(tests, { ...NO_FILTER, ...filter }))).toEqual(found)
  })

  it('leave out the suites that all have in common', () => {
    expect(countSharedTitles(tests)).toBe(1)
    expect(countSharedTitles(toRunTests([createTest('a')]))).toBe(0)
    expect(countSharedTitles(toRunTests([createTest('a', { title: ['a'] }), createTest('b', { title: ['b'] })]))).toBe(
      0,
    )
  })

  it.each([
    ['Error: expect(received).toBe(expected)\n\nExpected: 200\nReceived: 409', 'expected 200, got 409'],
    ['Error: page closed\n  at x', 'page closed'],
    ['', ''],
  ])('show %j in one line', (error, line) => {
    expect(toErrorLine(error)).toBe(line)
  })

  it('name each failure that was not retried, and those that no retry mends', () => {
    const failures = [403, 404, 0].map((status) => ({ ...SEEN, status }))
    const responses = [SEEN, { ...SEEN, status: 409, count: 2, retried: 1 }, { ...SEEN, status: 503, retried: 1 }]
    expect(listFailures({ responses: [...responses, ...failures] })).toEqual([
      '409 not retried',
      '403 missing scope',
      '404 not found',
      'broken not retried',
    ])
  })

  it.each([
    ['took', ['e', 'a', 'b']],
    ['-took', ['b', 'a', 'e']],
    ['-test', ['e', 'b', 'a']],
    ['', ['a', 'b', 'e']],
  ])('are sorted by %j', (sort, sorted) => {
    const some = [
      createTest('a', { status: 'passed', duration: 2 }),
      createTest('b', { status: 'passed', duration: 3 }),
      createTest('e', { status: 'passed', duration: 1 }),
    ]
    expect(titlesOf(sortTests(toRunTests(some), sort))).toEqual(sorted)
  })

  it('have a command that runs them again', () => {
    const some = [createTest('a'), createTest('b', { line: 7 }), createTest('c')]
    expect(toCommand(toRunTests(some))).toBe('npx playwright test shop.spec.ts:1 shop.spec.ts:7')
  })
})

describe('the runs before', () => {
  const run = (...tests: readonly BoardTest[]) => toVerdicts(toRunTests(tests))
  const passed = (title: string) => createTest(title, { status: 'passed' })
  const failed = (title: string) => createTest(title, { status: 'failed' })
  const [before, first] = [run(passed('a'), failed('b')), run(failed('a'), failed('b'))]
  const tests = toRunTests([
    failed('a'),
    failed('b'),
    passed('c'),
    failed('d'),
    failed('e'),
    createTest('e', { id: 'e~2', status: 'passed', retry: 1 }),
  ])

  it('say which failures are new', () => {
    expect(titlesOf(tests.filter((test) => isNewIn(test, before)))).toEqual(['a', 'd', 'e'])
  })

  it('say how often a test failed', () => {
    expect(tests.map((test) => toPastText(test, [before, first]))).toEqual([
      'new',
      'failed in 3 of the last 3 runs',
      'new',
      undefined,
      undefined,
    ])
    expect(tests.map((test) => toPastText(test, []))).toEqual(tests.map(() => undefined))
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
