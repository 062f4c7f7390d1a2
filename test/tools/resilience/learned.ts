import type { LearnedTest } from '../../../src/tools/resilience/plan.ts'

/** A test that passed in the first run and called nothing, unless the members say otherwise. */
export const toLearned = (title: string, more: Partial<LearnedTest> = {}): LearnedTest => ({
  test: { title: [title], file: 'shop.spec.ts', line: 1 },
  status: 'passed',
  duration: 1000,
  calls: [],
  affected: [],
  position: 0,
  worker: 0,
  retry: 0,
  said: [],
  errors: [],
  isBusy: false,
  ...more,
})
