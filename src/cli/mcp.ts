import { Console } from 'node:console'
import { once } from 'node:events'
import * as z from 'zod'
import { createTool } from '../mcp/exchange.ts'
import { createMcpServer } from '../mcp/server.ts'
import { startServer } from '../node/server.ts'
import { createSocketTransport } from '../node/socket-transport.ts'
import type { Settings } from '../options/options.ts'
import { verify } from '../verify/verify.ts'
import { serveStdio } from './mcp-sdk.ts'
import { toServerOptions } from './server.ts'

/** Milliseconds to wait for a response of the provider. */
const TIMEOUT = 10_000

/** Checks another service, which a mock does not do for callers over HTTP. */
const verifyProvider = createTool({
  name: 'verify_provider',
  description:
    'Checks a service against the contract: calls every operation, and reports which checks passed, failed or could not run. Reads only, unless writes are allowed; it removes what it wrote.',
  input: z.object({
    url: z.url().describe('base URL, up to the project key'),
    allowWrites: z.boolean().optional(),
    project: z.string().optional().describe('default: acme'),
    token: z.string().optional().describe('bearer token; default: the environment variable RESOURCE_MOCK_VERIFY_TOKEN'),
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

const send = (request: Request): Promise<Response> => fetch(request)

/**
 * Serves the Model Context Protocol over standard input and output until the client closes them. Without a URL, it starts
 * a mock, which ends with the command.
 *
 * @throws {SetupError} or {ListenError} if the mock cannot start.
 */
export async function runMcp({
  url,
  token,
  isReadOnly,
  settings,
}: {
  readonly url: string | undefined
  readonly token: string | undefined
  readonly isReadOnly: boolean
  readonly settings: Partial<Settings>
}): Promise<void> {
  // Standard output is for the protocol alone.
  globalThis.console = new Console(process.stderr, process.stderr)
  const server =
    url === undefined ? await startServer(await toServerOptions(settings)) : { url, close: async () => undefined }
  if ('port' in server) process.stderr.write(`Listening on port ${server.port} (${server.url})\n`)
  const ended = Promise.race([once(process.stdin, 'end'), once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const parts = { baseUrl: server.url, token, send, sendAdmin: send, isReadOnly, further: [verifyProvider] }
  const stdio = serveStdio(() => createMcpServer(parts))
  await ended
  await stdio.close()
  await server.close()
}
