import { readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFolder, decodeText } from '../../node/folder.ts'
import { options } from '../../../app/options/table.ts'
import { SetupError, findErrorCode, toMessage } from '../../../errors.ts'
import type { Options } from '../../../app/options/option.ts'
import * as values from '../../../app/options/option.ts'
import type { RecordingFolder } from '../../../tools/proxy/recorder.ts'
import { defineCommand } from '../settings.ts'

const { port, host, tlsCert, tlsKey, fixtures, identity, cors, journal, redact, memory } = options
const { maxSessions, sessionTtl, admin, adminToken, adminOrigins, drain, detach, log } = options

/** The options specific to the proxy; configuration files cannot set them. */
export const proxyOptions = {
  record: {
    flag: '--record <dir>',
    about: 'write recorded responses as fixtures, for --fixtures',
    value: values.path,
  },
  fallback: {
    flag: '--fallback',
    default: false,
    about: 'respond from the mock if the service is down or lacks a path',
    value: values.onOrOff,
  },
  timeout: {
    flag: '--timeout <time>',
    default: '30s',
    about: 'timeout for responses from the service',
    value: values.duration({ min: 1 }),
  },
} as const satisfies Options

/** Opens a folder for recordings; the first write creates it. */
export function openRecordingFolder(folder: string): RecordingFolder {
  async function readOr<T>(absent: T, reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (fault) {
      if (findErrorCode(fault) === 'ENOENT') return absent
      if (fault instanceof SetupError) throw fault
      throw new SetupError(
        `--record is ${JSON.stringify(folder)}, which cannot be used: ${toMessage(fault)}. Use another folder.`,
        { cause: fault },
      )
    }
  }

  return {
    read: (path) =>
      readOr<string | undefined>(
        undefined,
        readFile(join(folder, path)).then((bytes) => decodeText(bytes, join(folder, path))),
      ),
    list: () => readOr<readonly string[]>([], readdir(folder)),
    async write(path, text) {
      const file = join(folder, path)
      // A dotfile, so that --fixtures and --watch ignore a partially written file.
      const temporary = join(dirname(file), `.${path.split('/').at(-1)}.tmp`)
      await createFolder(dirname(file))
      await writeFile(temporary, text)
      await rename(temporary, file)
    },
  }
}

export const proxy = defineCommand({
  name: 'proxy',
  summary: 'forward to a service and check both sides against the contract',
  description:
    'Forwards every request to a service. If a request or a response violates the contract, the Sl-Violations header and the log describe the violation.',
  argument: { syntax: '<url>', about: 'base URL of the service' },
  options: {
    ...proxyOptions,
    port,
    host,
    tlsCert,
    tlsKey,
    fixtures,
    identity,
    cors,
    journal,
    redact,
    memory,
    maxSessions,
    sessionTtl,
    admin,
    adminToken,
    adminOrigins,
    drain,
    detach,
    log,
  },
  hasConfig: true,
  isServer: true,
  async run({ record, fallback, timeout, ...settings }, { argument: upstream }) {
    const { startServerOf } = await import('../../node/server.ts')
    const { createHttpClient } = await import('../../node/http-client.ts')
    const { createProxy } = await import('../../../tools/proxy/proxy.ts')
    const { createDifferences } = await import('../../../tools/proxy/proxied-request.ts')
    const { DIFFERENCES } = await import('../../../tools/verify/report.ts')
    const { openRecorder } = await import('../../../tools/proxy/recorder.ts')
    const { runServer } = await import('../server.ts')
    await runServer(settings, async (serverOptions, log) => {
      const recorder =
        record === undefined
          ? undefined
          : await openRecorder({
              folder: openRecordingFolder(record),
              name: record,
              redact: settings.redact ?? [],
              onFault: (fault) => log.fault(fault),
            })
      const differences = createDifferences()
      const own = {
        upstream,
        timeout,
        fallback,
        client: createHttpClient(),
        differences,
        ...(recorder && { recorder }),
      }
      // The platform's native classes, since requests are passed to its `fetch`.
      const server = await startServerOf((rest) => createProxy({ ...rest, ...own }), {
        ...serverOptions,
        lightweightGlobals: false,
      })
      log.note?.(`Forwarding to ${upstream}`)
      return {
        ...server,
        async close() {
          await server.close()
          await recorder?.flush()
          const lines = differences.toLines()
          if (lines.length > 0) log.note?.([`${DIFFERENCES}:`, ...lines].join('\n'))
        },
      }
    })
  },
})
