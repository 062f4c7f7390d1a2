import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

const TSCONFIG = {
  compilerOptions: {
    module: 'node16',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    // Skip the declarations of other packages; the code below reads those of this package.
    skipLibCheck: true,
    outDir: 'out',
    rootDir: 'src',
  },
}

const SOURCE = `
import { createMock, SetupError } from 'resource-mock'
import type { ScenarioDefinition } from 'resource-mock'
import { SetupError as Same, startServer } from 'resource-mock/node'
import { expect, test } from 'resource-mock/playwright'
import { handlers } from 'resource-mock/msw'
import { resourceMock } from 'resource-mock/vite'

async function main(): Promise<void> {
  const mock = await createMock({ auth: 'off', generate: 1 })
  const teapot: ScenarioDefinition = { rules: [{ effect: { answer: { status: 418 } } }] }
  const session = mock.session('teapot')
  await session.use(teapot)
  const { status } = await session.fetch('/acme/resource')
  const yaml = 'description: Broken\\nrules:\\n  - effect: { fault: EMPTY_RESPONSE }\\n'
  const server = await startServer({ port: 0, scenarios: { 'broken.yaml': yaml } })
  await server.close()
  const name: string = resourceMock().name
  console.log(JSON.stringify([status, SetupError === Same, typeof handlers, name, typeof test.extend, typeof expect]))
}
void main()
`

/** A project without "type": "module", where the package is installed. */
async function createProject(): Promise<string> {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'node_modules'))
  await mkdir(join(folder, 'src'))
  await symlink(root, join(folder, 'node_modules/resource-mock'))
  for (const name of ['@playwright', '@types', 'msw', 'vite']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await writeFile(join(folder, 'package.json'), '{ "name": "commonjs", "private": true }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await writeFile(join(folder, 'src/main.ts'), SOURCE)
  return folder
}

it('a CommonJS project in TypeScript with module node16 compiles against every entry, and runs', async () => {
  const folder = await createProject()
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout: complaints } = await run(process.execPath, [compiler, '-p', folder]).catch(
    (fault: { readonly stdout: string }) => fault,
  )
  expect(complaints).toBe('')
  const { stdout } = await run(process.execPath, [join(folder, 'out/main.js')])
  expect(JSON.parse(stdout)).toEqual([418, true, 'function', 'resource-mock', 'function', 'function'])
})
