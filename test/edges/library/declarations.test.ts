import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** The packages whose declarations a program with this source reads. */
async function findPackages(source: string): Promise<readonly string[]> {
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/resource-mock'))
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const compilerOptions = { module: 'nodenext', types: ['node'], noEmit: true }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
  await writeFile(join(folder, 'main.ts'), source)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '--listFilesOnly', '-p', folder])
  const names = stdout.split('\n').flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
  return [...new Set(names)]
}

it('the declarations of the library need only packages that are installed with it', async () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const installed = new Set([...Object.keys(dependencies), '@types/node', 'undici-types'])
  const packages = await findPackages("export * from 'resource-mock'\nexport * from 'resource-mock/node'\n")
  expect(packages).not.toContain('zod')
  expect(packages.filter((name) => !installed.has(name) && !name.startsWith('@typescript/'))).toEqual([])
})
