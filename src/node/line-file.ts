import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Lines } from '../state/state-adapter.ts'
import { findFile, replaceFile } from './replace-file.ts'

async function writeAll(to: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    // oxlint-disable-next-line no-await-in-loop -- a full disk takes a part of it
    written += (await to.write(bytes, written, bytes.length - written, position + written)).bytesWritten
  }
}

/** How much of a file is read at a time. */
const CHUNK = 256 * 1024

const LINE_BREAK = 10

/**
 * Reads whole lines without their line breaks, a chunk at a time: together they may be longer than any string.
 *
 * @returns how many bytes they have with their line breaks
 */
async function readLines(from: FileHandle, each: (line: string) => void): Promise<number> {
  let whole = 0
  /** The line that has not ended yet. No chunk is decoded by itself: it may end in the middle of a character. */
  let begun: Buffer[] = []
  for (let position = 0; ;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
    const { bytesRead, buffer } = await from.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position)
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

interface LineFileParts {
  readonly file: string
  readonly mode: number
  /**
   * Whether the file that the lines continue is there.
   *
   * @throws {Error} if another program has changed it.
   */
  readonly isOwn: () => Promise<boolean>
}

/** Lines at the end of a file, each on the disk before it counts. */
export function createLineFile({ file, mode, isOwn }: LineFileParts): Lines & { close(): Promise<void> } {
  let handle: FileHandle | undefined
  let length = 0

  async function close(): Promise<void> {
    await handle?.close()
    handle = undefined
  }

  /** Removes what a failed write left, so that the next line begins where the last one ended. */
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
        await handle.datasync()
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
