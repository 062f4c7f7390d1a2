/**
 * Bundles the command into dist/cli. It is CommonJS, which alone can come from V8's code cache on Node 20, and keeps its
 * names whole, so that the stack of a fault can be read. Packages that are imported lazily become files of their own.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }

const { peerDependencies } = packageJson

/** @type {import('esbuild').BuildOptions} */
const shared = {
  outdir: 'dist/cli',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
}

/** What the bundle loads when it needs it, by the file's name in dist/cli. @type {Map<string, string>} */
const lazy = new Map()

/** @type {import('esbuild').Plugin} */
const splitLazy = {
  name: 'split-lazy',
  setup(bundler) {
    bundler.onResolve({ filter: /\/import-module\.ts$/ }, () => ({ path: './import-module.cjs', external: true }))
    // What the dashboard sends to a browser is large, and text: only who looks at it needs it.
    bundler.onResolve({ filter: /\/built-client\.ts$/ }, ({ path, resolveDir }) => {
      lazy.set('built-client', join(resolveDir, path))
      return { path: './built-client.cjs', external: true }
    })
    // One file for both transports, so that its classes are the same.
    bundler.onResolve({ filter: /\/(?:mcp-)?sdk\.ts$/ }, () => {
      lazy.set('mcp-sdk', 'src/cli/mcp-sdk.ts')
      return { path: './mcp-sdk.cjs', external: true }
    })
    bundler.onResolve({ filter: /^[^.]/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined
      // Optional peers are the user's own.
      if (path in peerDependencies) return { path, external: true }
      const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '')
      lazy.set(name, path)
      return { path: `./${name}.cjs`, external: true }
    })
  },
}

await rm('dist', { recursive: true, force: true })
await build({
  ...shared,
  entryPoints: ['src/cli/main.ts'],
  // Becomes require(): code from the code cache cannot import.
  supported: { 'dynamic-import': false },
  plugins: [splitLazy],
})
await build({ ...shared, entryPoints: ['src/cli/launch.ts', 'src/cli/import-module.ts'] })
// What agents are served by takes zod from the install, which has it anyway.
await build({ ...shared, entryPoints: Object.fromEntries(lazy), external: ['zod'] })
