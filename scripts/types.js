/**
 * Bundles the declarations that tsc has written into dist/types: one file for all entries, with only what they export. The
 * entries for `require` have the same ones.
 */
import { rm, writeFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import packageJson from '../package.json' with { type: 'json' }
import { entries, peers } from './bundling.js'

const packages = [...Object.keys(packageJson.dependencies), ...peers]

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, `dist/types/${name}.d.ts`])),
  external: [/^node:/, ...packages.map((name) => new RegExp(`^${name}(?:/|$)`))],
  plugins: [dts({ dtsInput: true })],
})
await bundle.write({ dir: 'dist', format: 'es' })
await rm('dist/types', { recursive: true })
for (const name of entries) await writeFile(`dist/cjs/${name}.d.ts`, `export * from '../${name}.js'\n`)
