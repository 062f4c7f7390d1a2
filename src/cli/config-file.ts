import { access, readFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SetupError } from '../errors.ts'
import { importModule } from './import-module.ts'

/** A configuration file's members, yet to be checked. */
export interface ConfigFile {
  /** As sentences call it. */
  readonly name: string
  /** The folder it stands in. */
  readonly folder: string
  readonly members: Readonly<Record<string, unknown>>
}

/** What a configuration file is called where `--config` names none. */
export const configNames = ['resource-mock.config.js', 'resource-mock.config.json'] as const

const sentenceOf = (fault: unknown): string =>
  (fault instanceof Error ? fault.message : String(fault)).split('\n', 1)[0] ?? ''

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function parseJson(path: string, name: string): Promise<unknown> {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (fault) {
    throw new SetupError(`${name} is not valid JSON: ${sentenceOf(fault)}. Correct it there.`, { cause: fault })
  }
}

async function runModule(path: string, name: string): Promise<unknown> {
  try {
    const module = await importModule(pathToFileURL(path).href)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  } catch (fault) {
    throw new SetupError(
      `${name} cannot be run: ${sentenceOf(fault)}. Correct it there; \`export default\` needs "type": "module" in its package.json, \`module.exports\` needs it absent.`,
      { cause: fault },
    )
  }
}

async function read(path: string, name: string): Promise<ConfigFile> {
  const found = extname(path) === '.json' ? await parseJson(path, name) : await runModule(path, name)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new SetupError(
      `${name} holds no options. It must be one object, such as { "port": 4010 }${extname(path) === '.json' ? '' : ', as its default export'}.`,
    )
  }
  return { name, folder: dirname(path), members: Object.fromEntries(Object.entries(found)) }
}

/**
 * Reads the configuration file that `--config` names, or the one that stands in the folder, if any.
 *
 * @throws {SetupError} when it is missing, broken, of an unknown kind, or one of two that stand there.
 */
export async function findConfig(folder: string, named?: string): Promise<ConfigFile | undefined> {
  if (named !== undefined) {
    const path = resolve(folder, named)
    if (!['.json', '.js', '.mjs', '.cjs'].includes(extname(path))) {
      throw new SetupError(
        `--config is ${JSON.stringify(named)}, which is neither JSON nor JavaScript. Give a file that ends in .json or .js.`,
      )
    }
    try {
      await readFile(path)
    } catch (cause) {
      throw new SetupError(
        `--config is ${JSON.stringify(named)}, which cannot be read. Give a file that exists and that this user may read.`,
        { cause },
      )
    }
    return read(path, named)
  }
  const found: string[] = []
  for (const name of configNames) if (await exists(join(folder, name))) found.push(name)
  if (found.length > 1) {
    throw new SetupError(`Both ${found.join(' and ')} stand in ${folder}. Remove one, or say which with --config.`)
  }
  return found[0] === undefined ? undefined : read(join(folder, found[0]), found[0])
}
