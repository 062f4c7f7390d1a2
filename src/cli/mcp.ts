import { Console } from 'node:console'
import { once } from 'node:events'
import { createMcpServer } from '../mcp/server.ts'
import { startServer } from '../node/server.ts'
import type { McpSettings } from './program.ts'
import { McpServer, serveStdio } from './mcp-sdk.ts'
import { toServerOptions } from './server-options.ts'
import { verifyProvider } from './verify-tool.ts'

interface DrivenMock {
  readonly baseUrl: string
  close(): Promise<void>
}

const send = (request: Request): Promise<Response> => fetch(request)

/** A running mock, or one of its own, which ends with the command. */
async function openDrivenMock(
  url: string | undefined,
  settings: Omit<McpSettings, 'url' | 'readOnly'>,
): Promise<DrivenMock> {
  if (url !== undefined) return { baseUrl: url.replace(/\/+$/, ''), close: async () => undefined }
  const server = await startServer(await toServerOptions(settings))
  process.stderr.write(`Listening on port ${server.port} (${server.url})\n`)
  return { baseUrl: server.url, close: server.close }
}

/**
 * Serves the Model Context Protocol over standard input and output until the client closes them.
 *
 * @throws {SetupError} or {ListenError} when its mock cannot start.
 */
export async function runMcp({ url, readOnly, ...settings }: McpSettings): Promise<void> {
  // Standard output is for the protocol alone.
  globalThis.console = new Console(process.stderr, process.stderr)
  const { baseUrl, close } = await openDrivenMock(url, settings)
  const ended = Promise.race([once(process.stdin, 'end'), once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const parts = { baseUrl, token: settings.adminToken, send, sendAdmin: send, isReadOnly: readOnly }
  const { close: closeStdio } = serveStdio(() => createMcpServer(McpServer, { ...parts, further: [verifyProvider] }))
  await ended
  await closeStdio()
  await close()
}
