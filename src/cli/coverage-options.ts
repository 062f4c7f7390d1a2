import { operationIds } from '../contract/endpoints.ts'
import type { Options, Parsed } from '../options/option.ts'
import { options } from '../options/options.ts'
import * as values from '../options/values.ts'
import { idList } from '../options/id-list.ts'

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
    about: 'fail with status 1 if less was met',
    value: values.percent,
  },
  only: {
    flag: '--only <operations>',
    isRepeatable: true,
    otherwise: 'all',
    about: 'count only these operations; repeat it or separate them with commas',
    value: idList(operationIds, 'operation ids, separated by commas'),
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

/** What the command line of `resource-mock coverage` comes to. */
export type CoverageSettings = Parsed<typeof coverageOptions>
