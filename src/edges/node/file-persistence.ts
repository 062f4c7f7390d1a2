import { fsync } from 'node:fs'
import { mkdir, open, readFile, readdir, readlink, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { SetupError, findErrorCode, toMessage } from '../../errors.ts'
import type { Persistence } from '../../service/state/kept-state.ts'

/** A lock expires after this many milliseconds without renewal. Its holder renews it every second. */
const STALE = 3_000
const SIGN_OF_LIFE = 1_000

/** Retries for a lock that is held: long enough for a dead process's lock to expire. */
const TRIES = { retries: 20, factor: 1, minTimeout: 250, maxTimeout: 250 }

/**
 * Locks a file with a folder next to it (`state.json.lock`) whose timestamp the holder renews every second. Unlike a PID,
 * this works across containers and machines.
 *
 * @throws {SetupError} if the file is already locked, even by this process.
 */
async function acquireLock(file: string) {
  // Loaded only if state is kept in a file.
  const { default: lockfile } = await import('proper-lockfile')
  let lost: Error | undefined
  const onCompromised = (cause: Error): void => {
    lost = new Error(
      `the mock lost its lock: it was suspended for more than ${STALE / 1000} seconds, or the lock was deleted. Nothing more is saved. Restart the mock.`,
      { cause },
    )
  }
  const options = { realpath: false, stale: STALE, update: SIGN_OF_LIFE, retries: TRIES, onCompromised }
  const release = await lockfile.lock(file, options).catch((fault: unknown) => {
    if (findErrorCode(fault) !== 'ELOCKED') throw fault
    throw new SetupError(
      `The state file ${file} is in use by another mock. Stop that mock, or use another file for this one.`,
      { cause: fault },
    )
  })
  return {
    /** @throws {Error} once another process may hold the lock, for example after this process was suspended. */
    expectHeld(): void {
      if (lost !== undefined) throw lost
    },
    release: async () => (lost === undefined ? release() : undefined),
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
  EBUSY: 'it is mounted by itself, so it cannot be replaced. Mount its folder instead',
}

/** Says what a system error means for a state file, and what to do. */
function toFileError(fault: unknown): unknown {
  const reason = REASONS[findErrorCode(fault) ?? '']
  if (reason === undefined) return fault
  return new Error(`${reason}. Point --persist at a file in an existing folder that you can write to.`, {
    cause: fault,
  })
}

/** Returns undefined for a file or folder that does not exist. */
async function findFileIn<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  return reading.catch((fault: unknown) => {
    if (findErrorCode(fault) === 'ENOENT') return undefined
    throw fault
  })
}

/** The file that a symbolic link leads to, even if that file does not exist yet. */
async function findLinkTarget(file: string): Promise<string> {
  const target = await readlink(file).catch(() => undefined)
  return target === undefined ? file : findLinkTarget(resolve(dirname(file), target))
}

// The handles of Yarn Plug'n'Play do not implement `sync`.
const sync = ({ fd }: FileHandle): Promise<void> => promisify(fsync)(fd)

/**
 * Makes a rename survive a power failure. On Windows, where a folder cannot be opened, the file system does that itself.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  if (handle !== undefined) await sync(handle).catch(() => undefined)
  await handle?.close()
}

/** Replaces a file atomically: writes a new one next to it, flushes it to disk, and renames it. */
async function replaceFile(file: string, pieces: Iterable<string | Uint8Array>, mode: number): Promise<void> {
  const temporary = `${file}.tmp`
  // Always creates a new file: an existing one of that name may be a link to an unrelated file.
  await rm(temporary, { force: true })
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const piece of pieces) await handle.writeFile(piece)
      await sync(handle)
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (fault) {
    // Frees the space: the disk may be full.
    await rm(temporary, { force: true })
    throw fault
  }
  await syncFolder(dirname(file))
}

/**
 * Opens a state file. It is replaced as a whole, so it is never half written. Next to it, `.images` is a folder with a file
 * for each image, and `.journal` has the journals of the last run.
 *
 * lowdb's own `TextFile` also replaces a file by renaming, but does not call fsync first: after a power failure the file
 * could be empty although its writes were acknowledged.
 *
 * @throws {SetupError} if the file cannot be read and written, or another process holds it.
 */
export async function openFilePersistence(path: string): Promise<FilePersistence> {
  /** @throws {SetupError} instead of a system error. */
  const setUp = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((cause: unknown) => {
      if (cause instanceof SetupError) throw cause
      throw new SetupError(`Cannot use the state file ${path}: ${toMessage(toFileError(cause))}`, { cause })
    })

  // A symbolic link is kept: its target is replaced.
  const file = await findLinkTarget(resolve(path))
  // Checked here because the lock would retry for five seconds.
  await setUp(stat(dirname(file)))
  const found = await setUp(findFileIn(stat(file)))
  const lock = await setUp(acquireLock(file))
  const mode = found?.mode ?? 0o666
  const folder = `${file}.images`
  const journal = `${file}.journal`

  return {
    name: `The state file ${path}`,
    async read() {
      const bytes = await setUp(findFileIn(readFile(file)))
      try {
        return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      } catch {
        throw new SetupError(
          `Cannot read the state file ${path}: it is not UTF-8 text of at most 512 MB. The file is unchanged. Point --persist at another file.`,
        )
      }
    },
    async write(text) {
      lock.expectHeld()
      await replaceFile(file, [text], mode).catch((fault: unknown) => {
        throw toFileError(fault)
      })
    },
    images: {
      async read() {
        const images = new Map<string, Uint8Array<ArrayBuffer>>()
        for (const name of (await findFileIn(readdir(folder))) ?? [])
          // oxlint-disable-next-line no-await-in-loop -- one file at a time
          images.set(name, new Uint8Array(await readFile(join(folder, name))))
        return images
      },
      async write(name, bytes) {
        lock.expectHeld()
        await mkdir(folder, { recursive: true })
        await replaceFile(join(folder, name), [bytes], mode)
      },
      remove: async (name) => rm(join(folder, name), { force: true }),
    },
    journal: {
      async read(each) {
        const handle = await findFileIn(open(journal))
        // It may be longer than the longest string.
        if (handle !== undefined) for await (const line of handle.readLines()) each(line)
      },
      async replace(lines) {
        lock.expectHeld()
        await replaceFile(journal, lines, mode)
      },
    },
    close: lock.release,
  }
}
