import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { findFileCycles, findFolderCycles, findForeignImports, findUpwardImports } from './layers.ts'
import { findImports, readSources, toSource } from './sources.ts'
import type { Import } from './sources.ts'

const imports = readSources('src').flatMap(findImports)

describe('imports of src', () => {
  it('point to the same or a lower layer', () => {
    expect(findUpwardImports(imports)).toEqual([])
  })

  it('form no cycle of folders within a layer', () => {
    expect(findFolderCycles(imports)).toEqual([])
  })

  it('form no cycle of files', () => {
    expect(findFileCycles(imports)).toEqual([])
  })

  it('keep lowdb, commander and Node where they belong', () => {
    expect(findForeignImports(imports)).toEqual([])
  })

  it('give the dashboard in the browser only types and pure modules of the rest', async () => {
    const { metafile } = await build({
      entryPoints: ['src/dashboard/app/main.tsx'],
      bundle: true,
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'hono/jsx/dom',
      write: false,
      metafile: true,
    })
    const used = Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.startsWith('src/'))
      .map(([path]) => path)
      .filter((path) => !path.startsWith('src/dashboard/app/'))
    expect(used.toSorted()).toEqual([
      'src/http/request-head.ts',
      'src/journal/filter-terms.ts',
      'src/journal/redact.ts',
      'src/scenarios/causes.ts',
      'src/util/collections.ts',
      'src/util/did-you-mean.ts',
      'src/version.ts',
    ])
  })

  it('are found at all', () => {
    expect(imports.length).toBeGreaterThan(20)
  })
})

const importsOf = (path: string, text: string): readonly Import[] => findImports(toSource(path, text))

describe('the import checker', () => {
  it.each([
    ["import { a } from './a.ts'", 'src/query/a.ts'],
    ["import type { A } from '../state/a.ts'", 'src/state/a.ts'],
    ["import {\n  a,\n  type B,\n} from '../http/a.ts'", 'src/http/a.ts'],
    ["import * as a from '../errors.ts'", 'src/errors.ts'],
    ["export * from './b.ts'", 'src/query/b.ts'],
    ["export { a } from './b.ts'", 'src/query/b.ts'],
    ["import './b.ts'", 'src/query/b.ts'],
    ["const lazy = () => import('@faker-js/faker/locale/en')", '@faker-js/faker/locale/en'],
    ["type A = import('../mock.ts').A", 'src/mock.ts'],
    ["import z from 'zod'", 'zod'],
  ])('reads %j', (text, target) => {
    expect(importsOf('src/query/where.ts', text).map((one) => one.target)).toEqual([target])
  })

  it('ignores an import in a comment', () => {
    expect(importsOf('src/index.ts', "/**\n * import { a } from 'b'\n */\n// import 'c'")).toEqual([])
  })

  it('reports the line of the import', () => {
    expect(importsOf('src/index.ts', "import 'a'\n\nimport {\n  b,\n} from 'b'\n").map((one) => one.line)).toEqual([
      1, 5,
    ])
  })

  it.each([
    ['src/http/body.ts', "import { a } from '../contract/a.ts'"],
    ['src/contract/check.ts', "import type { A } from '../state/a.ts'"],
    ['src/state/store.ts', "import { a } from '../operations/a.ts'"],
    ['src/operations/reads.ts', "import { a } from '../app.ts'"],
    ['src/app.ts', "import { a } from './mock.ts'"],
    ['src/clock.ts', "import { a } from './mock.ts'"],
    ['src/state/store.ts', "import { a } from '../clock.ts'"],
    ['src/mock.ts', "import { a } from './cli/main.ts'"],
  ])('refuses in %s: %j', (path, text) => {
    expect(findUpwardImports(importsOf(path, text))).toEqual([expect.stringContaining(`${path}:1 `)])
  })

  it.each([
    ['src/contract/check.ts', "import { a } from '../http/json.ts'"],
    ['src/state/store.ts', "import { a } from '../query/a.ts'"],
    ['src/cli/main.ts', "import { a } from '../node/serve.ts'"],
    ['src/app.ts', "import { a } from './errors.ts'"],
  ])('accepts in %s: %j', (path, text) => {
    expect(findUpwardImports(importsOf(path, text))).toEqual([])
  })

  it('requires a layer for each folder', () => {
    expect(findUpwardImports(importsOf('src/utils/a.ts', "import '../errors.ts'"))).toEqual([
      expect.stringContaining('src/utils has no layer'),
    ])
  })

  it('detects a cycle of folders', () => {
    const circle = [
      ...importsOf('src/state/a.ts', "import '../query/a.ts'"),
      ...importsOf('src/query/b.ts', "import '../auth/b.ts'"),
      ...importsOf('src/auth/c.ts', "import '../state/c.ts'"),
    ]
    expect(findFolderCycles(circle)).toHaveLength(3)
    expect(findFolderCycles(circle.slice(1))).toEqual([])
  })

  it('detects a cycle of files, even of types', () => {
    const circle = [
      ...importsOf('src/state/a.ts', "import './b.ts'"),
      ...importsOf('src/state/b.ts', "import type { C } from './c.ts'"),
      ...importsOf('src/state/c.ts', "import './a.ts'"),
    ]
    expect(findFileCycles(circle)).toEqual(['src/state/a.ts', 'src/state/b.ts', 'src/state/c.ts'])
    expect(findFileCycles(circle.slice(1))).toEqual([])
  })

  it.each([
    ['src/state/store.ts', 'lowdb', true],
    ['src/node/persistence.ts', 'lowdb', true],
    ['src/query/where.ts', 'lowdb', false],
    ['src/app.ts', 'lowdb/node', false],
    ['src/cli/main.ts', 'commander', true],
    ['src/node.ts', 'commander', false],
    ['src/node.ts', 'node:http', true],
    ['src/cli/keys.ts', 'node:readline', true],
    ['src/http/body.ts', 'node:zlib', false],
    ['src/nodes.ts', 'node:fs', false],
  ])('%s may import %s: %s', (path, target, may) => {
    expect(findForeignImports(importsOf(path, `import '${target}'`))).toHaveLength(may ? 0 : 1)
  })
})
