import { createAdminClient } from '../client/admin-client.ts'
import type { CoverageReport } from '../journal/coverage-report.ts'
import { describeShortfall, toCoverageText } from '../journal/coverage-report.ts'
import type { CoverageSettings } from './program.ts'

interface Covered {
  readonly text: string
  /** Why the command fails. */
  readonly shortfall: string | undefined
}

/**
 * Asks a running mock for its coverage.
 *
 * @throws {SetupError} if no mock answers, or it refuses.
 */
export async function readCoverage(settings: CoverageSettings): Promise<Covered> {
  const { url, min = 0, only, session = '*', json, adminToken: token } = settings
  const query = new URLSearchParams({ session, ...(only === undefined ? {} : { only: only.join(',') }) })
  const answer = await createAdminClient({ baseUrl: url, token, send: fetch }).ask('GET', `/coverage?${query}`)
  // As src/admin/coverage.ts has it.
  const report = answer as CoverageReport
  return {
    text: json ? JSON.stringify(report, undefined, 2) : toCoverageText(report),
    shortfall: describeShortfall(report, min),
  }
}
