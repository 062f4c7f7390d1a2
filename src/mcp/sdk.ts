/** What of the protocol's own library serves a mock over HTTP. The build puts the library itself in this file's place. */
export { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
