/**
 * Bundles the command and the entries as CommonJS into dist/cjs: for V8's code cache, which on Node 20 takes only CommonJS,
 * and for projects that `require`. One file has the code of both, and runs each module when it is first needed. Packages that
 * are imported lazily become separate files.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { entries, minify, peers, readWords, WORDS } from './bundling.js'
import { addNotices } from './notices.js'

/** @type {import('esbuild').Plugin} */
const trimFaker = {
  name: 'trim-faker',
  setup: (bundler) => bundler.onLoad({ filter: WORDS }, async ({ path }) => ({ contents: await readWords(path) })),
}

/** @type {import('esbuild').BuildOptions} */
const commonJs = {
  ...minify,
  bundle: true,
  metafile: true,
  logLevel: 'warning',
  outdir: 'dist/cjs',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  define: { 'import.meta.url': '__filename' },
  plugins: [trimFaker],
}

/** The files that the bundle loads on demand, by name in dist/cjs. @type {Map<string, string>} */
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
      if (peers.some((peer) => path === peer || path.startsWith(`${peer}/`))) return { path, external: true }
      if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined
      const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '')
      lazy.set(name, path)
      return { path: `./${name}.cjs`, external: true }
    })
  },
}

const parts = [...entries.map((name) => [name, name]), ['command', 'edges/cli/main']]

await rm('dist', { recursive: true, force: true })
const main = await build({
  ...commonJs,
  outdir: undefined,
  outfile: 'dist/cjs/main.cjs',
  stdin: {
    contents: parts.map(([name, path]) => `exports['${name}'] = () => require('./src/${path}.ts')\n`).join(''),
    resolveDir: '.',
  },
  // Becomes require(): code from the code cache cannot import.
  supported: { 'dynamic-import': false },
  plugins: [splitLazy],
})
await build({
  ...commonJs,
  entryPoints: ['src/edges/cli/launch.ts', 'src/edges/cli/import-module.ts', 'src/util/supported-node.ts'],
  entryNames: '[name]',
})
// The MCP server takes zod from the install, which has it anyway.
const onDemand = await build({ ...commonJs, entryPoints: Object.fromEntries(lazy), external: ['zod'] })
for (const { metafile } of [main, onDemand]) await addNotices(Object.keys(metafile.inputs))
