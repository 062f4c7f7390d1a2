import type { TestType } from '@playwright/test'
import type { PageMock } from './page-mock.ts'

type Step = TestType<object, object>['step']

/** The mock with all that changes it shown as steps of the test, in reports and traces. */
export function inSteps(mock: PageMock, step: Step): PageMock {
  /** Boxed, so that a fault points at the test's own line. */
  const inStep = async <Result>(call: string, body: () => Promise<Result>): Promise<Result> =>
    step(`mock.${call}`, body, { box: true })

  return {
    ...mock,
    use: (...scenarios) => {
      const names = scenarios.map((one) => (typeof one === 'string' ? one : (one.name ?? 'inline')))
      return inStep(`use(${names.join(', ')})`, () => mock.use(...scenarios))
    },
    reset: () => inStep('reset()', () => mock.reset()),
    seed: (records, place) => inStep(`seed(${records.length})`, () => mock.seed(records, place)),
    snapshot: (name) => inStep(`snapshot(${name ?? ''})`, () => mock.snapshot(name)),
    restore: (snapshot) => {
      const name = typeof snapshot === 'string' ? snapshot : snapshot.name
      return inStep(`restore(${name})`, () => mock.restore(snapshot))
    },
  }
}
