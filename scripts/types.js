/**
 * Bundles the declarations that tsc has written into dist/types: for each format, one file for all entries, with only what
 * they export. Those for `require` are CommonJS's own, since TypeScript refuses to require ES modules (TS1479).
 */
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import packageJson from '../package.json' with { type: 'json' }
import { entries, peers } from './bundling.js'

const packages = [...Object.keys(packageJson.dependencies), ...peers].filter((name) => name !== 'zod')
const zodTypes = fileURLToPath(new URL('zod-types.d.ts', import.meta.url))

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, `dist/types/${name}.d.ts`])),
  // A kind of schema that zod-types.d.ts lacks.
  onwarn(warning) {
    throw new Error(warning.message)
  },
  external: [/^node:/, ...packages.map((name) => new RegExp(`^${name}(?:/|$)`))],
  plugins: [
    { name: 'zod-types', resolveId: { order: 'pre', filter: { id: /^zod$/ }, handler: () => zodTypes } },
    dts({ dtsInput: true }),
    // Before TypeScript 5.7, typed arrays had no type parameter.
    {
      name: 'plain-arrays',
      renderChunk: (code) => code.replaceAll(/\bUint8Array<ArrayBuffer(?:Like)?>/g, 'Uint8Array'),
    },
  ],
})
for (const dir of ['dist', 'dist/cjs']) await bundle.write({ dir, format: 'es' })
await rm('dist/types', { recursive: true })
