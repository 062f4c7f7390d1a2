import { options } from '../../options/table.ts'
import type { Options } from '../../options/option.ts'
import * as values from '../../options/option.ts'
import { defineCommand } from '../command.ts'

const { port, host, fixtures, scenarios, scenario, auth, adminToken } = options

/** The options of `resource-mock mcp` alone, which no configuration file holds. */
export const mcpOptions = {
  url: {
    flag: '--url <url>',
    otherwise: 'a new mock',
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

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'let a coding agent drive a mock',
  description:
    'Serves the Model Context Protocol over standard input and output, for a running mock or for a new one that ends with the command.',
  options: { ...mcpOptions, port, host, fixtures, scenarios, scenario, auth, adminToken },
  hasConfig: true,
  async run({ url, readOnly, ...settings }) {
    const { runMcp } = await import('../mcp.ts')
    await runMcp({ url, token: settings.adminToken, isReadOnly: readOnly, settings })
  },
})
