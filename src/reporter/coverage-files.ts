import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CoverageReport } from '../journal/coverage-report.ts'

/** Names the folder where Playwright's workers write what their tests met. Workers inherit it. */
const VARIABLE = 'RESOURCE_MOCK_COVERAGE_FOLDER'

/** Whether a reporter wants the coverage of tests. */
export const isCoverageWanted = (): boolean => process.env[VARIABLE] !== undefined

/** Keeps what a test met for the reporter. */
export async function keepCoverage(report: CoverageReport): Promise<void> {
  const folder = process.env[VARIABLE]
  if (folder !== undefined) await writeFile(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(report))
}

/** Makes the folder, for workers that start from now on. */
export function openCoverageFolder(): void {
  process.env[VARIABLE] = mkdtempSync(join(tmpdir(), 'resource-mock-coverage-'))
}

/** Reads what was kept, and removes it. */
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
