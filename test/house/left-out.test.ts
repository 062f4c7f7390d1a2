import { expect, it } from 'vitest'
import { createLeftOutReporter } from '../support/left-out-reporter.ts'

/** The reporter's output after these projects have run. */
function report(...names: readonly string[]): string {
  let written = ''
  const reporter = createLeftOutReporter((text) => (written += text))
  // The reporter reads only the names of the projects.
  const vitest = { projects: names.map((name) => ({ name })) } as unknown as Parameters<
    NonNullable<typeof reporter.onInit>
  >[0]
  reporter.onInit?.(vitest)
  void reporter.onTestRunEnd?.([], [], 'passed')
  return written
}

it('npm test reports what it left out and how to run it', () => {
  expect(report('quick', 'socket')).toContain('npm run install:tools && npm run test:all')
})

it('npm run test:all left nothing out', () => {
  expect(report('quick', 'socket', 'slow', 'browser', 'contract-tools')).toBe('')
})
