import { open, rename, rm, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findErrorCode } from '../util/error-code.ts'

/** Opens a file for reading; undefined if it does not exist. */
export async function findFile(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r')
  } catch (fault) {
    if (findErrorCode(fault) === 'ENOENT') return undefined
    throw fault
  }
}

/** Makes a rename survive a power cut. On Windows, where a folder cannot be opened, the file system does so itself. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Writes a new file next to the one it replaces: opened for writing, and on the disk. */
export async function replaceFile(file: string, text: string | Iterable<string>, mode: number): Promise<FileHandle> {
  const temporary = `${file}.tmp`
  // Always a new file: one of that name may be a link to somebody's file.
  await rm(temporary, { force: true })
  const handle = await open(temporary, 'wx', mode)
  try {
    await writeFile(handle, text)
    await handle.sync()
    await rename(temporary, file)
  } catch (fault) {
    await handle.close()
    // On a full disk every byte counts.
    await rm(temporary, { force: true })
    throw fault
  }
  await syncFolder(dirname(file))
  return handle
}
