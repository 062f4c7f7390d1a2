import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished } from 'vitest'
import { createMcpServer } from '../../../src/admin/mcp/server.ts'
import { createMcpParts } from '../../../src/edges/cli/commands/mcp.ts'
import { startServer } from '../../../src/edges/node/server.ts'
import type { ServerOptions } from '../../../src/app/options/options.ts'
import { COMMAND } from '../../edges/cli/command.ts'

type Transport = StreamableHTTPClientTransport | StdioClientTransport | InMemoryTransport

async function connect(transport: Transport) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** Starts a mock on a port. */
export async function start(options: ServerOptions = {}) {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

/** Connects to a running mock over HTTP. */
export const overHttp = (url: string, headers: Record<string, string> = {}) =>
  connect(new StreamableHTTPClientTransport(new URL(`${url}/__admin/mcp`), { requestInit: { headers } }))

/** Connects to the CLI over standard input and output. */
export const overStdio = (...args: readonly string[]) =>
  connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', ...args], stderr: 'ignore' }))

/** Connects to what the command serves for a running mock, without its process. */
export async function overCommand(url: string) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createMcpServer(await createMcpParts(url))
  await server.connect(far)
  onTestFinished(() => server.close())
  return connect(near)
}

/** Connects to a running mock. */
export const transports: readonly [name: string, reach: (url: string) => Promise<Client>][] = [
  ['POST /__admin/mcp', (url) => overHttp(url)],
  ['resource-mock mcp --url', overCommand],
]

/** Calls a tool and returns its text, parsed if the call succeeds. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const text = content.map((one) => (one.type === 'text' ? one.text : '')).join('')
  const value = isError === true ? undefined : (JSON.parse(text) as unknown)
  expect(structuredContent, 'the structured content is the text').toEqual(value)
  return { isError: isError === true, text, value }
}

/** Calls a tool, expects success, and returns its parsed result. */
export async function callFor<Value>(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Value> {
  const { isError, text, value } = await call(client, name, args)
  expect(isError, text).toBe(false)
  // The test knows the type it expects.
  return value as Value
}
