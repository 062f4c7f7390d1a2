import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SetupError } from '../errors.ts'
import type { RecordingFolder } from '../proxy/recorder.ts'
import { findErrorCode } from '../util/error-code.ts'

const isMissing = (fault: unknown): boolean => findErrorCode(fault) === 'ENOENT'

function refuse(folder: string, cause: unknown): SetupError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new SetupError(
    `--record is ${JSON.stringify(folder)}, which cannot be used: ${reason}. Give another folder.`,
    {
      cause,
    },
  )
}

/** Opens a folder to record into; it is made when something is written. */
export function openRecordingFolder(folder: string): RecordingFolder {
  /** What is not there yet is nothing. */
  async function found<T>(reading: Promise<T>, nothing: T): Promise<T> {
    try {
      return await reading
    } catch (fault) {
      if (isMissing(fault)) return nothing
      throw refuse(folder, fault)
    }
  }

  return {
    read: (path) => found<string | undefined>(readFile(join(folder, path), 'utf8'), undefined),
    list: () => found<readonly string[]>(readdir(folder), []),
    async write(path, text) {
      const file = join(folder, path)
      // Hidden, so that --fixtures and --watch do not look at what is half written.
      const temporary = join(dirname(file), `.${path.split('/').at(-1)}.tmp`)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(temporary, text)
      await rename(temporary, file)
    },
  }
}
