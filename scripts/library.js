/**
 * Bundles the entries as ES modules into dist: to read a few files takes a fraction of the time of some hundred small ones.
 * Each class exists once, and what is imported lazily is in files of its own. The packages are inside, except those that
 * users install themselves or that are CommonJS. It runs everywhere, so packages come in their builds for browsers.
 */
import { builtinModules } from 'node:module'
import { mkdir, writeFile } from 'node:fs/promises'
import { transform } from 'esbuild'
import { rolldown } from 'rolldown'
import { entries, minify, peers, readWords, WORDS } from './bundling.js'
import { addNotices } from './notices.js'

/** What every mock needs is one file; esbuild would make one for each combination of the files that need it. */
const groups = [
  // The check of Node's version throws one of them before any other code runs.
  { name: 'errors', test: /[\\/]src[\\/]errors\.ts$/, priority: 3 },
  { name: 'core', test: /[\\/]src[\\/](?:mock|admin[\\/]client[\\/]session-client)\.ts$/, priority: 2 },
  { name: 'server', test: /[\\/]src[\\/]edges[\\/]node[\\/]server\.ts$/, priority: 1 },
  { name: 'admin', test: /[\\/]src[\\/]admin[\\/](?:api[\\/]|dashboard[\\/]dashboard\.ts$)/ },
]

const bundle = await rolldown({
  input: {
    ...Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
    'supported-node': 'src/util/supported-node.ts',
  },
  platform: 'browser',
  external: [/^node:/, ...builtinModules, ...peers.map((name) => new RegExp(`^${name}(?:/|$)`)), 'proper-lockfile'],
  plugins: [
    { name: 'trim-faker', load: { filter: { id: WORDS }, handler: readWords } },
    // CommonJS, so the one of the command serves both; chunks lie in a folder beside it.
    { name: 'undici', resolveId: (id) => (id === 'undici' ? { id: '../cjs/undici.cjs', external: true } : undefined) },
  ],
})
const { output } = await bundle.generate({
  format: 'es',
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: { groups },
})

await mkdir('dist/chunks', { recursive: true })
for (const chunk of output) {
  if (chunk.type !== 'chunk') continue
  const { code } = await transform(chunk.code, { ...minify, target: ['node20.19', 'es2022'] })
  // Code splitting does not keep the order of imports, and this one comes first.
  const isEntry = entries.includes(chunk.name) && chunk.isEntry
  await writeFile(`dist/${chunk.fileName}`, isEntry ? `import"./supported-node.js";${code}` : code)
  if (!isEntry) continue
  // Tools that compare declarations with code, and Node's import of CommonJS, find the names in the last line.
  await writeFile(
    `dist/cjs/${chunk.fileName}`,
    `require('./supported-node.cjs')
module.exports = require('./main.cjs')['${chunk.name}']()
0 && (module.exports = { ${chunk.exports.filter((name) => name !== 'default').join(', ')} })
${chunk.exports.includes('default') ? '0 && (exports.default = 0)\n' : ''}`,
  )
}
await writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n')
await addNotices(output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : [])))
