import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findErrorCode, SetupError } from '../../errors.ts'
import type { FileTexts } from '../../util/load-partially.ts'

/** A user's folder, named after its option. */
export type FolderName = 'fixtures' | 'scenarios'

interface About {
  readonly isRead: (file: string) => boolean
  /** What to do if the folder does not exist. */
  readonly remedy: string
}

const folders: Readonly<Record<FolderName, About>> = {
  fixtures: {
    isRead: (file) => file.endsWith('.json'),
    remedy: 'Use an existing folder, or create one with: resource-mock init',
  },
  // A scenario's `bodyFile` may have any extension.
  scenarios: { isRead: () => true, remedy: 'Use an existing folder.' },
}

/**
 * Reads a text file named by an option.
 *
 * @throws {SetupError} if it cannot be read.
 */
export async function readText(file: string, option: string): Promise<string> {
  try {
    // Some editors add a byte order mark, which JSON does not allow (RFC 8259, section 8.1).
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new SetupError(
      `${option} is ${JSON.stringify(file)}, which cannot be read. Use an existing file that you have permission to read.`,
      { cause },
    )
  }
}

/** Skips the hidden files and backups that editors create. */
const isOfEditor = (file: string): boolean => file.startsWith('.') || file.endsWith('~')

/**
 * Reads the files of a folder, without its subfolders.
 *
 * @param option its name in error messages; default: its flag
 * @throws {SetupError} if the folder or one of its files cannot be read.
 */
export async function readFolder(name: FolderName, path: string, option = `--${name}`): Promise<FileTexts> {
  const { isRead, remedy } = folders[name]
  const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SetupError(`${option} is ${JSON.stringify(path)}, which is not a readable folder. ${remedy}`, {
      cause,
    })
  })
  const files = entries
    .filter((entry) => !entry.isDirectory() && !isOfEditor(entry.name) && isRead(entry.name))
    .map((entry) => entry.name)
    .toSorted()
  const texts = await Promise.all(files.map((file) => readText(join(path, file), `A file of ${option}`)))
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
