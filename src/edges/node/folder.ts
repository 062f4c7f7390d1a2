import { isUtf8 } from 'node:buffer'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findErrorCode, SetupError } from '../../errors.ts'
import type { FileTexts } from '../../util/load-partially.ts'

/** A user's folder, named after its option. */
export type FolderName = 'fixtures' | 'scenarios'

interface About {
  readonly isRead: (file: string) => boolean
  /** Precedes a file's name in error messages. */
  readonly subject: string
  /** What to do if the folder does not exist. */
  readonly remedy: string
}

const folders: Readonly<Record<FolderName, About>> = {
  fixtures: {
    isRead: (file) => file.endsWith('.json'),
    subject: 'fixtures',
    remedy: 'Use an existing folder, or create one with: resource-mock init',
  },
  // A scenario's `bodyFile` may have any extension and encoding.
  scenarios: { isRead: () => true, subject: 'Scenario', remedy: 'Use an existing folder.' },
}

/**
 * Reads a file named by an option.
 *
 * @throws {SetupError} if it cannot be read.
 */
export async function readBytes(file: string, option: string): Promise<Buffer> {
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
export const readText = async (file: string, option: string, name = file): Promise<string> =>
  decodeText(await readBytes(file, option), name)

/** Skips the hidden files and backups that editors create. */
const isOfEditor = (file: string): boolean => file.startsWith('.') || file.endsWith('~')

/**
 * Reads the files of a folder, without its subfolders.
 *
 * @param option its name in error messages; default: its flag
 * @throws {SetupError} if the folder or one of its files cannot be read.
 */
export async function readFolder(name: FolderName, path: string, option = `--${name}`): Promise<FileTexts> {
  const { isRead, subject, remedy } = folders[name]
  const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SetupError(`${option} is ${JSON.stringify(path)}, which is not a readable folder. ${remedy}`, {
      cause,
    })
  })
  const files = entries
    .filter((entry) => !entry.isDirectory() && !isOfEditor(entry.name) && isRead(entry.name))
    .map((entry) => entry.name)
    .toSorted()
  const texts = await Promise.all(
    files.map(async (file) => {
      const bytes = await readBytes(join(path, file), `A file of ${option}`)
      return /\.(?:json|ya?ml)$/i.test(file) ? decodeText(bytes, `${subject} ${file}`) : bytes.toString()
    }),
  )
  return Object.fromEntries(files.map((file, at) => [file, texts[at] ?? '']))
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
