import { Console } from 'node:console'
import { once } from 'node:events'
import * as z from 'zod'
import { options } from '../../options/table.ts'
import type { Options } from '../../options/option.ts'
import * as values from '../../options/option.ts'
import { defineCommand } from '../settings.ts'

const { port, host, fixtures, scenarios, scenario, auth, adminToken } = options

/** The options specific to `resource-mock mcp`; configuration files cannot set them. */
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
    about: 'omit tools that change state',
    value: values.onOrOff,
  },
} as const satisfies Options

/** Timeout for responses from the provider, in milliseconds. */
const TIMEOUT = 10_000

/**
 * Creates the tool that verifies another service. Only this command offers it: the mock does not verify services for HTTP
 * clients.
 */
async function createVerifyTool() {
  const { createTool } = await import('../../mcp/exchange.ts')
  const { createSocketTransport } = await import('../../node/socket-transport.ts')
  const { verify } = await import('../../verify/verify.ts')
  return createTool({
    name: 'verify_provider',
    description:
      'Checks a service against the contract: calls every operation and reports which checks passed, failed or could not run. Read-only unless writes are allowed; deletes everything it creates.',
    input: z.object({
      url: z.url().describe('base URL, up to the project key'),
      allowWrites: z.boolean().optional(),
      project: z.string().optional().describe('default: acme'),
      token: z
        .string()
        .optional()
        .describe('bearer token; default: the environment variable RESOURCE_MOCK_VERIFY_TOKEN'),
    }),
    hasSession: false,
    call: ({ url, allowWrites = false, project = 'acme', token }) =>
      verify({
        url,
        project,
        credentials: { kind: 'token', token: token ?? process.env['RESOURCE_MOCK_VERIFY_TOKEN'] ?? 'any' },
        allowsWrites: allowWrites,
        timeout: TIMEOUT,
        transport: createSocketTransport(),
        newId: () => crypto.randomUUID(),
        elapsed: () => performance.now(),
      }),
  })
}

const send = (request: Request): Promise<Response> => fetch(request)

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'let a coding agent drive a mock',
  description:
    'Serves the Model Context Protocol over standard input and output, for a running mock or for a new one that stops when the command exits.',
  options: { ...mcpOptions, port, host, fixtures, scenarios, scenario, auth, adminToken },
  hasConfig: true,
  async run({ url, readOnly, ...settings }) {
    const { createMcpServer } = await import('../../mcp/server.ts')
    const { startServer } = await import('../../node/server.ts')
    const { serveStdio } = await import('../mcp-sdk.ts')
    const { toServerOptions } = await import('../server.ts')
    // Standard output is reserved for the protocol.
    globalThis.console = new Console(process.stderr, process.stderr)
    const server = url === undefined ? await startServer(await toServerOptions(settings)) : undefined
    if (server !== undefined) process.stderr.write(`Listening on port ${server.port} (${server.url})\n`)
    const ended = Promise.race([once(process.stdin, 'end'), once(process, 'SIGINT'), once(process, 'SIGTERM')])
    const parts = {
      baseUrl: server?.url ?? url ?? '',
      token: settings.adminToken,
      send,
      sendAdmin: send,
      isReadOnly: readOnly,
      further: [await createVerifyTool()],
    }
    const stdio = serveStdio(() => createMcpServer(parts))
    await ended
    await stdio.close()
    await server?.close()
  },
})
