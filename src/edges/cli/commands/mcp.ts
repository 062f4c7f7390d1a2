import { Console } from 'node:console'
import { once } from 'node:events'
import * as z from 'zod'
import { options } from '../../../app/options/table.ts'
import type { Options } from '../../../app/options/option.ts'
import * as values from '../../../app/options/option.ts'
import type { VerifyReport } from '../../../tools/verify/report.ts'
import { defineCommand } from '../settings.ts'
import { handleSignals } from '../signals.ts'

const { host, fixtures, scenarios, scenario, auth, adminToken } = options

/** The options specific to `resource-mock mcp`; configuration files cannot set them. */
export const mcpOptions = {
  url: {
    flag: '--url <url>',
    otherwise: 'a new mock',
    about: 'base URL of a running mock',
    value: values.baseUrl,
  },
  port: {
    flag: options.port.flag,
    // A fixed port, or that of the environment, would collide with the app or with the mock of another agent.
    default: 0,
    about: 'port of a new mock; 0 picks a free one',
    value: options.port.value,
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

/** Reduces a report to what an agent acts on: what to fix first, the mismatches, and what was not compared. */
function toVerification(report: VerifyReport) {
  const { url, project, requests, conversations, mismatches, leftovers, notes, fixFirst, isInterrupted } = report
  return {
    url,
    project,
    requests,
    fixFirst: fixFirst?.sentence,
    mismatches: mismatches.map(({ sentence }) => sentence),
    notCompared: conversations.flatMap(({ name, compared, reasons: [reason = 'no request was sent'] }) =>
      compared > 0 ? [] : [{ name, reason }],
    ),
    notes,
    leftovers,
    isInterrupted,
  }
}

/**
 * Creates the tool that verifies another service. Only this command offers it: the mock does not verify services for HTTP
 * clients.
 */
async function createVerifyTool() {
  const { createTool } = await import('../../../admin/mcp/tool.ts')
  const { conversationNames, subjectIds } = await import('../../../tools/verify/subjects.ts')
  const { verify } = await import('../../../tools/verify/verify.ts')
  return createTool({
    name: 'verify_provider',
    title: 'Verify a service',
    description:
      'Compares a service with the mock: sends the same requests to both and reports where the service answers otherwise, unless the contract leaves that free. Read-only unless writes are allowed; deletes everything it creates.',
    input: z.object({
      url: z.url().describe('base URL, up to the project key'),
      allowWrites: z.boolean().optional(),
      project: z.string().optional().describe('default: acme'),
      token: z
        .string()
        .optional()
        .describe('bearer token; default: the environment variable RESOURCE_MOCK_VERIFY_TOKEN'),
      client: z.string().optional().describe('id:secret of an OAuth client, instead of a token'),
      tokenUrl: z.url().optional().describe('token endpoint for client; default: /oauth/token under url'),
      only: z
        .array(z.enum([...subjectIds, ...conversationNames]))
        .optional()
        .describe('compare only these operations and conversations; default: all'),
      quick: z.boolean().optional().describe('send a sample of the requests'),
    }),
    readOn: 'To see the others, pass operations or conversations as only, or whole: true.',
    isDestructive: true,
    hasSession: false,
    async call({ url, allowWrites = false, project = 'acme', token, client, tokenUrl, only, quick }) {
      const { createSocketTransport } = await import('../../node/socket-transport.ts')
      return toVerification(
        await verify({
          url,
          project,
          credentials:
            client === undefined
              ? { kind: 'token', token: token ?? process.env['RESOURCE_MOCK_VERIFY_TOKEN'] ?? 'any' }
              : { kind: 'client', client, tokenUrl },
          allowsWrites: allowWrites,
          only,
          isQuick: quick,
          timeout: TIMEOUT,
          transport: createSocketTransport(),
          newId: () => crypto.randomUUID(),
          elapsed: () => performance.now(),
        }),
      )
    },
  })
}

/** What the command serves for the mock at an address. */
export async function createMcpParts(
  baseUrl: string,
  { adminToken, readOnly = false }: { readonly adminToken?: string | undefined; readonly readOnly?: boolean } = {},
) {
  const { createAdminSend, sendByFetch } = await import('../../../admin/client/reach.ts')
  return {
    baseUrl,
    token: adminToken,
    send: sendByFetch,
    sendAdmin: createAdminSend(baseUrl),
    isReadOnly: readOnly,
    further: [await createVerifyTool()],
  }
}

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'let a coding agent drive a mock',
  description:
    'Serves the Model Context Protocol over standard input and output, for a running mock or for a new one that stops when the command exits.',
  options: { ...mcpOptions, host, fixtures, scenarios, scenario, auth, adminToken },
  hasConfig: true,
  isServer: true,
  async run({ url, readOnly, ...settings }) {
    const { createMcpServer } = await import('../../../admin/mcp/server.ts')
    const { startServer } = await import('../../node/server.ts')
    const { serveStdio } = await import('../mcp-sdk.ts')
    const { toServerOptions } = await import('../server.ts')
    // Standard output is reserved for the protocol.
    globalThis.console = new Console(process.stderr, process.stderr)
    const server = url === undefined ? await startServer(await toServerOptions(settings)) : undefined
    if (server !== undefined) process.stderr.write(`Listening on port ${server.port} (${server.url})\n`)
    const ended = Promise.race([once(process.stdin, 'end'), new Promise<void>((resolve) => handleSignals(resolve))])
    const parts = await createMcpParts(server?.url ?? url ?? '', { adminToken: settings.adminToken, readOnly })
    const stdio = serveStdio(() => createMcpServer(parts))
    await ended
    await stdio.close()
    await server?.close()
  },
})
