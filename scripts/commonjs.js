/**
 * Builds the entries again as CommonJS, into dist/cjs, for projects that `require`: jest without flags, and TypeScript
 * under `module: node16`. The declarations are those of dist. Shared code is in chunks, so that each class exists once.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build, transform } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }

const OUT = 'dist/cjs'

/** Packages without a CommonJS build: jest cannot require them. */
const BUNDLED = new Set(['@faker-js/faker', 'lowdb'])

const { dependencies, peerDependencies } = packageJson
const entries = Object.keys(packageJson.exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => (path === '.' ? 'index' : path.slice(2)))

const target = { platform: 'node', target: 'node20.19', legalComments: 'none', logLevel: 'warning' }

await rm(OUT, { recursive: true, force: true })
await build({
  ...target,
  entryPoints: {
    ...Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
    'supported-node': 'src/util/supported-node.ts',
  },
  outdir: OUT,
  bundle: true,
  // esbuild splits ES modules only, so each chunk is converted to CommonJS afterwards.
  format: 'esm',
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  external: Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !BUNDLED.has(name)),
})
for (const name of await readdir(OUT)) {
  const text = await readFile(`${OUT}/${name}`, 'utf8')
  const { code } = await transform(text, {
    ...target,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__filename' },
  })
  // Code splitting does not keep the order of imports, and this one comes first.
  const first = entries.includes(name.slice(0, -'.js'.length)) ? 'require("./supported-node.js");\n' : ''
  await writeFile(`${OUT}/${name}`, first + code)
}

/** Packages with declarations for ES modules only, which TypeScript needs to know. */
const ESM_TYPES = /^(import type .* from '(?:lowdb|vite)');$/gm

const declarations = (await readdir('dist', { recursive: true })).filter(
  (path) => path.endsWith('.d.ts') && !/^(?:cjs|cli)[\\/]/.test(path),
)
for (const path of declarations) {
  const text = await readFile(`dist/${path}`, 'utf8')
  await mkdir(dirname(`${OUT}/${path}`), { recursive: true })
  await writeFile(`${OUT}/${path}`, text.replaceAll(ESM_TYPES, "$1 with { 'resolution-mode': 'import' };"))
}
await writeFile(`${OUT}/package.json`, '{ "type": "commonjs" }\n')
