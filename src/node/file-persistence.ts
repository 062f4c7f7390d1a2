import * as z from 'zod'
import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile, open, realpath, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { SetupError, findErrorCode } from '../errors.ts'
import { constants } from 'node:buffer'
import { dirname, resolve } from 'node:path'
import { createLineFile, findFile, replaceFile } from './line-file.ts'
import type { Persistence } from '../state/kept-state.ts'

/** A file that is this mock's alone, until it is released or the process ends. */
export interface Lock {
  /** @throws {Error} once another process holds the lock, as after this one was stopped for a while. */
  expectHeld(): void
  release(): Promise<void>
}

/** After so many milliseconds without a sign of life a lock is free. Its holder gives one a second. */
const STALE = 3_000
const SIGN_OF_LIFE = 1_000

/** How often a lock that is held is tried again: until a dead process's lock is surely free. */
const TRIES = { retries: 20, factor: 1, minTimeout: 250, maxTimeout: 250 }

const holderRecord = z.object({ pid: z.number(), host: z.string(), boot: z.string(), since: z.string() })

type Holder = z.output<typeof holderRecord>

/** Which start of the machine this is: Linux names it; elsewhere the time of it does, to the minute. */
function findBoot(clock: () => number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return new Date(Math.round((clock() / 1000 - uptime()) / 60) * 60_000).toISOString()
  }
}

const thisProcess = (clock: () => number): Holder => ({
  pid: process.pid,
  host: hostname(),
  boot: findBoot(clock),
  since: new Date(clock()).toISOString(),
})

/** Who holds a lock, in words: processes of two containers may have one number, so host and boot tell them apart. */
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
 * Claims a file by a lock folder next to it (`state.json.lock`), whose time its holder renews every second. That holds
 * across containers and machines, where a process number says nothing. A lock that nobody renews is taken over after
 * three seconds. Who holds it is written to `state.json.holder`.
 *
 * @throws {SetupError} when somebody else, this process included, holds it.
 */
export async function acquireLock(file: string, clock: () => number = Date.now): Promise<Lock> {
  // Loaded by those who keep state in a file.
  const { default: lockfile } = await import('proper-lockfile')
  const holderFile = `${file}.holder`
  let lost: Error | undefined
  const onCompromised = (cause: Error): void => {
    lost = new Error(
      `This mock lost its lock on ${file}: it was stopped for more than ${STALE / 1000} seconds, or the lock was deleted. Nothing is written from now on. Restart it.`,
      { cause },
    )
  }
  const options = { realpath: false, stale: STALE, update: SIGN_OF_LIFE, retries: TRIES, onCompromised }
  const release = await lockfile.lock(file, options).catch(async (fault: unknown) => {
    if (findErrorCode(fault) !== 'ELOCKED') throw fault
    throw new SetupError(
      `The state file ${file} is in use by ${await describeHolder(holderFile)}. Stop that mock, or give this one a file of its own.`,
      { cause: fault },
    )
  })
  await writeFile(holderFile, JSON.stringify(thisProcess(clock)))
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
function createWholeFile({
  given,
  file,
  mode,
  lock,
}: {
  /** The path as the user gave it. */
  readonly given: string
  readonly file: string
  readonly mode: number
  readonly lock: Lock
}): WholeFile {
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
