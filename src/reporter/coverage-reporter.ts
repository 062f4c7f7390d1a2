import * as values from '../options/option.ts'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operationIds } from '../contract/endpoints.ts'
import { addReports, restrictReport, describeShortfall, toCoverageText } from '../journal/coverage-report.ts'
import type { CoverageReport } from '../journal/coverage-report.ts'

/** Names the folder to which Playwright's workers write the coverage of their tests. Workers inherit it. */
const VARIABLE = 'RESOURCE_MOCK_COVERAGE_FOLDER'

/** Whether a reporter wants the coverage of tests. */
export const isCoverageWanted = (): boolean => process.env[VARIABLE] !== undefined

/** Keeps the coverage of a test for the reporter. */
export async function keepCoverage(report: CoverageReport): Promise<void> {
  const folder = process.env[VARIABLE]
  if (folder !== undefined) await writeFile(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(report))
}

/** Creates the folder, for workers that start from now on. */
export function openCoverageFolder(): void {
  process.env[VARIABLE] = mkdtempSync(join(tmpdir(), 'resource-mock-coverage-'))
}

/** Reads the kept coverage, and removes it. */
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

/** Options of the reporter. */
export interface CoverageReporterOptions {
  /** In percent; the run fails if coverage is lower. Default 0. */
  readonly min?: number
  /** Operation ids that the app uses; default: all. */
  readonly only?: readonly string[]
  /** A JSON file to write the report to. */
  readonly outputFile?: string
}

/** A test of vitest, as far as the reporter reads it. */
interface VitestCase {
  meta(): object
}

const operationList = values.idList(operationIds, 'operation ids')

/** The member of a test's `meta` that has its coverage. */
const META = 'mockCoverage'

/**
 * Reports how much of the contract a suite covered. The same reporter serves Playwright and vitest: each calls
 * the methods that it knows.
 *
 * @example reporter: [['list'], ['resource-mock/reporter', { min: 40 }]]
 */
export class CoverageReporter {
  readonly #options: CoverageReporterOptions
  readonly #reports: CoverageReport[] = []

  /** @throws {SetupError} for a `min` that is not a percentage, and for an unknown operation. */
  constructor(options: CoverageReporterOptions = {}) {
    values.parseValue({ value: values.percent }, options.min ?? 0, 'The option min of resource-mock/reporter')
    values.parseValue(
      { value: operationList },
      options.only ?? operationIds,
      'The option only of resource-mock/reporter',
    )
    this.#options = options
  }

  /** Playwright starts its tests. */
  onBegin(): void {
    openCoverageFolder()
  }

  /** Playwright has run all tests. */
  onEnd(): { readonly status: 'failed' } | undefined {
    this.#reports.push(...takeCoverage())
    return this.#report() ? undefined : { status: 'failed' }
  }

  /** Playwright's own reporter keeps printing. */
  printsToStdio(): boolean {
    return false
  }

  /** vitest has run a test. */
  onTestCaseResult(test: VitestCase): void {
    const meta = test.meta()
    // The result of `session.coverage()`.
    if (META in meta) this.#reports.push(meta[META] as CoverageReport)
  }

  /** vitest has run all tests. */
  onTestRunEnd(): void {
    if (!this.#report()) process.exitCode = 1
  }

  /** Prints and writes the report. Returns whether coverage is high enough. */
  #report(): boolean {
    const { min = 0, only, outputFile } = this.#options
    if (this.#reports.length === 0) {
      process.stdout.write('\nCoverage of failure: no test passed its coverage on. See docs/coverage.md.\n')
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
