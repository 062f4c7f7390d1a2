import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src/index.ts'
import { createPlan, parsePlan, toEstimate, toPlanText, toTurns } from '../../../src/tools/resilience/plan.ts'
import type { LearnedTest } from '../../../src/tools/resilience/plan.ts'
import { toLearned } from './learned.ts'

const learned = (title: string, calls: readonly OperationId[], more: Partial<LearnedTest> = {}): LearnedTest =>
  toLearned(title, { calls, ...more })

const all = { perFailure: 1, call: 1, everyCall: false, only: undefined }
const only = { ...all, only: [{ operation: 'updateResource', failure: 'conflict' } as const] }
const titlesOf = ({ variants }: ReturnType<typeof createPlan>) => variants.map(({ test }) => test.title.join())

describe('a plan', () => {
  it('has each failure of each operation once, in the cheapest test', () => {
    const plan = createPlan(
      [
        learned('slow', ['updateResource', 'queryResources'], { duration: 3000 }),
        learned('fast', ['updateResource'], { duration: 10 }),
      ],
      all,
    )
    expect(new Set(plan.variants.map(({ operation, test }) => `${operation} ${test.title.join()}`))).toEqual(
      new Set(['queryResources slow', 'updateResource fast']),
    )
    expect(
      plan.variants.filter(({ operation }) => operation === 'updateResource').map(({ failure }) => failure),
    ).toEqual([
      'conflict',
      'expired-token',
      'missing-scope',
      'not-found',
      'rate-limited',
      'unavailable',
      'error',
      'slow',
      'reset-before',
      'reset-after',
    ])
  })

  it('prefers a test whose own scenarios do not affect the operation', () => {
    const cheap = learned('expects an outage', ['updateResource'], { duration: 1, affected: ['updateResource'] })
    expect(titlesOf(createPlan([cheap, learned('saves', ['updateResource'])], only))).toEqual(['saves'])
    expect(titlesOf(createPlan([cheap], only))).toEqual(['expects an outage'])
  })

  it('has as many tests for a failure as asked for', () => {
    const tests = ['a', 'b', 'c'].map((title) => learned(title, ['updateResource']))
    expect(titlesOf(createPlan(tests, { ...only, perFailure: 2 }))).toEqual(['a', 'b'])
  })

  it('lets each call fail on request', () => {
    const test = learned('saves twice', ['updateResource', 'queryResources', 'updateResource'])
    expect(createPlan([test], { ...only, everyCall: true }).variants.map(({ call }) => call)).toEqual([1, 2])
    expect(createPlan([test], { ...only, call: 2 }).variants.map(({ call }) => call)).toEqual([2])
    expect(createPlan([test], { ...only, call: 3 }).variants).toEqual([])
  })

  it('leaves out tests that fail without any failure, and ignores skipped ones', () => {
    const { variants, leftOut } = createPlan(
      [
        learned('fails', ['updateResource'], { status: 'failed' }),
        learned('is flaky', ['updateResource'], { status: 'failed' }),
        learned('is flaky', ['updateResource'], { retry: 1 }),
        learned('is skipped', [], { status: 'skipped' }),
      ],
      all,
    )
    expect(variants).toEqual([])
    expect(leftOut.map(({ test, why }) => [test.title.join(), why])).toEqual([
      ['fails', 'failed without any failure'],
      ['is flaky', 'passed only when it was retried, without any failure'],
    ])
  })

  it('treats a test of two projects as two tests', () => {
    const inProject = (project: string) =>
      learned('saves', ['updateResource'], { test: { title: ['saves'], file: 'a.spec.ts', line: 1, project } })
    const { variants } = createPlan([inProject('desktop'), inProject('phone')], { ...only, perFailure: 2 })
    expect(variants.map(({ test }) => test.project)).toEqual(['desktop', 'phone'])
  })

  it('estimates the time of all workers together', () => {
    const plan = createPlan([learned('a', ['getAction']), learned('b', [], { worker: 1 })], all)
    // Six failures take a second; three more wait another one, one, and three seconds.
    expect(plan.variants).toHaveLength(7)
    expect(toEstimate(plan)).toBe((7 * 1000 + 1000 + 1000 + 3000) / 2)
  })

  it('survives its file', () => {
    const plan = createPlan([learned('saves', ['updateResource'])], all)
    const text = toPlanText(plan)
    expect(parsePlan(text, 'plan.json')).toEqual(plan)
    expect(text.split('\n').filter((line) => line.includes('"conflict"'))).toHaveLength(1)
  })

  it.each([
    ['{', '--plan: plan.json is not JSON. Correct it, or delete it to write a new plan.'],
    ['[]', '--plan: plan.json is not a plan: its content is missing or invalid. Correct it,'],
    [
      '{"variants":[{"operation":"saves"}]}',
      '--plan: plan.json is not a plan: variants.0.operation is missing or invalid.',
    ],
    [
      '{"variants":[{"operation":"getAction","failure":"slow","call":1,"test":{"title":["x"],"file":"a.spec.ts","line":3}}],"leftOut":[],"tests":[]}',
      '--plan: plan.json has a variant of the test a.spec.ts:3 x, which is not in its list of tests.',
    ],
  ])('refuses %s', (text, message) => {
    expect(() => parsePlan(text, 'plan.json')).toThrow(message)
  })
})

describe('the turns of tests', () => {
  it('are its variants, in any order of tests', () => {
    const tests = [learned('a', ['getAction']), learned('b', [])]
    const { variants } = createPlan(tests, all)
    expect(Object.values(toTurns(variants, tests))).toEqual([variants])
  })

  it('have one failure at a time in a serial suite', () => {
    const tests = [
      learned('second', ['updateResource'], { serial: 'suite', position: 2 }),
      learned('first', ['updateResource'], { serial: 'suite', position: 1 }),
      learned('third', [], { serial: 'suite', position: 3 }),
    ]
    const { variants } = createPlan(tests, { ...only, perFailure: 2 })
    const [first, second] = variants
    expect(Object.values(toTurns(variants, tests))).toEqual([
      [first, 'ordinary'],
      ['skip', second],
      ['skip', 'skip'],
    ])
  })
})
