/** The parts of the MCP SDK needed to serve a mock over HTTP. The build replaces this file with the SDK itself. */
export { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
