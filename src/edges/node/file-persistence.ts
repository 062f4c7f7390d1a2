import * as z from 'zod'
import { readFileSync } from 'node:fs'
import { link, open, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { SetupError, findErrorCode, toMessage } from '../../errors.ts'
import { constants } from 'node:buffer'
import { dirname, resolve } from 'node:path'
import { createLineFile, findFile, replaceFile } from './line-file.ts'
import type { Persistence } from '../../service/state/kept-state.ts'

/** An exclusive lock on a file, held until it is released or the process ends. */
export interface Lock {
  /** @throws {Error} once another process holds the lock, for example after this process was suspended. */
  expectHeld(): void
  release(): Promise<void>
}

/** A lock expires after this many milliseconds without renewal. Its holder renews it every second. */
const STALE = 3_000
const SIGN_OF_LIFE = 1_000

/** Retries for a lock that is held: long enough for a dead process's lock to expire. */
const TRIES = { retries: 20, factor: 1, minTimeout: 250, maxTimeout: 250 }

const holderRecord = z.object({ pid: z.number(), host: z.string(), boot: z.string(), since: z.string() })

/** Identifies the current boot of the machine: by its boot ID on Linux, elsewhere by the boot time to the minute. */
function findBoot(clock: () => number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return new Date(Math.round((clock() / 1000 - uptime()) / 60) * 60_000).toISOString()
  }
}

/** Describes who holds a lock. Processes in two containers may share a PID, so host and boot tell them apart. */
async function describeHolder(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const { pid, host, boot, since } = holderRecord.parse(JSON.parse(text))
    return `process ${pid} on host ${host} (boot ${boot}) since ${since}`
  } catch {
    return 'another process'
  }
}

/**
 * Locks a file with a folder next to it (`state.json.lock`) whose timestamp the holder renews every second. Unlike a PID,
 * this works across containers and machines. A lock that is not renewed expires after three seconds. `state.json.holder`
 * names the holder.
 *
 * @throws {SetupError} if the file is already locked, even by this process.
 */
export async function acquireLock(file: string, clock: () => number = Date.now): Promise<Lock> {
  // Loaded only if state is kept in a file.
  const { default: lockfile } = await import('proper-lockfile')
  const holderFile = `${file}.holder`
  let lost: Error | undefined
  const onCompromised = (cause: Error): void => {
    lost = new Error(
      `the mock lost its lock: it was suspended for more than ${STALE / 1000} seconds, or the lock was deleted. Nothing more is saved. Restart the mock.`,
      { cause },
    )
  }
  const options = { realpath: false, stale: STALE, update: SIGN_OF_LIFE, retries: TRIES, onCompromised }
  const release = await lockfile.lock(file, options).catch(async (fault: unknown) => {
    if (findErrorCode(fault) !== 'ELOCKED') throw fault
    throw new SetupError(
      `The state file ${file} is in use by ${await describeHolder(holderFile)}. Stop that mock, or use another file for this one.`,
      { cause: fault },
    )
  })
  await writeFile(
    holderFile,
    JSON.stringify({
      pid: process.pid,
      host: hostname(),
      boot: findBoot(clock),
      since: new Date(clock()).toISOString(),
    }),
  )
  return {
    expectHeld() {
      if (lost !== undefined) throw lost
    },
    async release() {
      if (lost !== undefined) return
      await rm(holderFile, { force: true })
      await release()
    },
  }
}

/** State kept in a file. Only this process may write to the file until it is closed. */
export interface FilePersistence extends Persistence {
  close(): Promise<void>
}

/** Reasons for file system errors, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you need read and write permission',
  EPERM: 'you need read and write permission',
  EROFS: 'its file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOENT: 'its folder does not exist',
  ELOOP: 'its symbolic links form a loop',
}

function toFileError(file: string, fault: unknown): SetupError {
  if (fault instanceof SetupError) return fault
  const reason = REASONS[findErrorCode(fault) ?? ''] ?? toMessage(fault)
  return new SetupError(
    `Cannot use the state file ${file}: ${reason}. Point --persist at a file in an existing folder that you can write to.`,
    { cause: fault },
  )
}

/** The maximum size in bytes: an ASCII file of this size is as long as a string can be. */
const MOST_BYTES = constants.MAX_STRING_LENGTH

async function findStats(file: string): Promise<{ readonly mode: number; isDirectory(): boolean } | undefined> {
  try {
    return await stat(file)
  } catch (fault) {
    if (findErrorCode(fault) === 'ENOENT') return undefined
    throw fault
  }
}

/** Identifies a file's content without reading it: by inode, size and modification time. */
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

/** The file that a symbolic link leads to, even if that file does not exist yet. */
async function findTarget(file: string): Promise<string> {
  const target = await readlink(file).catch(() => undefined)
  return target === undefined ? file : findTarget(resolve(dirname(file), target))
}

/** Refuses a file that is mounted by itself: it can be written, but not replaced. A mounted file cannot be linked (EXDEV). */
async function expectReplaceable(path: string, file: string): Promise<void> {
  const temporary = `${file}.tmp`
  await rm(temporary, { force: true })
  const code = await link(file, temporary).then(() => undefined, findErrorCode)
  await rm(temporary, { force: true })
  if (code !== 'EXDEV') return
  throw new SetupError(
    `Cannot use the state file ${path}: it is mounted by itself, so it cannot be replaced. Mount its folder instead, and point --persist at a file in that folder.`,
  )
}

/** Fails at startup if the file could not be replaced later. */
async function prepare(path: string): Promise<{ readonly file: string; readonly mode: number }> {
  const absolute = resolve(path)
  const found = await findStats(absolute)
  if (found === undefined) {
    const file = await findTarget(absolute)
    // Checked here because the lock would retry for five seconds.
    await stat(dirname(file))
    return { file, mode: 0o666 }
  }
  if (found.isDirectory())
    throw new SetupError(`The state file ${path} is a folder. Point --persist at a file, such as ${path}/state.json.`)
  // A symbolic link is kept: its target is replaced.
  const file = await realpath(absolute)
  await (await open(file, 'r+')).close()
  await expectReplaceable(path, file)
  return { file, mode: found.mode }
}

/** Reads and replaces a whole file unless another program has changed it. */
function createWholeFile(parts: {
  /** The path as the user passed it. */
  readonly path: string
  readonly file: string
  readonly mode: number
  readonly lock: Lock
}) {
  const { path, file, mode, lock } = parts
  /** Identifies the content that this mock last read or wrote. */
  let known: string | undefined

  async function isOwn(): Promise<boolean> {
    lock.expectHeld()
    const found = await findMark(file)
    if (found === undefined || found === known) return found !== undefined
    throw new Error(
      'another program has changed it. Restart the mock to load those changes, or delete the file to keep the state in memory.',
    )
  }

  return {
    async read() {
      const handle = await findFile(file)
      try {
        known = handle && (await toMark(handle))
        if (handle && (await handle.stat()).size > MOST_BYTES)
          throw new SetupError(
            `Cannot read the state file ${path}: it is longer than ${MOST_BYTES} bytes (512 MB). The file is unchanged. Point --persist at another file.`,
          )
        return handle && new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
      } catch (fault) {
        if (fault instanceof TypeError)
          throw new SetupError(
            `Cannot read the state file ${path}: it is not UTF-8 text. The file is unchanged. Point --persist at another file.`,
          )
        throw toFileError(path, fault)
      } finally {
        await handle?.close()
      }
    },
    async write(text: string) {
      await isOwn()
      // A larger file could not be read again.
      if (Buffer.byteLength(text) > MOST_BYTES) throw new RangeError('The state is too long.')
      const handle = await replaceFile(file, text, mode)
      known = await toMark(handle)
      await handle.close()
    },
    isOwn,
  }
}

/**
 * Opens a state file. It is replaced as a whole, so it is never half written. Next to it, `.log` has one line for each
 * write since.
 *
 * lowdb's own `TextFile` also replaces a file by renaming, but does not call fsync first: after a power failure the file
 * could be empty although its writes were acknowledged.
 *
 * @throws {SetupError} if the file cannot be read and written, or another process holds it.
 */
export async function openFilePersistence(path: string): Promise<FilePersistence> {
  try {
    const { file, mode } = await prepare(path)
    const lock = await acquireLock(file)
    const whole = createWholeFile({ path, file, mode, lock })
    const lines = createLineFile({ file: `${file}.log`, mode, isOwn: whole.isOwn })
    const journal = createLineFile({ file: `${file}.journal`, mode, isOwn: whole.isOwn })
    return {
      name: `The state file ${path}`,
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
    throw toFileError(path, fault)
  }
}
