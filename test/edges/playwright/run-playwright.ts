import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { chromiumPath } from '../../support/chromium-launch.ts'

const RUNNER = fileURLToPath(new URL('../../../node_modules/@playwright/test/cli.js', import.meta.url))

/** A test result from Playwright's JSON report. */
export interface TestRun {
  readonly title: string
  readonly status: string
  readonly workerIndex: number
  /** Without ANSI colors. */
  readonly message: string
  readonly steps: readonly string[]
  readonly annotations: readonly string[]
  /** Attachment texts by name. */
  readonly attachments: ReadonlyMap<string, string>
}

interface Suite {
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly { readonly results: readonly Result[] }[]
  }[]
  readonly suites?: readonly Suite[]
}

interface Result {
  readonly status: string
  readonly workerIndex: number
  readonly errors: readonly { readonly message?: string }[]
  readonly steps?: readonly { readonly title: string }[]
  readonly annotations: readonly { readonly description?: string }[]
  readonly attachments: readonly { readonly name: string; readonly body?: string; readonly path?: string }[]
}

const withoutColours = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '')

const toTestRuns = ({ specs, suites = [] }: Suite): readonly TestRun[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ status, workerIndex, errors, steps = [], annotations, attachments }) => ({
        title,
        status,
        workerIndex,
        message: withoutColours(errors.map(({ message }) => message).join('\n')),
        steps: steps.map((step) => step.title),
        annotations: annotations.map(({ description = '' }) => description),
        attachments: new Map(
          attachments.map(({ name, body = '', path }) => [
            name,
            path === undefined ? Buffer.from(body, 'base64').toString('utf8') : readFileSync(path, 'utf8'),
          ]),
        ),
      })),
    ),
  ),
  ...suites.flatMap(toTestRuns),
]

/** How many tests went how, as Playwright counts them. */
interface RunCounts {
  readonly expected: number
  readonly unexpected: number
  readonly flaky: number
  readonly skipped: number
}

/** Runs a suite with Playwright's runner and returns the result of each attempt, and the counts of the tests. */
export async function runPlaywrightSuite(
  config: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly runs: readonly TestRun[]; readonly counts: RunCounts }> {
  const outputDir = mkdtempSync(join(tmpdir(), 'resource-mock-playwright-'))
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [RUNNER, 'test', '-c', config, '--reporter=json', `--output=${outputDir}`], {
    env: { PATH, HOME, CHROMIUM: chromiumPath, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  await new Promise((resolve) => child.once('close', resolve))
  if (!output.stdout.startsWith('{')) expect.fail(`Playwright gave no report: ${output.stdout}${output.stderr}`)
  // Playwright's JSON report, according to its types.
  const { suites, errors, stats } = JSON.parse(output.stdout) as {
    readonly stats: RunCounts
    readonly suites: readonly Suite[]
    readonly errors: readonly { readonly message?: string }[]
  }
  expect(errors.map(({ message }) => message)).toEqual([])
  const runs = suites.flatMap(toTestRuns)
  // The files of attachments are in it.
  await rm(outputDir, { recursive: true, force: true })
  return { runs, counts: stats }
}

/** Runs a suite with Playwright's runner and returns the result of each attempt. */
export const runPlaywright = async (
  config: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly TestRun[]> => (await runPlaywrightSuite(config, env)).runs
