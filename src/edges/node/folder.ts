import { isUtf8 } from 'node:buffer'
import type { Dirent } from 'node:fs'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findErrorCode, SetupError } from '../../errors.ts'
import { isScenarioFile, listBodyFiles } from '../../service/scenarios/load.ts'
import type { FileContent, FileContents, FileTexts } from '../../util/load-partially.ts'

/** A user's folder, named after its option. */
export type FolderName = 'fixtures' | 'scenarios'

/** The files of each folder. A scenario's `bodyFile` may be anything. */
export interface FolderContents {
  readonly fixtures: FileTexts
  readonly scenarios: FileContents
}

/** The files that are read in any case, and what precedes their names in messages. */
const folders = {
  fixtures: {
    isRead: (file: string) => /\.json$/i.test(file),
    subject: 'fixtures',
  },
  scenarios: { isRead: isScenarioFile, subject: 'Scenario' },
}

/**
 * Reads a file named by an option.
 *
 * @throws {SetupError} if it cannot be read.
 */
export async function readFileBytes(file: string, option: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    throw new SetupError(
      `${option} is ${JSON.stringify(file)}, which cannot be read. Use an existing file that you have permission to read.`,
      { cause },
    )
  }
}

/** Describes the first byte that is not UTF-8, with its line and column. */
function describeEncoding(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return ':1:1: the file is UTF-16.'
  const text = bytes.toString()
  let at = text.indexOf('\uFFFD')
  // The file may contain this character itself.
  while (bytes.subarray(Buffer.byteLength(text.slice(0, at))).indexOf('\uFFFD') === 0)
    at = text.indexOf('\uFFFD', at + 1)
  const lines = text
    .slice(0, at)
    .replace(/^\uFEFF/, '')
    .split('\n')
  const byte = bytes[Buffer.byteLength(text.slice(0, at))] ?? 0
  return `:${lines.length}:${(lines.at(-1) ?? '').length + 1}: the byte 0x${byte.toString(16).toUpperCase()} is not UTF-8.`
}

/**
 * Decodes a file. Some editors add a byte order mark, which JSON does not allow (RFC 8259, section 8.1).
 *
 * @param name the file's name in error messages
 * @throws {SetupError} if it is not UTF-8.
 */
export function decodeText(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString().replace(/^\uFEFF/, '')
  throw new SetupError(`${name}${describeEncoding(bytes)} Save it as UTF-8.`)
}

/**
 * Reads a text file named by an option.
 *
 * @param name the file's name in error messages about its content
 * @throws {SetupError} if it cannot be read, or is not UTF-8.
 */
export const readFileText = async (file: string, option: string, name = file): Promise<string> =>
  decodeText(await readFileBytes(file, option), name)

/** Whether an entry of a folder is a regular file, or a link to one: reading a pipe could take forever. */
async function isRegular(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile()
  const target = await stat(join(path, entry.name)).catch(() => undefined)
  // Reading a broken link reports it.
  return target === undefined || target.isFile()
}

/** The names of all regular files of a folder, without its subfolders. */
async function listFiles(name: FolderName, path: string, option: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SetupError(
      `${option} is ${JSON.stringify(path)}, which is not a readable folder. Use an existing folder. To write the folders fixtures and scenarios into <folder>, run: npx resource-mock init <folder>`,
      { cause },
    )
  })
  // Skips the hidden files and backups that editors create.
  const files = await Promise.all(
    entries.map(async (entry) =>
      !(entry.name.startsWith('.') || entry.name.endsWith('~')) && (await isRegular(entry, path)) ? [entry.name] : [],
    ),
  )
  return files.flat().toSorted()
}

const BOM = Buffer.from('\uFEFF')

/**
 * Reads the files of a folder, without its subfolders: fixtures, or scenarios and the body files that they name.
 *
 * @param option its name in error messages; default: its flag
 * @throws {SetupError} if the folder or one of its files cannot be read, or is not UTF-8.
 */
export async function readFolder<Name extends FolderName>(
  name: Name,
  path: string,
  option = `--${name}`,
): Promise<FolderContents[Name]> {
  const { isRead, subject } = folders[name]
  const files = await listFiles(name, path, option)
  const read = async (file: string) => [file, await readFileBytes(join(path, file), `A file of ${option}`)] as const
  const candidates = new Map(await Promise.all(files.filter(isRead).map(read)))
  const isNamed = name === 'scenarios' ? await findNamed(candidates) : () => false
  const bodies = await Promise.all(files.filter((file) => isNamed(file) && !candidates.has(file)).map(read))
  // A body file is a text if encoding it gives the same bytes.
  const contents = [...candidates, ...bodies].map(([file, bytes]): readonly [string, FileContent] => [
    file,
    isNamed(file)
      ? isUtf8(bytes) && !bytes.subarray(0, BOM.length).equals(BOM)
        ? bytes.toString()
        : new Uint8Array(bytes)
      : decodeText(bytes, `${subject} ${file}`),
  ])
  // Fixtures name no body files, so all of them are texts.
  return Object.fromEntries(contents) as FolderContents[Name]
}

/** Finds the body files that scenario files name. */
async function findNamed(files: ReadonlyMap<string, Buffer>): Promise<(file: string) => boolean> {
  const lists = Array.from(files, ([file, bytes]) => listBodyFiles(file, bytes.toString()))
  const names = new Set((await Promise.all(lists)).flat())
  return (file) => names.has(file)
}

/** Creates a folder and its parents. `recursive` of Node 20 never returns in a folder such as /proc. */
export async function createFolder(path: string): Promise<void> {
  const create = () =>
    mkdir(path).catch(async (fault: unknown) => {
      if (findErrorCode(fault) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw fault
    })
  try {
    await create()
  } catch (fault) {
    if (findErrorCode(fault) !== 'ENOENT' || dirname(path) === path) throw fault
    await createFolder(dirname(path))
    await create()
  }
}
