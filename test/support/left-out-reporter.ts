import type { Reporter } from 'vitest/reporters'

const SENTENCE = `
Only the quick tests ran. Slow tests, and those that need Chromium or third-party tools, were skipped
(*.slow.test.ts, *.browser.test.ts, test/contract-tools). Run them all with:

  npm run install:tools && npm run test:all
`

/** Lists the test suites that `npm test` omits, after its run. */
export function createLeftOutReporter(write: (text: string) => void = (text) => console.log(text)): Reporter {
  let isPart = false
  return {
    onInit({ projects }) {
      isPart = projects.every(({ name }) => name === 'quick' || name === 'socket')
    },
    onTestRunEnd() {
      if (isPart) write(SENTENCE)
    },
  }
}
