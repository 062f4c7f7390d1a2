/** `src/admin/mcp/sdk.ts` plus the transport over standard input and output. The command's build bundles both into one file. */
export * from '../../admin/mcp/sdk.ts'
export { serveStdio } from '@modelcontextprotocol/server/stdio'
