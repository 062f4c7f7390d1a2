import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SetupError } from '../errors.ts'
import { findErrorCode } from '../util/error-code.ts'
import { startServerOf } from '../node/server.ts'
import { createUpstreamClient } from '../node/upstream-client.ts'
import { createProxy } from '../proxy/proxy.ts'
import { openRecorder } from '../proxy/recorder.ts'
import type { RecordingFolder } from '../proxy/recorder.ts'
import { serve } from './serve.ts'
import type { ProxySettings } from './proxy-options.ts'

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

/**
 * Runs the proxy as {@link serve} runs the mock; what was recorded is written before the process ends.
 *
 * @throws {SetupError} or {ListenError} when it cannot start.
 */
export async function runProxy(
  upstream: string,
  { record, fallback, timeout, ...settings }: ProxySettings,
): Promise<void> {
  await serve(settings, async (options, log) => {
    const onFault = (fault: unknown) => log.fault(fault)
    const recorder =
      record === undefined
        ? undefined
        : await openRecorder({
            folder: openRecordingFolder(record),
            name: record,
            redact: settings.redact ?? [],
            onFault,
          })
    const own = {
      upstream,
      timeout,
      fallback,
      client: createUpstreamClient(),
      ...(recorder === undefined ? {} : { recorder }),
    }
    // The platform's own classes: they are handed to its `fetch`.
    const server = await startServerOf((rest) => createProxy({ ...rest, ...own }), {
      ...options,
      lightweightGlobals: false,
    })
    log.note?.(`Forwarding to ${upstream}`)
    return {
      ...server,
      async close() {
        await server.close()
        await recorder?.flush()
      },
    }
  })
}
