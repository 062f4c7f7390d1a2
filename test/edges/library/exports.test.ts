import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const { exports } = JSON.parse(read('package.json')) as {
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly default: string } }>>
}

/** The sources of the package's entries, by import path. */
const entries = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === 'string'
    ? []
    : [
        [
          `resource-mock${name.slice(1)}`,
          target.import.default.replace('./dist/', 'src/').replace(/js$/, 'ts'),
        ] as const,
      ],
)

/** The runtime exports of a file. */
async function valuesOf(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [join(root, file)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: '/exports',
    write: false,
    metafile: true,
  })
  return Object.values(metafile.outputs)[0]?.exports ?? []
}

/** Its other exports, which only the compiler knows. */
function typesOf(file: string): readonly string[] {
  const text = read(file)
  const own = [...text.matchAll(/^export type \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? []),
  )
  const taken = [...text.matchAll(/^export (?:type )?\* from '\.\/([^']+)'/gm)].flatMap(([, from = '']) =>
    typesOf(`src/${from}`),
  )
  return [...own, ...taken]
}

it('the package exports these names, and no others', async () => {
  const lines = entries.map(async ([name, file]) => {
    const types = typesOf(file).map((type) => `type ${type}`)
    return [name, ...[...(await valuesOf(file)), ...types].toSorted().map((one) => `  ${one}`)].join('\n')
  })
  await expect(`${(await Promise.all(lines)).join('\n')}\n`).toMatchFileSnapshot('exports.txt')
})
