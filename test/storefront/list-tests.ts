import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const RUNNER = fileURLToPath(new URL('../../node_modules/@playwright/test/cli.js', import.meta.url))

interface Suite {
  readonly specs: readonly { readonly title: string; readonly file: string }[]
  readonly suites?: readonly Suite[]
}

/** A test of a Playwright suite, before it is run. */
export interface ListedTest {
  readonly title: string
  readonly file: string
}

const toTests = ({ specs, suites = [] }: Suite): readonly ListedTest[] => [
  ...specs.map(({ title, file }) => ({ title, file })),
  ...suites.flatMap(toTests),
]

/** The tests that a configuration of Playwright's has. */
export function listTests(config: string): readonly ListedTest[] {
  const text = execFileSync(process.execPath, [RUNNER, 'test', '-c', config, '--list', '--reporter=json'], {
    encoding: 'utf8',
  })
  // The shape of Playwright's JSON report, as its types have it.
  return (JSON.parse(text) as { readonly suites: readonly Suite[] }).suites.flatMap(toTests)
}
