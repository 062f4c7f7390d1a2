/**
 * Converts the bundled entries to CommonJS, into dist/cjs, for projects that `require`: jest without flags, and TypeScript
 * under `module: node16`. The declarations are those of dist.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { transform } from 'esbuild'

const OUT = 'dist/cjs'

await rm(OUT, { recursive: true, force: true })
const files = await readdir('dist', { recursive: true })
for (const path of files.filter((one) => /^(?:chunks[\\/])?[\w-]+\.js$/.test(one))) {
  const { code } = await transform(await readFile(`dist/${path}`, 'utf8'), {
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__filename' },
    // Tools that compare declarations with code recognize the exports of an entry by esbuild's own lines.
    minifyWhitespace: path.includes('chunks'),
  })
  await mkdir(dirname(`${OUT}/${path}`), { recursive: true })
  await writeFile(`${OUT}/${path}`, code)
}

/** Packages with declarations for ES modules only, which TypeScript needs to know. */
const ESM_TYPES = /^(import type .* from '(?:lowdb|vite)');$/gm

for (const path of files.filter((one) => one.endsWith('.d.ts') && !/^(?:cjs|cli)[\\/]/.test(one))) {
  const text = await readFile(`dist/${path}`, 'utf8')
  await mkdir(dirname(`${OUT}/${path}`), { recursive: true })
  await writeFile(`${OUT}/${path}`, text.replaceAll(ESM_TYPES, "$1 with { 'resolution-mode': 'import' };"))
}
await writeFile(`${OUT}/package.json`, '{ "type": "commonjs" }\n')
