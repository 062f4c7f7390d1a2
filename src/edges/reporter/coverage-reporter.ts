import * as values from '../../app/options/option.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { calledOperations } from '../../service/contract/endpoints.ts'
import {
  addReports,
  restrictReport,
  describeShortfall,
  toCoverageText,
} from '../../sessions/journal/coverage-report.ts'
import { RESILIENCE_VARIABLE } from '../../tools/resilience/plan.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'

/** Environment variable that tells Playwright's workers, which inherit it, to attach the coverage of each test. */
const VARIABLE = 'RESOURCE_MOCK_COVERAGE'

/** The name of the attachment. Reports hide those that start with an underscore. */
const ATTACHMENT = '_mock-coverage'

/** What the reporter and the fixture need of a test of Playwright. */
interface PlaywrightTest {
  readonly config: { readonly reporter: readonly (readonly unknown[])[] }
  attach(name: string, content: { readonly body: string; readonly contentType: string }): Promise<void>
}

/** Whether a reporter collects the coverage of tests: in this run, or when blob reports of several runs are merged. */
export const collectsCoverage = ({ config }: Pick<PlaywrightTest, 'config'>): boolean =>
  process.env[VARIABLE] !== undefined || config.reporter.some(([name]) => name === 'blob')

/** Attaches the coverage of a test for the reporter. */
export const attachCoverage = (test: Pick<PlaywrightTest, 'attach'>, coverage: CoverageReport): Promise<void> =>
  test.attach(ATTACHMENT, { body: JSON.stringify(coverage), contentType: 'application/json' })

/** The part of a test result of Playwright that the reporter reads. */
interface PlaywrightResult {
  readonly attachments: readonly { readonly name: string; readonly body?: Buffer; readonly path?: string }[]
}

export interface CoverageReporterOptions {
  /** Minimum coverage in percent; the run fails below it. Default 0. */
  readonly min?: number
  /** Ids of the operations that the app uses; default: all. */
  readonly only?: readonly string[]
  /** Path of a JSON file for the report. */
  readonly outputFile?: string
}

/** The part of a vitest test case that the reporter reads. */
interface VitestCase {
  meta(): object
}

const operationList = values.idList(calledOperations, 'operation ids')

/** The key in a test's `meta` that contains its coverage. */
const META = 'mockCoverage'

/**
 * Reports how much of the contract a test suite covered. Works with both Playwright and vitest: each calls the methods that
 * it knows.
 *
 * @example reporter: [['list'], ['resource-mock/reporter', { min: 40 }]]
 */
export class CoverageReporter {
  readonly #options: CoverageReporterOptions
  readonly #reports: CoverageReport[] = []

  /** @throws {SetupError} if `min` is not a percentage, or an operation is unknown. */
  constructor(options: CoverageReporterOptions = {}) {
    values.parseValue({ value: values.percent }, options.min ?? 0, 'The option min of resource-mock/reporter')
    values.parseValue(
      { value: operationList },
      options.only ?? calledOperations,
      'The option only of resource-mock/reporter',
    )
    this.#options = options
  }

  /** Called by Playwright before the tests. */
  onBegin(): void {
    process.env[VARIABLE] = 'attach'
  }

  /** Called by Playwright after each attempt of a test. */
  onTestEnd(_test: unknown, { attachments }: PlaywrightResult): void {
    for (const { name, body, path } of attachments) {
      if (name !== ATTACHMENT) continue
      const text = body ?? (path === undefined ? '' : readFileSync(path))
      // Written by attachCoverage.
      this.#reports.push(JSON.parse(String(text)) as CoverageReport)
    }
  }

  /** Called by Playwright after all tests. */
  onEnd(): { readonly status: 'failed' } | undefined {
    if (this.#report()) return undefined
    // The command that merges reports ignores the status, and exits with 0.
    process.once('exit', () => (process.exitCode ||= 1))
    return { status: 'failed' }
  }

  /** Returns false, so that Playwright keeps its default reporter for the terminal. */
  printsToStdio(): boolean {
    return false
  }

  /** Called by vitest after each test. */
  onTestCaseResult(test: VitestCase): void {
    const meta = test.meta()
    // Written by `session.coverage()`.
    if (META in meta) this.#reports.push(meta[META] as CoverageReport)
  }

  /** Called by vitest after all tests. */
  onTestRunEnd(): void {
    if (!this.#report()) process.exitCode = 1
  }

  /** Prints and saves the report. Returns whether coverage is high enough. */
  #report(): boolean {
    const { min = 0, only, outputFile } = this.#options
    // Failures that a resilience run causes say nothing about the suite.
    if (process.env[RESILIENCE_VARIABLE] !== undefined) return true
    if (this.#reports.length === 0) {
      process.stdout.write('\nNo test reported coverage. See docs/coverage.md.\n')
      return min === 0
    }
    const whole = addReports(this.#reports.splice(0))
    const report = only === undefined ? whole : restrictReport(whole, only)
    process.stdout.write(`\n${toCoverageText(report)}\n`)
    if (outputFile !== undefined) writeFileSync(outputFile, `${JSON.stringify(report, undefined, 2)}\n`)
    const shortfall = describeShortfall(report, min)
    if (shortfall !== undefined) process.stdout.write(`\n${shortfall}\n`)
    return shortfall === undefined
  }
}
