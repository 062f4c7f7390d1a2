import { startServerOf } from '../node/server.ts'
import { createUpstreamClient } from '../node/upstream-client.ts'
import { createProxy } from '../proxy/proxy.ts'
import { openRecorder } from '../proxy/recorder.ts'
import type { ProxySettings } from './proxy-options.ts'
import { openRecordingFolder } from './recording-folder.ts'
import { serve } from './serve.ts'

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
