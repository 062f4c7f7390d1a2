import { operationIds } from '../../contract/endpoints.ts'
import type { CoverageReport } from '../../journal/coverage-report.ts'
import { options } from '../../options/table.ts'
import type { Options } from '../../options/option.ts'
import * as values from '../../options/option.ts'
import { defineCommand, print } from '../command.ts'

/** The options of `resource-mock coverage`. */
export const coverageOptions = {
  url: {
    flag: '--url <url>',
    default: 'http://127.0.0.1:4010',
    about: 'base URL of the running mock',
    value: values.baseUrl,
  },
  min: {
    flag: '--min <percent>',
    about: 'fail with status 1 if coverage is lower',
    value: values.percent,
  },
  only: {
    flag: '--only <operations>',
    isRepeatable: true,
    otherwise: 'all',
    about: 'count only these operations; repeat it or separate them with commas',
    value: values.idList(operationIds, 'operation ids, separated by commas'),
  },
  session: {
    flag: '--session <name>',
    otherwise: 'all sessions',
    about: 'count only the requests of this session',
    value: values.text,
  },
  json: { flag: '--json', default: false, about: 'print JSON', value: values.onOrOff },
  adminToken: { ...options.adminToken, about: 'bearer token of its admin API' },
} as const satisfies Options

export const coverage = defineCommand({
  name: 'coverage',
  summary: 'report how much of the contract your requests covered',
  description:
    'Reports which operations, statuses, error codes, scenarios and recoveries the requests to a running mock covered, and which they did not. Exits with 0, with 1 if coverage is below --min, with 2 if no mock answers.',
  options: coverageOptions,
  async run({ url, min = 0, only, session = '*', json, adminToken: token }) {
    const { createAdminClient } = await import('../../client/admin-client.ts')
    const { describeShortfall, toCoverageText } = await import('../../journal/coverage-report.ts')
    const query = new URLSearchParams({ session, ...(only === undefined ? {} : { only: only.join(',') }) })
    const answer = await createAdminClient({ baseUrl: url, token, send: fetch }).ask('GET', `/coverage?${query}`)
    // The admin API's own type.
    const report = answer as CoverageReport
    print(json ? JSON.stringify(report, undefined, 2) : toCoverageText(report))
    const shortfall = describeShortfall(report, min)
    if (shortfall === undefined) return
    process.stderr.write(`${shortfall}\n`)
    process.exitCode = 1
  },
})
