import { beforeAll, describe, expect, it } from 'vitest'
import { failuresOf } from '../../../src/resilience.ts'
import type { FailureName } from '../../../src/resilience.ts'
import type { OperationId } from '../../../src/index.ts'
import type { Cell } from '../../../src/tools/resilience/report.ts'
import type { Verdict } from '../../../src/tools/resilience/verdict.ts'
import { describeInChromium } from '../../support/chromium.ts'
import { runResilience } from './run-resilience.ts'
import type { ResilienceOutcome } from './run-resilience.ts'
import type { AppKind } from './suite/app.ts'

/** A run starts a worker of Playwright for each variant. */
const LONG = 1_800_000

/** The verdict on each failure that is not the usual one; `none` if the test of another app is asked. */
type Exceptions = Readonly<Partial<Record<FailureName, Verdict | 'none'>>>

const known: Readonly<Record<AppKind, Readonly<Partial<Record<OperationId, readonly [Verdict, Exceptions]>>>>> = {
  // It says that it has saved whatever happens.
  survives: { queryResources: ['survived', {}], updateResource: ['survived', { slow: 'none' }] },
  tells: { queryResources: ['told', { slow: 'survived' }], updateResource: ['told', { slow: 'survived' }] },
  crashes: { queryResources: ['broken', { slow: 'survived' }], updateResource: ['broken', { slow: 'survived' }] },
  spins: { queryResources: ['broken', { slow: 'survived' }], updateResource: ['broken', { slow: 'survived' }] },
  // A retry helps, except where it cannot.
  storms: {
    queryResources: ['survived', { 'missing-scope': 'broken', empty: 'broken' }],
    updateResource: [
      'survived',
      { conflict: 'broken', 'missing-scope': 'broken', 'not-found': 'broken', 'reset-after': 'broken' },
    ],
  },
  overwrites: { updateResource: ['told', { slow: 'survived', conflict: 'overwrote' }] },
  doubles: {
    createResource: ['told', { slow: 'survived', 'reset-before': 'survived', 'reset-after': 'doubled' }],
  },
}

const toLine = (app: string | undefined, operation: string, failure: string, verdict: string) =>
  `${app} ${operation} ${failure}: ${verdict}`

/** Most variants start a browser, so a run of the whole suite judges one failure of each kind that apps handle differently. */
const tried: Readonly<Partial<Record<OperationId, readonly FailureName[]>>> = {
  queryResources: ['empty'],
  updateResource: ['conflict', 'error', 'slow', 'reset-after'],
  createResource: ['error', 'reset-before', 'reset-after'],
}

const isTried = (operation: OperationId, failure: FailureName): boolean =>
  process.env['EVERY_FAILURE'] !== undefined || tried[operation]?.includes(failure) === true

const toOnly = (operation: OperationId): readonly string[] =>
  failuresOf(operation).flatMap(({ name }) => (isTried(operation, name) ? `${operation}:${name}` : []))

const only = [...toOnly('queryResources'), ...toOnly('updateResource'), ...toOnly('createResource')].join(',')

const expected = Object.entries(known).flatMap(([app, operations]) =>
  Object.entries(operations).flatMap(([id, [usual, exceptions]]) => {
    // The table has operation ids only.
    const operation = id as OperationId
    const names = failuresOf(operation).flatMap(({ name }) => (isTried(operation, name) ? name : []))
    return names.flatMap((name) => {
      const verdict = exceptions[name] ?? usual
      return verdict === 'none' ? [] : toLine(app, operation, name, verdict)
    })
  }),
)

const toLines = (cells: readonly Cell[]) =>
  cells.map(({ test, operation, failure, verdict }) => toLine(test.project, operation, failure, verdict))

describeInChromium('resource-mock resilience', () => {
  describe('with an app of each kind', () => {
    let outcome: ResilienceOutcome
    beforeAll(async () => {
      outcome = await runResilience(['--only', only, '--per-failure', '7', '--plan', 'plan.json'], ['apps.config.ts'])
    }, LONG)

    it('judges what each app does about each failure', () => {
      expect(toLines(outcome.report.cells).toSorted()).toEqual(expected.toSorted())
      expect(outcome.report.leftOut).toEqual([])
    })

    it('says why', () => {
      const why = (app: AppKind, failure: FailureName) =>
        outcome.report.cells.findLast((cell) => cell.test.project === app && cell.failure === failure)?.why
      expect(why('tells', 'error')).toBe('The page said "alert: Not saved.".')
      expect(why('crashes', 'error')).toBe('The page threw an uncaught error: Unexpected status 500')
      expect(why('spins', 'error')).toBe('The page was still busy at the end: <main>.')
      expect(why('storms', 'conflict')).toMatch(
        /^The app sent updateResource \d+ times more than without the failure\.$/,
      )
    })

    it('exits with 0 if nothing was asked for', () => {
      expect(outcome.status).toBe(0)
    })

    it('shows what happened in a page to share', () => {
      const page = outcome.read('report.html')
      expect(page).toContain('<h2>overwrote: updateResource under conflict</h2>')
      expect(page).toContain('src="data:image/jpeg;base64,')
      expect(page).toContain('POST /acme/resource → CONNECTION_RESET_AFTER_OPERATION (failure-reset-after)')
      expect(page).toContain('version 4: written by another writer (failure-conflict)')
    })

    it('writes JUnit XML', () => {
      const xml = outcome.read('report.xml')
      expect(xml).toContain(`<testsuites name="resource-mock resilience" tests="${expected.length}"`)
      expect(xml).toContain('<failure type="doubled"')
    })

    it('writes the plan before it runs', () => {
      // One more than verdicts: see `none`.
      expect(outcome.stderr).toContain(`Plan: ${expected.length + 1} variants, at least `)
      expect(JSON.parse(outcome.read('plan.json'))).toMatchObject({ leftOut: [] })
    })
  })

  it('leaves out tests that fail without any failure, and does not retry variants', { timeout: LONG }, async () => {
    const { status, report, stdout } = await runResilience(
      ['--only', 'updateResource:error,updateResource:slow', '--min-survived', '60'],
      ['mixed.config.ts', 'failing.spec.ts'],
    )
    expect(report.cells.map(({ test, failure, verdict }) => [test.title, failure, verdict])).toEqual([
      [['saves'], 'error', 'told'],
      [['saves'], 'slow', 'survived'],
    ])
    expect(report.leftOut.map(({ test, why }) => `${test.title.join()}: ${why}`).toSorted()).toEqual([
      'fails anyway: failed without any failure',
      'passes on a retry: passed only when it was retried, without any failure',
    ])
    expect(stdout).toContain('50 % of the variants survived, but at least 60 % were asked for.')
    expect(status).toBe(1)
  })

  it('runs the earlier tests of a serial suite without a failure', { timeout: LONG }, async () => {
    const { report } = await runResilience(
      ['--only', 'createResource:reset-after,updateResource:error,queryResources:error', '--allow', 'told'],
      ['mixed.config.ts', 'serial.spec.ts'],
    )
    expect(report.cells.map(({ test, verdict }) => [test.title.at(-1), verdict])).toEqual(
      expect.arrayContaining([
        ['starts', 'doubled'],
        ['ends', 'told'],
      ]),
    )
    expect(report.summary).toMatchObject({ of: 3, doubled: 1, told: 2 })
    expect(report.leftOut).toEqual([])

    const { repeat } = report.cells.find(({ test }) => test.title.at(-1) === 'ends') ?? expect.fail('No cell.')
    const [, cell = ''] = /^RESOURCE_MOCK_CELL='(.+?)' npx /.exec(repeat) ?? []
    const repeated = await runResilience([], ['mixed.config.ts'], undefined, cell)
    expect(repeated.stdout).toMatch(/\n1 variant: 1 told\n$/)
    expect(repeated.stderr).toMatch(/ \d+ skipped\n +4 passed/)
  })

  it('chooses a test that looks at the operation', { timeout: LONG }, async () => {
    const { report } = await runResilience(['--only', 'queryResources:slow'], ['mixed.config.ts', 'looking.spec.ts'])
    expect(report.cells.map(({ test, verdict }) => [test.title, verdict])).toEqual([[['lists'], 'survived']])
  })

  it('says unnoticed if no test looks', { timeout: LONG }, async () => {
    const { report, stderr } = await runResilience(
      ['--only', 'queryResources:slow'],
      ['mixed.config.ts', 'looking.spec.ts', '-g', 'opens', '--reporter=dot'],
    )
    expect(report.cells).toMatchObject([{ test: { title: ['opens'] }, verdict: 'unnoticed' }])
    expect(stderr).not.toContain('No test reported coverage')
  })

  it('judges tests with contexts of their own, and none of a setup project', { timeout: LONG }, async () => {
    const { report } = await runResilience(['--only', 'updateResource:error,queryResources:error'], ['setup.config.ts'])
    expect(report.cells.map(({ test, verdict, why }) => [test.project, verdict, why])).toEqual([
      ['app', 'told', 'The page said "alert: Cannot list.".'],
      ['app', 'told', 'The page said "alert: Not saved.".'],
    ])
    expect(report.leftOut).toEqual([])
  })

  it('adds the failure to the scenarios that a test uses', { timeout: LONG }, async () => {
    const { report, status } = await runResilience(
      ['--only', 'updateResource:error,updateResource:missing-scope', '--every-call', '--allow', 'told'],
      ['mixed.config.ts', 'scenarios.spec.ts'],
    )
    expect(report.summary).toMatchObject({ of: 4, survived: 3, broken: 1 })
    expect(status).toBe(1)
  })

  it('keeps what was found when it is interrupted', { timeout: LONG }, async () => {
    let isStopped = false
    const { status, report } = await runResilience(
      ['--only', 'createResource:slow,createResource:error,createResource:reset-after,createResource:unavailable'],
      ['apps.config.ts', '--project=doubles', '--workers=1'],
      (stderr, child) => {
        // The first test is that of the ordinary run.
        if (isStopped || (stderr.match(/^ +[✓✘]/gm) ?? []).length < 2) return
        isStopped = true
        child.kill('SIGINT')
      },
    )
    expect(status).toBe(130)
    expect(report.summary.of).toBeGreaterThan(0)
    expect(report.leftOut.length).toBeGreaterThan(0)
    expect(report.leftOut.map(({ why }) => why)).toEqual(report.leftOut.map(() => 'The run was stopped before.'))
  })
})
