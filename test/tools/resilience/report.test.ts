import { describe, expect, it } from 'vitest'
import { toJunit, toPage } from '../../../src/tools/resilience/files.ts'
import { findShortfall, parseBaseline, toReport, toText } from '../../../src/tools/resilience/report.ts'
import type { Cell, Demands } from '../../../src/tools/resilience/report.ts'

const test = { title: ['saves <it>'], file: 'save.spec.ts', line: 12, project: 'chromium' }

const cell = (operation: Cell['operation'], failure: Cell['failure'], verdict: Cell['verdict']): Cell => ({
  operation,
  failure,
  call: 1,
  verdict,
  why: `It ${verdict}.`,
  test,
  session: 'saves-1',
  repeat: `npx resource-mock resilience --only ${operation}:${failure} -- npx playwright test save.spec.ts:12`,
})

const overwritten = cell('updateResource', 'conflict', 'overwrote')

const cells = [
  cell('updateResource', 'slow', 'survived'),
  overwritten,
  cell('getResourceById', 'slow', 'told'),
  cell('updateResource', 'slow', 'survived'),
]
const report = toReport(cells, [{ test, why: 'failed without any failure' }])

describe('the report', () => {
  it('counts the verdicts', () => {
    expect(report.summary).toEqual({ survived: 2, unnoticed: 0, told: 1, broken: 0, overwrote: 1, doubled: 0, of: 4 })
  })

  it('lists the calls of a test in their order', () => {
    const calls = [2, 1, 3].map((call) => ({ ...overwritten, call }))
    expect(toReport(calls, []).cells.map(({ call }) => call)).toEqual([1, 2, 3])
  })

  it('shows a matrix, what was not survived, and what was left out', () => {
    expect(toText(report, undefined)).toBe(
      [
        '                  getResource  update',
        '                  ById         Resource',
        'conflict          –            overwrote',
        'slow              told         survived',
        '',
        'told: getResourceById under slow, in save.spec.ts:12 saves <it> (chromium)',
        '  It told.',
        '  npx resource-mock resilience --only getResourceById:slow -- npx playwright test save.spec.ts:12',
        '',
        'overwrote: updateResource under conflict, in save.spec.ts:12 saves <it> (chromium)',
        '  It overwrote.',
        '  npx resource-mock resilience --only updateResource:conflict -- npx playwright test save.spec.ts:12',
        '',
        'Left out:',
        '  save.spec.ts:12 saves <it> (chromium): failed without any failure',
        '',
        '4 variants: 2 survived, 1 told, 1 overwrote',
      ].join('\n'),
    )
  })

  it('lets no escape sequence of a page reach the terminal', () => {
    const why = 'The page threw \u001B]0;title\u0007\u001B[2J\u001B[31mred\u001B[0m\u0007.'
    expect(toText(toReport([], [{ test, why }]), undefined)).toContain('The page threw red.')
  })

  it('names a test that a stopped run left out once for each operation', () => {
    const leftOut = (['slow', 'error'] as const).map((failure) => ({
      test,
      operation: 'updateResource' as const,
      failure,
      why: 'The run was stopped before.',
    }))
    expect(toText(toReport([], leftOut), undefined)).toBe(
      'Left out:\n  save.spec.ts:12 saves <it> (chromium) under updateResource:slow, error: The run was stopped before.\n\n0 variants',
    )
  })

  it('says what got better and worse', () => {
    const baseline = [cell('updateResource', 'conflict', 'doubled'), cell('getResourceById', 'slow', 'survived')]
    expect(toText(report, baseline)).toContain(
      '1 worse than in the baseline\n  getResourceById:slow: survived → told\n1 better than in the baseline\n  updateResource:conflict: doubled → overwrote\n',
    )
  })

  it('reads an earlier report, and nothing else', () => {
    expect(parseBaseline(JSON.stringify(report), 'old.json')).toEqual(report.cells)
    expect(() => parseBaseline('{}', 'old.json')).toThrow(
      '--baseline: old.json is not a report of this command. Write one with --report old.json',
    )
  })

  it('is JUnit XML with a case for each variant', () => {
    const xml = toJunit(report, ['told'])
    expect(xml).toContain('<testsuites name="resource-mock resilience" tests="4" failures="1" skipped="0">')
    expect(xml).toContain(
      '<testcase classname="getResourceById" name="slow: save.spec.ts:12 saves &lt;it&gt; (chromium)"/>',
    )
    expect(xml).toContain('<failure type="overwrote" message="It overwrote.">npx resource-mock resilience --only')
  })

  it('is a page that escapes what it shows', () => {
    const page = toPage(report, [
      { ...overwritten, detail: { error: '<b>', requests: ['GET /a'], versions: [], explanation: '' } },
    ])
    expect(page).toContain('saves &lt;it&gt;')
    expect(page).toContain('&lt;b&gt;')
    expect(page).not.toContain('<script')
  })
})

describe('the demands', () => {
  const demand = (demands: Partial<Demands>) =>
    findShortfall(report, { minSurvived: undefined, allow: [], failOn: [], ...demands }, 0)

  it.each<readonly [Partial<Demands>, string | undefined]>([
    [{}, undefined],
    [{ minSurvived: 50 }, undefined],
    [{ minSurvived: 51 }, '50 % of the variants survived, but at least 51 % were asked for.'],
    [{ minSurvived: 75, allow: ['told'] }, undefined],
    [{ allow: ['told'] }, '75 % of the variants survived or told, but at least 100 % were asked for.'],
    [{ failOn: ['broken'] }, undefined],
    [{ failOn: ['told', 'overwrote'] }, '--fail-on: 1 variant told, 1 variant overwrote.'],
  ])('%o', (demands, shortfall) => {
    expect(demand(demands)).toBe(shortfall)
  })

  it.each<Partial<Demands>>([{ minSurvived: 0 }, { allow: ['told'] }, { failOn: ['doubled'] }])(
    '%o are not met without a variant',
    (demands) => {
      const none = { minSurvived: undefined, allow: [], failOn: [] }
      expect(findShortfall(toReport([], []), none, 0)).toBeUndefined()
      expect(findShortfall(toReport([], []), { ...none, ...demands }, 0)).toMatch(/^No variant was judged, /)
    },
  )

  it('are not met while planned variants did not run', () => {
    const survived = toReport([cell('updateResource', 'slow', 'survived')], [])
    const all = { minSurvived: 100, allow: [], failOn: [] }
    expect(findShortfall(survived, all, 0)).toBeUndefined()
    expect(findShortfall(survived, all, 4)).toBe(
      '4 variants of the plan did not run, so the demands are not met. Allow more with --max-time.',
    )
    expect(findShortfall(survived, { ...all, minSurvived: undefined }, 4)).toBeUndefined()
  })

  it('never round a share up', () => {
    const almost = toReport(
      [overwritten, ...Array.from({ length: 2499 }, () => cell('updateResource', 'slow', 'survived'))],
      [],
    )
    expect(findShortfall(almost, { minSurvived: 100, allow: [], failOn: [] }, 0)).toMatch(/^99\.9 % of /)
  })
})
