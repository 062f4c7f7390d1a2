import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const RUNNER = fileURLToPath(new URL('../../../node_modules/@playwright/test/cli.js', import.meta.url))

interface Suite {
  readonly specs: readonly { readonly title: string; readonly file: string }[]
  readonly suites?: readonly Suite[]
}

/** A test in a Playwright suite. */
export interface ListedTest {
  readonly title: string
  readonly file: string
}

const toTests = ({ specs, suites = [] }: Suite): readonly ListedTest[] => [
  ...specs.map(({ title, file }) => ({ title, file })),
  ...suites.flatMap(toTests),
]

/** Lists the tests of a Playwright configuration. */
export function listTests(config: string): readonly ListedTest[] {
  const text = execFileSync(process.execPath, [RUNNER, 'test', '-c', config, '--list', '--reporter=json'], {
    encoding: 'utf8',
  })
  // Playwright's JSON report, according to its types.
  return (JSON.parse(text) as { readonly suites: readonly Suite[] }).suites.flatMap(toTests)
}
