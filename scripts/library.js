/**
 * Bundles the entries as ES modules into dist: to read a few files takes a fraction of the time of some hundred small ones.
 * Shared code is in chunks, so that each class exists once, and what is imported lazily is a chunk of its own. The packages
 * are inside, except those that users install themselves or that are CommonJS. It runs everywhere, so packages come in
 * their builds for browsers. Names stay, so that stack traces are readable.
 */
import { builtinModules } from 'node:module'
import { readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }
import { addNotices } from './notices.js'

const { exports, peerDependencies } = packageJson
const entries = Object.keys(exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => (path === '.' ? 'index' : path.slice(2)))

const { metafile } = await build({
  entryPoints: {
    ...Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
    'supported-node': 'src/util/supported-node.ts',
  },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  format: 'esm',
  splitting: true,
  platform: 'browser',
  target: ['node20.19', 'es2022'],
  external: ['node:*', ...builtinModules, ...Object.keys(peerDependencies), 'proper-lockfile', 'commander'],
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
})
await addNotices(metafile)
for (const name of entries) {
  const path = `dist/${name}.js`
  // Code splitting does not keep the order of imports, and this one comes first.
  await writeFile(path, `import"./supported-node.js";${await readFile(path, 'utf8')}`)
}
