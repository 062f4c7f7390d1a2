/** The parts of the protocol's library that serve a mock over HTTP. The build replaces this file by the library. */
export { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
