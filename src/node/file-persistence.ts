import { constants } from 'node:buffer'
import { open, realpath, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SetupError } from '../errors.ts'
import type { Persistence } from '../state/state-adapter.ts'
import { findErrorCode } from '../util/error-code.ts'
import { createLineFile } from './line-file.ts'
import { acquireLock } from './lock.ts'
import type { Lock } from './lock.ts'
import { findFile, replaceFile } from './replace-file.ts'

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

/** So many bytes of ASCII are the longest string. */
const MOST_BYTES = constants.MAX_STRING_LENGTH

const tooLong = (file: string): SetupError =>
  new SetupError(
    `The state file ${file} cannot be read: it is longer than ${MOST_BYTES} bytes (512 MB). The file is unchanged. Give --persist another file.`,
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

async function findMark(file: string): Promise<string | undefined> {
  const handle = await findFile(file)
  try {
    return handle && (await toMark(handle))
  } finally {
    await handle?.close()
  }
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

/** A whole file, and whether another program has changed it. */
interface WholeFile extends Pick<Persistence, 'read' | 'write'> {
  /**
   * Whether the file is there as it was read or written last.
   *
   * @throws {Error} if another program has changed it, or another process holds its lock.
   */
  isOwn(): Promise<boolean>
}

/** Reads and replaces a whole file, unless another program writes it. */
function createWholeFile({ given, file, mode, lock }: WholeFileParts): WholeFile {
  /** Identifies the content that this mock read or wrote last. */
  let known: string | undefined

  async function isOwn(): Promise<boolean> {
    lock.expectHeld()
    const found = await findMark(file)
    if (found === undefined || found === known) return found !== undefined
    throw new Error(
      'another program has changed it. Restart the mock to read it, or delete it to keep what the mock has.',
    )
  }

  return {
    async read() {
      const handle = await findFile(file)
      try {
        known = handle && (await toMark(handle))
        if (handle && (await handle.stat()).size > MOST_BYTES) throw tooLong(given)
        return handle && new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
      } catch (fault) {
        if (fault instanceof TypeError) throw noText(given)
        throw toSetupError(given, fault)
      } finally {
        await handle?.close()
      }
    },
    async write(text) {
      await isOwn()
      // It could not be read again.
      if (Buffer.byteLength(text) > MOST_BYTES) throw new RangeError('The state is too long.')
      const handle = await replaceFile(file, text, mode)
      known = await toMark(handle)
      await handle.close()
    },
    isOwn,
  }
}

/**
 * Opens a file that keeps the state. It is replaced as a whole, so it is never half written. Next to it, `.log` has a line for
 * each write since.
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
    const whole = createWholeFile({ given, file, mode, lock })
    const lines = createLineFile({ file: `${file}.log`, mode, isOwn: whole.isOwn })
    const journal = createLineFile({ file: `${file}.journal`, mode, isOwn: whole.isOwn })
    return {
      name: `The state file ${given}`,
      ...whole,
      lines,
      journal,
      async close() {
        await lines.close()
        await journal.close()
        await lock.release()
      },
    }
  } catch (fault) {
    throw toSetupError(given, fault)
  }
}
