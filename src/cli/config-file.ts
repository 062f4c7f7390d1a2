import { access, readFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SetupError } from '../errors.ts'
import { importModule } from './import-module.ts'

/** The members of a configuration file, not checked yet. */
export interface ConfigFile {
  /** Its name in error messages. */
  readonly name: string
  /** The folder that holds it. */
  readonly folder: string
  readonly members: Readonly<Record<string, unknown>>
}

/** Names of the configuration file without `--config`. */
export const configNames = ['.js', '.mjs', '.cjs', '.json'].map((type) => `resource-mock.config${type}`)

/** Names that users expect to work; they are refused rather than ignored. */
const unsupportedNames = ['.ts', '.mts', '.cts', '.yaml', '.yml'].map((type) => `resource-mock.config${type}`)

const sentenceOf = (fault: unknown): string =>
  (fault instanceof Error ? fault.message : String(fault)).split('\n', 1)[0] ?? ''

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function expectSupported(path: string, subject: string): void {
  if (['.json', '.js', '.mjs', '.cjs'].includes(extname(path))) return
  const remedy = /\.[cm]?ts$/.test(path)
    ? 'Write it as JavaScript in a file that ends in .mjs: `defineConfig` from "resource-mock" gives an editor the types.'
    : 'Give a file that ends in .json or .js.'
  throw new SetupError(`${subject} neither JSON nor JavaScript. ${remedy}`)
}

async function parseJson(path: string, name: string): Promise<unknown> {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (fault) {
    throw new SetupError(`${name} is not valid JSON: ${sentenceOf(fault)}. Correct the file.`, { cause: fault })
  }
}

async function runModule(path: string, name: string): Promise<unknown> {
  try {
    const module = await importModule(pathToFileURL(path).href)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  } catch (fault) {
    throw new SetupError(
      `${name} cannot be run: ${sentenceOf(fault)}. Correct the file. \`export default\` needs "type": "module" in its package.json; \`module.exports\` does not work with it.`,
      { cause: fault },
    )
  }
}

async function read(path: string, name: string): Promise<ConfigFile> {
  const found = extname(path) === '.json' ? await parseJson(path, name) : await runModule(path, name)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new SetupError(
      `${name} contains no options. It must be one object, such as { "port": 4010 }${extname(path) === '.json' ? '' : ', as its default export'}.`,
    )
  }
  return { name, folder: dirname(path), members: Object.fromEntries(Object.entries(found)) }
}

/**
 * Reads the configuration file that `--config` names, or the one in the folder, if any.
 *
 * @throws {SetupError} if it is missing, broken or of an unsupported type, or if the folder has two.
 */
export async function findConfig(folder: string, named?: string): Promise<ConfigFile | undefined> {
  if (named !== undefined) {
    const path = resolve(folder, named)
    expectSupported(path, `--config is ${JSON.stringify(named)}, which is`)
    try {
      await readFile(path)
    } catch (cause) {
      throw new SetupError(
        `--config is ${JSON.stringify(named)}, which cannot be read. Give an existing file that you may read.`,
        { cause },
      )
    }
    return read(path, named)
  }
  const found: string[] = []
  for (const name of [...configNames, ...unsupportedNames]) if (await exists(join(folder, name))) found.push(name)
  if (found.length > 1) {
    throw new SetupError(`Both ${found.join(' and ')} exist in ${folder}. Remove one, or choose one with --config.`)
  }
  const [name] = found
  if (name === undefined) return undefined
  expectSupported(name, `${name} is`)
  return read(join(folder, name), name)
}
