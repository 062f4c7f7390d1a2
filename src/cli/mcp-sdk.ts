/** As `src/mcp/sdk.ts`, with what speaks over standard input and output. The command's build makes one file of both. */
export * from '../mcp/sdk.ts'
export { serveStdio } from '@modelcontextprotocol/server/stdio'
