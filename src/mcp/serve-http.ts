import { createMcpServer } from './server.ts'
import { createMcpHandler, McpServer } from './sdk.ts'

/** Answers one request of the protocol over HTTP. Nothing is kept between two of them. */
export async function serveMcp(
  request: Request,
  parsedBody: unknown,
  parts: Parameters<typeof createMcpServer>[1],
): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer(McpServer, parts))
  return handler.fetch(request, { parsedBody })
}
