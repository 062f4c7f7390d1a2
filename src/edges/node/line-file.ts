import { fdatasync, fsync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { findErrorCode } from '../../errors.ts'
import type { Lines } from '../../service/state/kept-state.ts'

/** Opens a file for reading; undefined if it does not exist. */
export async function findFile(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r')
  } catch (fault) {
    if (findErrorCode(fault) === 'ENOENT') return undefined
    throw fault
  }
}

// The handles of Yarn Plug'n'Play do not implement `sync` and `datasync`, nor `writeFile` of an iterable.
const sync = ({ fd }: FileHandle): Promise<void> => promisify(fsync)(fd)

/**
 * Makes a rename survive a power failure. On Windows, where a folder cannot be opened, the file system does that itself.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  if (handle !== undefined) await sync(handle).catch(() => undefined)
  await handle?.close()
}

async function writeAll(to: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    // oxlint-disable-next-line no-await-in-loop -- a full disk may accept only part of the bytes
    written += (await to.write(bytes, written, bytes.length - written, position + written)).bytesWritten
  }
}

/** Writes a new file next to the one it replaces and flushes it to disk. The handle stays open for writing. */
export async function replaceFile(file: string, text: string | Iterable<string>, mode: number): Promise<FileHandle> {
  const temporary = `${file}.tmp`
  // Always creates a new file: an existing one of that name may be a link to an unrelated file.
  await rm(temporary, { force: true })
  const handle = await open(temporary, 'wx', mode)
  try {
    let length = 0
    for (const piece of typeof text === 'string' ? [text] : text) {
      const bytes = Buffer.from(piece)
      await writeAll(handle, bytes, length)
      length += bytes.length
    }
    await sync(handle)
    await rename(temporary, file)
  } catch (fault) {
    await handle.close()
    // Frees the space: the disk may be full.
    await rm(temporary, { force: true })
    throw fault
  }
  await syncFolder(dirname(file))
  return handle
}

/** Chunk size for reading, in bytes. */
const READ_SIZE = 256 * 1024

const LINE_BREAK = 10

/**
 * Reads complete lines without their line breaks, a chunk at a time, because the file may be longer than the longest
 * string.
 *
 * @returns the length of these lines in bytes, with line breaks
 */
async function readLines(from: FileHandle, each: (line: string) => void): Promise<number> {
  let whole = 0
  /** The current incomplete line. It is decoded as a whole because a chunk may end in the middle of a character. */
  let begun: Buffer[] = []
  for (let position = 0; ;) {
    // oxlint-disable-next-line no-await-in-loop -- chunks are read in order
    const { bytesRead, buffer } = await from.read(Buffer.allocUnsafe(READ_SIZE), 0, READ_SIZE, position)
    if (bytesRead === 0) return whole
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    let start = 0
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, start)) {
      const line = Buffer.concat([...begun, chunk.subarray(start, end)])
      begun = []
      start = end + 1
      whole += line.length + 1
      each(line.toString('utf8'))
    }
    if (start < bytesRead) begun.push(chunk.subarray(start))
  }
}

/** Appends lines to a file and flushes each one to disk. */
export function createLineFile(parts: {
  readonly file: string
  readonly mode: number
  /**
   * Whether the state file that the lines continue exists.
   *
   * @throws {Error} if another program has changed it.
   */
  readonly isOwn: () => Promise<boolean>
}): Lines & { close(): Promise<void> } {
  const { file, mode, isOwn } = parts
  let handle: FileHandle | undefined
  let length = 0

  async function close(): Promise<void> {
    await handle?.close()
    handle = undefined
  }

  /** Removes the remains of a failed write, so that the next line starts after the last complete one. */
  async function cutOff(to: FileHandle): Promise<void> {
    try {
      await to.truncate(length)
    } catch {
      await close()
    }
  }

  return {
    async read(each) {
      const found = await findFile(file)
      if (found === undefined) return false
      try {
        length = await readLines(found, each)
        return true
      } finally {
        await found.close()
      }
    },
    async append(lines) {
      if (!(await isOwn()) || handle === undefined) return false
      const bytes = Buffer.from(lines)
      try {
        await writeAll(handle, bytes, length)
        await promisify(fdatasync)(handle.fd)
      } catch (fault) {
        await cutOff(handle)
        throw fault
      }
      length += bytes.length
      return true
    },
    async resume() {
      await close()
      handle = await open(file, 'r+')
      await handle.truncate(length)
    },
    async replace(lines) {
      await isOwn()
      await close()
      handle = await replaceFile(file, lines, mode)
      length = (await handle.stat()).size
    },
    async remove() {
      await close()
      await rm(file, { force: true })
    },
    close,
  }
}
