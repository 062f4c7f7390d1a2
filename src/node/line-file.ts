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
    async read() {
      const found = await findFile(file)
      try {
        return await found?.readFile('utf8')
      } finally {
        await found?.close()
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
    async resume(lines) {
      await close()
      handle = await open(file, 'r+')
      length = Buffer.byteLength(lines)
      await handle.truncate(length)
    },
    async replace(lines) {
      await close()
      handle = await replaceFile(file, lines, mode)
      length = Buffer.byteLength(lines)
    },
    async remove() {
      await close()
      await rm(file, { force: true })
    },
    close,
  }
}
