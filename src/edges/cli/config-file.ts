import { existsSync } from 'node:fs'
import { resolve, dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SetupError, toMessage } from '../../errors.ts'
import { path } from '../../app/options/option.ts'
import type { Option } from '../../app/options/option.ts'
import { parseJson } from '../../service/http/json.ts'
import { toSyntaxError } from '../../util/file-problems.ts'
import { escapeExpression } from '../../util/quote.ts'
import { readFileText } from '../node/folder.ts'
import { importModule } from './import-module.ts'

/** A configuration file with unchecked members. */
export interface ConfigFile {
  /** The file's name in error messages. */
  readonly name: string
  readonly folder: string
  readonly members: Readonly<Record<string, unknown>>
}

/** The configuration files that are found without `--config`. */
export const configNames = ['.js', '.mjs', '.cjs', '.json', '.ts', '.mts'].map((type) => `resource-mock.config${type}`)

/** Names that users might expect to work; rejected rather than ignored. */
const unsupportedNames = ['.cts', '.yaml', '.yml'].map((type) => `resource-mock.config${type}`)

/** The Node that runs configuration files. */
interface Runtime {
  readonly version: string
  readonly runsTypeScript: boolean
}

const thisNode: Runtime = {
  version: process.versions.node,
  // Not in the types of Node 20, which are installed here.
  runsTypeScript: Boolean((process.features as { readonly typescript?: unknown }).typescript),
}

function expectSupported(path: string, subject: string, { version, runsTypeScript }: Runtime): void {
  const type = extname(path)
  if (['.json', '.js', '.mjs', '.cjs'].includes(type)) return
  const isTypeScript = ['.ts', '.mts'].includes(type)
  if (isTypeScript && runsTypeScript) return
  const remedy = isTypeScript
    ? `TypeScript needs Node 22.18 or newer, but this is Node ${version}. Write it as JavaScript in a file that ends in .mjs: \`defineConfig\` from "resource-mock" provides types to the editor.`
    : 'Use a file that ends in .json or .js.'
  throw new SetupError(`${subject} neither JSON nor JavaScript. ${remedy}`)
}

function parseConfig(text: string, name: string): unknown {
  try {
    return parseJson(text)
  } catch (fault) {
    throw toSyntaxError(fault, name)
  }
}

async function runModule(path: string, name: string): Promise<unknown> {
  try {
    const module = await importModule(pathToFileURL(path).href)
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  } catch (fault) {
    const sentence = (toMessage(fault).split('\n', 1)[0] ?? '').replace(/\.$/, '')

    const stack = fault instanceof Error ? (fault.stack ?? '') : ''
    throw new SetupError(
      `${name}${new RegExp(String.raw`${escapeExpression(path)}(:\d+(?::\d+)?)`).exec(stack)?.[1] ?? ''} failed to run: ${sentence}. Correct the file. \`export default\` requires "type": "module" in its package.json; \`module.exports\` does not work with it.`,
      { cause: fault },
    )
  }
}

async function readConfig(path: string, name: string, subject: string): Promise<ConfigFile> {
  const isJson = extname(path) === '.json'
  const text = await readFileText(path, subject, name)
  const found = isJson ? parseConfig(text, name) : await runModule(path, name)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new SetupError(
      `${name} contains no options. It must be one object, such as { "port": 4010 }${isJson ? '' : ', as its default export'}.`,
    )
  }
  return { name, folder: dirname(path), members: Object.fromEntries(Object.entries(found)) }
}

/**
 * Reads the configuration file that `--config` names, or the one in the folder, if any.
 *
 * @throws {SetupError} if the file is missing, invalid or of an unsupported type, or if the folder has two.
 */
export async function findConfig(folder: string, named?: string, runtime = thisNode): Promise<ConfigFile | undefined> {
  if (named !== undefined) {
    expectSupported(named, `--config is ${JSON.stringify(named)}, which is`, runtime)
    return readConfig(resolve(folder, named), named, '--config')
  }
  const found: string[] = []
  for (const name of [...configNames, ...unsupportedNames]) if (existsSync(join(folder, name))) found.push(name)
  if (found.length > 1)
    throw new SetupError(`Both ${found.join(' and ')} exist in ${folder}. Remove one, or choose one with --config.`)
  const [name] = found
  if (name === undefined) return undefined
  expectSupported(name, `${name} is`, runtime)
  return readConfig(join(folder, name), name, 'The configuration file')
}

/** Names the configuration file, so the file itself cannot set it. */
export const configOption: Option = {
  flag: '--config <file>',
  otherwise: 'resource-mock.config.json, .js, .mjs, .cjs, .ts or .mts in the working folder',
  about: 'configuration file with the same options in camelCase',
  value: path,
}
