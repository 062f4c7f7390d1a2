/**
 * Bundles the command into dist/cli. It is CommonJS, since only CommonJS can use V8's code cache on Node 20, and keeps
 * names, so that stack traces are readable. Packages that are imported lazily become separate files.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }
import { addNotices } from './notices.js'

const { peerDependencies } = packageJson

/** @type {import('esbuild').BuildOptions} */
const shared = {
  outdir: 'dist/cli',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  define: { 'import.meta.url': '__filename' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

/** The files that the bundle loads on demand, by name in dist/cli. @type {Map<string, string>} */
const lazy = new Map()

/** @type {import('esbuild').Plugin} */
const splitLazy = {
  name: 'split-lazy',
  setup(bundler) {
    bundler.onResolve({ filter: /\/import-module\.ts$/ }, () => ({ path: './import-module.cjs', external: true }))
    // The dashboard's files for the browser are large, and text: load them only when someone opens the dashboard.
    bundler.onResolve({ filter: /\/built-client\.ts$/ }, ({ path, resolveDir }) => {
      lazy.set('built-client', join(resolveDir, path))
      return { path: './built-client.cjs', external: true }
    })
    // One file for both transports, so that they share the same classes.
    bundler.onResolve({ filter: /\/(?:mcp-)?sdk\.ts$/ }, () => {
      lazy.set('mcp-sdk', 'src/edges/cli/mcp-sdk.ts')
      return { path: './mcp-sdk.cjs', external: true }
    })
    bundler.onResolve({ filter: /^[^.]/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined
      // Users install optional peers themselves.
      if (path in peerDependencies) return { path, external: true }
      const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '')
      lazy.set(name, path)
      return { path: `./${name}.cjs`, external: true }
    })
  },
}

await rm('dist', { recursive: true, force: true })
const main = await build({
  ...shared,
  entryPoints: ['src/edges/cli/main.ts'],
  // Becomes require(): code from the code cache cannot import.
  supported: { 'dynamic-import': false },
  plugins: [splitLazy],
})
await build({ ...shared, entryPoints: ['src/edges/cli/launch.ts', 'src/edges/cli/import-module.ts'] })
// The MCP server takes zod from the install, which has it anyway.
const onDemand = await build({ ...shared, entryPoints: Object.fromEntries(lazy), external: ['zod'] })
for (const { metafile } of [main, onDemand]) await addNotices(metafile)
