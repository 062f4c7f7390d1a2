import type { TestType } from '@playwright/test'
import type { PageMock } from './page-mock.ts'

type Step = TestType<object, object>['step']

/** For the title of a step, of whatever was given: what it must be, the mock says. */
function nameOf(given: unknown): string {
  if (typeof given === 'string') return given
  return typeof given === 'object' && given !== null && 'name' in given ? String(given.name) : 'inline'
}

const lengthOf = (given: unknown): string => (Array.isArray(given) ? String(given.length) : '')

/** The mock with all that changes it shown as steps of the test, in reports and traces. */
export function inSteps(mock: PageMock, step: Step): PageMock {
  /** Boxed, so that a fault points at the test's own line; Playwright finds that through what is awaited. */
  async function inStep<Result>(call: string, body: () => Promise<Result>): Promise<Result> {
    return await step(`mock.${call}`, body, { box: true })
  }

  return {
    ...mock,
    use: (...scenarios) => inStep(`use(${scenarios.map(nameOf).join(', ')})`, () => mock.use(...scenarios)),
    clock: {
      ...mock.clock,
      advance: (time) => inStep(`clock.advance(${time})`, () => mock.clock.advance(time)),
      set: (now) => inStep(`clock.set(${String(now)})`, () => mock.clock.set(now)),
    },
    reset: () => inStep('reset()', () => mock.reset()),
    seed: (records, place) => inStep(`seed(${lengthOf(records)})`, () => mock.seed(records, place)),
    snapshot: (name) => inStep(`snapshot(${name ?? ''})`, () => mock.snapshot(name)),
    restore: (snapshot) => inStep(`restore(${nameOf(snapshot)})`, () => mock.restore(snapshot)),
  }
}
