import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { findFileCycles, findFolderCycles, findForeignImports, findUpwardImports } from './layers.ts'
import { findImports, readSources, toSource } from './sources.ts'
import type { Import } from './sources.ts'

const imports = readSources('src').flatMap(findImports)

describe('imports of src', () => {
  it('point to the same or a lower room, and within a room to the same or a lower floor', () => {
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
      entryPoints: ['src/admin/dashboard/app/main.tsx'],
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
      .filter((path) => !path.startsWith('src/admin/dashboard/app/'))
    expect(used.toSorted()).toEqual([
      'src/service/http/request-head.ts',
      'src/service/http/sizes.ts',
      'src/sessions/journal/failure-kinds.ts',
      'src/sessions/journal/filter-terms.ts',
      'src/sessions/journal/redact.ts',
      'src/sessions/session-test.ts',
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
    ["import { a } from './a.ts'", 'src/service/query/a.ts'],
    ["import type { A } from '../state/a.ts'", 'src/service/state/a.ts'],
    ["import {\n  a,\n  type B,\n} from '../http/a.ts'", 'src/service/http/a.ts'],
    ["import * as a from '../../errors.ts'", 'src/errors.ts'],
    ["export * from './b.ts'", 'src/service/query/b.ts'],
    ["export { a } from './b.ts'", 'src/service/query/b.ts'],
    ["import './b.ts'", 'src/service/query/b.ts'],
    ["const lazy = () => import('@faker-js/faker/locale/en')", '@faker-js/faker/locale/en'],
    ["type A = import('../../mock.ts').A", 'src/mock.ts'],
    ["import z from 'zod'", 'zod'],
  ])('reads %j', (text, target) => {
    expect(importsOf('src/service/query/where.ts', text).map((one) => one.target)).toEqual([target])
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
    ['src/service/http/body.ts', "import { a } from '../contract/a.ts'"],
    ['src/service/contract/check.ts', "import type { A } from '../state/a.ts'"],
    ['src/service/state/store.ts', "import { a } from '../operations/a.ts'"],
    ['src/service/operations/reads.ts', "import type { A } from '../../app/app.ts'"],
    ['src/service/openapi/document.ts', "import { a } from '../../sessions/sessions.ts'"],
    ['src/app/pipeline/reply.ts', "import { a } from '../app.ts'"],
    ['src/app/app.ts', "import type { A } from '../admin/api/request.ts'"],
    ['src/clock.ts', "import { a } from './mock.ts'"],
    ['src/service/state/store.ts', "import { a } from '../clock.ts'"],
    ['src/mock.ts', "import { a } from './edges/cli/main.ts'"],
    ['src/tools/proxy/proxy.ts', "import { a } from '../../node.ts'"],
  ])('refuses in %s: %j', (path, text) => {
    expect(findUpwardImports(importsOf(path, text))).toEqual([expect.stringContaining(`${path}:1 `)])
  })

  it.each([
    ['src/service/contract/check.ts', "import { a } from '../http/json.ts'"],
    ['src/service/state/store.ts', "import { a } from '../query/a.ts'"],
    ['src/edges/cli/main.ts', "import { a } from '../node/serve.ts'"],
    ['src/app/app.ts', "import { a } from '../errors.ts'"],
    ['src/edges/cli/server.ts', "import { a } from '../../redis.ts'"],
  ])('accepts in %s: %j', (path, text) => {
    expect(findUpwardImports(importsOf(path, text))).toEqual([])
  })

  it.each(['src/utils/a.ts', 'src/service/words/a.ts'])('requires a place for %s', (path) => {
    expect(findUpwardImports(importsOf(path, "import './b.ts'"))).toEqual([expect.stringContaining('has no place')])
  })

  it('detects a cycle of folders', () => {
    const circle = [
      ...importsOf('src/service/state/a.ts', "import '../query/a.ts'"),
      ...importsOf('src/service/query/b.ts', "import '../auth/b.ts'"),
      ...importsOf('src/service/auth/c.ts', "import '../state/c.ts'"),
    ]
    expect(findFolderCycles(circle)).toHaveLength(3)
    expect(findFolderCycles(circle.slice(1))).toEqual([])
  })

  it('detects a cycle of files, even of types', () => {
    const circle = [
      ...importsOf('src/service/state/a.ts', "import './b.ts'"),
      ...importsOf('src/service/state/b.ts', "import type { C } from './c.ts'"),
      ...importsOf('src/service/state/c.ts', "import './a.ts'"),
    ]
    expect(findFileCycles(circle)).toEqual([
      'src/service/state/a.ts',
      'src/service/state/b.ts',
      'src/service/state/c.ts',
    ])
    expect(findFileCycles(circle.slice(1))).toEqual([])
  })

  it.each([
    ['src/service/state/store.ts', 'lowdb', true],
    ['src/edges/node/persistence.ts', 'lowdb', true],
    ['src/service/query/where.ts', 'lowdb', false],
    ['src/app/app.ts', 'lowdb/node', false],
    ['src/edges/cli/main.ts', 'commander', true],
    ['src/node.ts', 'commander', false],
    ['src/node.ts', 'node:http', true],
    ['src/edges/cli/keys.ts', 'node:readline', true],
    ['src/service/http/body.ts', 'node:zlib', false],
    ['src/nodes.ts', 'node:fs', false],
  ])('%s may import %s: %s', (path, target, may) => {
    expect(findForeignImports(importsOf(path, `import '${target}'`))).toHaveLength(may ? 0 : 1)
  })
})
