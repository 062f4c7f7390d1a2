import { open, readFile, realpath, rename, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SetupError } from '../errors.ts'
import type { Persistence } from '../options.ts'
import { acquireLock } from './lock.ts'

/** State kept in a file, which is this process's alone until it is closed. */
export interface FilePersistence extends Persistence {
  close(): Promise<void>
}

/** Why the file system refused, in words, by its error code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read and write it',
  EPERM: 'this user may not read and write it',
  EROFS: 'its file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'its path leads through something that is no folder',
  ENOENT: 'its folder does not exist',
  ELOOP: 'its path is a circle of links',
}

function toSetupError(file: string, fault: unknown): SetupError {
  if (fault instanceof SetupError) return fault
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
  const reason = REASONS[code] ?? (fault instanceof Error ? fault.message : String(fault))
  return new SetupError(
    `The state file ${file} cannot be used: ${reason}. Give --persist a file in a folder that exists and that this user may write.`,
    { cause: fault },
  )
}

const noText = (file: string): SetupError =>
  new SetupError(
    `The state file ${file} cannot be read: it is no UTF-8 text. It was left as it is; give --persist another file.`,
  )

async function findStats(file: string): Promise<{ readonly mode: number; isDirectory(): boolean } | undefined> {
  try {
    return await stat(file)
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return undefined
    throw fault
  }
}

/** Makes a rename outlast a power cut; where a folder cannot be opened (Windows) its file system sees to it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Refuses what could not be replaced later, when the first write would be too late to say so. */
async function prepare(given: string): Promise<{ readonly file: string; readonly mode: number }> {
  const absolute = resolve(given)
  const found = await findStats(absolute)
  if (found === undefined) return { file: absolute, mode: 0o666 }
  if (found.isDirectory())
    throw new SetupError(`The state file ${given} is a folder. Give --persist a file, such as ${given}/state.json.`)
  // A link stays a link: what it leads to is replaced.
  const file = await realpath(absolute)
  await (await open(file, 'r+')).close()
  return { file, mode: found.mode }
}

/**
 * Opens a file to keep state in: read whole, and replaced whole, so that it is never half written.
 *
 * lowdb's own `TextFile` replaces a file the same way, but does not wait for the disk (no fsync) before it renames:
 * after a power cut the file could be empty, though its writes were acknowledged.
 *
 * @throws {SetupError} when the file cannot be read and written, or another process holds it.
 */
export async function openFilePersistence(given: string): Promise<FilePersistence> {
  try {
    const { file, mode } = await prepare(given)
    const lock = await acquireLock(file)
    const temporary = `${file}.tmp`
    return {
      name: `The state file ${given}`,
      async read() {
        try {
          return (await findStats(file)) && new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
        } catch (fault) {
          if (fault instanceof TypeError) throw noText(given)
          throw toSetupError(given, fault)
        }
      },
      async write(text) {
        const handle = await open(temporary, 'w', mode)
        try {
          await handle.writeFile(text)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(temporary, file)
        await syncFolder(dirname(file))
      },
      close: () => lock.release(),
    }
  } catch (fault) {
    throw toSetupError(given, fault)
  }
}
