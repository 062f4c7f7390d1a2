import * as values from '../../app/options/option.ts'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calledOperations } from '../../service/contract/endpoints.ts'
import {
  addReports,
  restrictReport,
  describeShortfall,
  toCoverageText,
} from '../../sessions/journal/coverage-report.ts'
import type { CoverageReport } from '../../sessions/journal/coverage-report.ts'

/** Environment variable with the folder that Playwright's workers write coverage to. Workers inherit it. */
const VARIABLE = 'RESOURCE_MOCK_COVERAGE_FOLDER'

/** Whether a reporter collects coverage. */
export const isCoverageWanted = (): boolean => process.env[VARIABLE] !== undefined

/** Saves the coverage of a test for the reporter. */
export async function keepCoverage(report: CoverageReport): Promise<void> {
  const folder = process.env[VARIABLE]
  if (folder !== undefined) await writeFile(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(report))
}

/** Creates the folder for workers that start later. */
export function openCoverageFolder(): void {
  process.env[VARIABLE] = mkdtempSync(join(tmpdir(), 'resource-mock-coverage-'))
}

/** Reads and deletes the saved coverage. */
export function takeCoverage(): readonly CoverageReport[] {
  const folder = process.env[VARIABLE]
  if (folder === undefined) return []
  delete process.env[VARIABLE]
  // Written by keepCoverage.
  const reports = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CoverageReport,
  )
  rmSync(folder, { recursive: true })
  return reports
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
    openCoverageFolder()
  }

  /** Called by Playwright after all tests. */
  onEnd(): { readonly status: 'failed' } | undefined {
    this.#reports.push(...takeCoverage())
    return this.#report() ? undefined : { status: 'failed' }
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
