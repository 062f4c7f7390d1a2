import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { binaryOf, createDocumentFolder, runTool } from './tool.ts'

const AGREEMENT = fileURLToPath(new URL('../../service/openapi/agreement.ts', import.meta.url))

/** Compiles only if the generated types equal ours. */
const ASSERTION = `
import type { Agreed, Agreement } from ${JSON.stringify(AGREEMENT)}
import type { operations } from './generated.ts'

type Expect<T extends Agreed> = T
export type Checked = Expect<Agreement<operations>>
`

const COMPILE =
  '--noEmit --strict --skipLibCheck --module nodenext --target es2022 --lib es2023,dom,dom.iterable --allowImportingTsExtensions checked.ts'

it("are the endpoint table's types when compiled with openapi-typescript", async () => {
  const folder = await createDocumentFolder({ 'checked.ts': ASSERTION, 'package.json': '{ "type": "module" }' })
  const generated = join(folder, 'generated.ts')
  const generation = await runTool(binaryOf('openapi-typescript'), ['openapi.json', '--output', generated], folder)
  expect(generation).toMatchObject({ status: 0 })
  const compile = () => runTool(binaryOf('tsc'), COMPILE.split(' '), folder)
  expect(await compile()).toEqual({ status: 0, output: '' })

  // The comparison detects any difference, even a missing optional member.
  const text = await readFile(generated, 'utf8')
  await writeFile(generated, text.replace('someProperty?: string', 'someProperties?: string'))
  expect((await compile()).output).toContain(".responses' are incompatible")
})
