import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { SetupError } from '../errors.ts'
import { builtinFixtures } from '../state/builtin-fixtures.ts'

const CONFIG = 'resource-mock.config.json'

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Writes a file unless one stands there; says which it was. */
async function writeNew(path: string, text: string): Promise<'wrote' | 'kept'> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' })
    return 'wrote'
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
    if (code === 'EEXIST' && (await isFile(path))) return 'kept'
    throw new SetupError(`${path} cannot be written. Give init a folder that this user may write.`, { cause: fault })
  }
}

/**
 * Writes copies of the built-in fixtures and a configuration that points to them; what exists is never overwritten.
 *
 * @returns lines that say what was done and what to do next.
 * @throws {SetupError} when the folder cannot be written.
 */
export async function init(folder: string): Promise<readonly string[]> {
  const files: Readonly<Record<string, string>> = {
    [CONFIG]: `${JSON.stringify({ fixtures: './fixtures' }, undefined, 2)}\n`,
    ...Object.fromEntries(Object.entries(builtinFixtures).map(([name, text]) => [join('fixtures', name), text])),
  }
  const lines: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    const done = await writeNew(path, text)
    lines.push(done === 'wrote' ? `Wrote ${path}` : `Kept  ${path}, which was there`)
  }
  const there = relative(process.cwd(), folder)
  return [
    ...lines,
    '',
    `Change the fixtures as you like, then run: ${there === '' ? '' : `cd ${there} && `}npx resource-mock`,
  ]
}
