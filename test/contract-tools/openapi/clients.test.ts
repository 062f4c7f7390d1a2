import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { filesOf } from '../../edges/library/page.ts'
import { startServer } from '../../../src/node.ts'
import { heyApi, openApiFetch, orval } from './lives.ts'
import { binaryOf, createDocumentFolder, runTool } from './tool.ts'

const page = readFileSync(new URL('../../../docs/openapi.md', import.meta.url), 'utf8')
const MOCK = 'http://127.0.0.1:4010'

const COMPILE =
  '--noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2022 --lib es2023,dom,dom.iterable --types node --allowImportingTsExtensions life.ts'

/** The generator arguments from the page. */
const argumentsOf = (command: string): readonly string[] =>
  new RegExp(`^npx ${command} (.+)$`, 'm').exec(page)?.[1]?.split(' ') ?? expect.fail(`The page runs no ${command}.`)

/** A folder with the documents, the page's code for a mock, and a program. */
async function layOut(program: string, mock: string): Promise<string> {
  const code = [...filesOf('docs/openapi.md')].filter(([path]) => !path.startsWith('test/'))
  const files = code.map(([path, text]) => [path, text.replaceAll(MOCK, mock)] as const)
  const folder = await createDocumentFolder({
    ...Object.fromEntries(files),
    'life.ts': program,
    'package.json': '{ "type": "module" }',
  })
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs a program that uses the generated code. */
async function run(folder: string): Promise<unknown> {
  // CommonJS, so that a bundle can require Node modules.
  const outfile = join(folder, 'life.cjs')
  await build({ entryPoints: [join(folder, 'life.ts')], outfile, bundle: true, platform: 'node', format: 'cjs' })
  const { status, output } = await runTool(process.execPath, [outfile], folder)
  expect({ status, output }).toMatchObject({ status: 0 })
  return JSON.parse(output)
}

it.each([
  ['openapi-typescript and openapi-fetch', 'openapi-typescript', 'openapi-typescript', openApiFetch],
  ['@hey-api/openapi-ts', '@hey-api/openapi-ts', 'openapi-ts', heyApi],
  ['orval', 'orval', 'orval', orval],
])(
  'a client of %s creates, reads, updates, queries, searches, uploads and deletes, as shown in docs/openapi.md',
  async (_name, command, binary, program) => {
    const server = await startServer({ port: 0, checkResponses: true })
    onTestFinished(() => server.close())
    const folder = await layOut(program, server.url)
    const generation = await runTool(binaryOf(binary), argumentsOf(command), folder)
    expect(generation).toMatchObject({ status: 0 })
    expect(await runTool(binaryOf('tsc'), COMPILE.split(' '), folder)).toEqual({ status: 0, output: '' })
    expect(await run(folder)).toEqual({
      created: 1,
      queried: 1,
      read: { arrayOfStringExample: ['zebrano'] },
      updated: 2,
      conflict: 'ConcurrentModification',
      listed: 1,
      found: 1,
      uploaded: 3,
      deleted: 3,
    })
  },
)
