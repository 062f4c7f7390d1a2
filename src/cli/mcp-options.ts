import { options } from '../options/options.ts'
import type { Options, Parsed } from '../options/option.ts'
import * as values from '../options/values.ts'

const { port, host, fixtures, scenarios, scenario, auth, adminToken } = options

/** The options that a mock of its own has in common with `serve`. */
export const sharedMcpOptions = { port, host, fixtures, scenarios, scenario, auth, adminToken }

/** The options of `resource-mock mcp` alone, which no configuration file holds. */
export const mcpOptions = {
  url: {
    flag: '--url <url>',
    otherwise: 'a mock of its own',
    about: 'base URL of a running mock',
    value: values.baseUrl,
  },
  readOnly: {
    flag: '--read-only',
    default: false,
    about: 'leave out the tools that change something',
    value: values.onOrOff,
  },
} as const satisfies Options

/** What the command line of `resource-mock mcp` comes to. */
export type McpSettings = Parsed<typeof sharedMcpOptions> & Parsed<typeof mcpOptions>
