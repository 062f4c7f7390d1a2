import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SetupError } from '../errors.ts'
import type { Persistence } from '../state/state-adapter.ts'
import { findErrorCode } from '../util/error-code.ts'
import { acquireLock } from './lock.ts'
import type { Lock } from './lock.ts'

/** State kept in a file. Only this process may write it until it is closed. */
export interface FilePersistence extends Persistence {
  close(): Promise<void>
}

/** Why the file system refused, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not read and write it',
  EPERM: 'you may not read and write it',
  EROFS: 'its file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is not a folder',
  ENOENT: 'its folder does not exist',
  ELOOP: 'its symbolic links form a loop',
}

function toSetupError(file: string, fault: unknown): SetupError {
  if (fault instanceof SetupError) return fault
  const reason = REASONS[findErrorCode(fault) ?? ''] ?? (fault instanceof Error ? fault.message : String(fault))
  return new SetupError(
    `Cannot use the state file ${file}: ${reason}. Give --persist a file in an existing folder that you may write to.`,
    { cause: fault },
  )
}

const noText = (file: string): SetupError =>
  new SetupError(
    `The state file ${file} cannot be read: it is not UTF-8 text. The file is unchanged. Give --persist another file.`,
  )

async function findStats(file: string): Promise<{ readonly mode: number; isDirectory(): boolean } | undefined> {
  try {
    return await stat(file)
  } catch (fault) {
    if (findErrorCode(fault) === 'ENOENT') return undefined
    throw fault
  }
}

/** Identifies the content of a file without reading it: its inode, its size, and when it was written. */
async function toMark(handle: FileHandle): Promise<string> {
  const { ino, size, mtimeNs } = await handle.stat({ bigint: true })
  return `${ino} ${size} ${mtimeNs}`
}

/** Opens a file for reading; undefined if it does not exist. */
async function findFile(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r')
  } catch (fault) {
    if (findErrorCode(fault) === 'ENOENT') return undefined
    throw fault
  }
}

async function findMark(file: string): Promise<string | undefined> {
  const handle = await findFile(file)
  try {
    return handle && (await toMark(handle))
  } finally {
    await handle?.close()
  }
}

/** Makes a rename survive a power cut. On Windows, where a folder cannot be opened, the file system does so itself. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Refuses at the start what could not be replaced later. */
async function prepare(given: string): Promise<{ readonly file: string; readonly mode: number }> {
  const absolute = resolve(given)
  const found = await findStats(absolute)
  if (found === undefined) {
    // Here, since the lock would try again for five seconds.
    await stat(dirname(absolute))
    return { file: absolute, mode: 0o666 }
  }
  if (found.isDirectory())
    throw new SetupError(`The state file ${given} is a folder. Give --persist a file, such as ${given}/state.json.`)
  // A link stays a link: its target is replaced.
  const file = await realpath(absolute)
  await (await open(file, 'r+')).close()
  return { file, mode: found.mode }
}

interface WholeFileParts {
  /** The path as the user gave it. */
  readonly given: string
  readonly file: string
  readonly mode: number
  readonly lock: Lock
}

/** Reads and replaces a whole file, unless another program writes it. */
function createWholeFile({ given, file, mode, lock }: WholeFileParts): Pick<Persistence, 'read' | 'write'> {
  const temporary = `${file}.tmp`
  /** Identifies the content that this mock read or wrote last. */
  let known: string | undefined

  async function expectOwnContent(): Promise<void> {
    lock.expectHeld()
    const found = await findMark(file)
    if (found === undefined || found === known) return
    throw new Error(
      'another program has changed it. Restart the mock to read it, or delete it to keep what the mock has.',
    )
  }

  async function writeTemporary(text: string): Promise<string> {
    // Always a new file: one of that name may be a link to somebody's file.
    await rm(temporary, { force: true })
    const handle = await open(temporary, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
      return await toMark(handle)
    } finally {
      await handle.close()
    }
  }

  return {
    async read() {
      const handle = await findFile(file)
      try {
        known = handle && (await toMark(handle))
        return handle && new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
      } catch (fault) {
        if (fault instanceof TypeError) throw noText(given)
        throw toSetupError(given, fault)
      } finally {
        await handle?.close()
      }
    },
    async write(text) {
      await expectOwnContent()
      try {
        const mark = await writeTemporary(text)
        await rename(temporary, file)
        known = mark
      } catch (fault) {
        // On a full disk every byte counts.
        await rm(temporary, { force: true })
        throw fault
      }
      await syncFolder(dirname(file))
    },
  }
}

/**
 * Opens a file that keeps the state. It is replaced as a whole, so it is never half written.
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
    return {
      name: `The state file ${given}`,
      ...createWholeFile({ given, file, mode, lock }),
      close: () => lock.release(),
    }
  } catch (fault) {
    throw toSetupError(given, fault)
  }
}
