/**
 * Bundles the library of the Model Context Protocol into dist/admin/mcp/sdk.js, in place of the import that TypeScript left
 * there, so that it does not add to the size of an install. It is loaded on an agent's first request.
 */
import { build } from 'esbuild'

await build({
  entryPoints: ['src/admin/mcp/sdk.ts'],
  outfile: 'dist/admin/mcp/sdk.js',
  bundle: true,
  format: 'esm',
  // The library's browser build runs everywhere.
  platform: 'browser',
  target: ['node20.19', 'es2022'],
  external: ['zod', 'zod/*'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
})
