import { Console } from 'node:console'
import { startServer } from '../node/server.ts'
import { createLineWriter } from './line-writer.ts'
import { createLog } from './log.ts'
import { wantsColour } from './log-pretty.ts'
import type { Settings } from './options.ts'
import { toServerOptions } from './server-options.ts'
import { handleSignals } from './signals.ts'

/**
 * Runs the mock until a signal ends the process: in-flight requests finish, the state is on disk, status 0.
 *
 * @throws {SetupError} or {ListenError} when it cannot start.
 */
export async function serve(settings: Settings): Promise<void> {
  const { stdout, stderr } = process
  const writer = createLineWriter(stderr)
  const log = createLog({
    kind: settings.log ?? (stderr.isTTY ? 'pretty' : 'json'),
    colour: wantsColour(process.env, stderr.isTTY),
    writer,
    now: () => new Date().toISOString(),
  })
  process.on('exit', writer.flush)
  // Standard output carries the ready line alone, for whoever waits for it; what a library prints is no part of it.
  globalThis.console = new Console(stderr, stderr)

  const server = await startServer({
    ...(await toServerOptions(settings)),
    lightweightGlobals: true,
    ...(log.request === undefined ? {} : { onRequest: log.request }),
    onFault: log.fault,
  })

  process.on('uncaughtException', (fault) => log.fault(fault))
  process.on('unhandledRejection', (fault) => log.fault(fault))
  handleSignals({
    onEnd: () => void end(),
    onAbort: (status) => process.exit(status),
  })

  async function end(): Promise<void> {
    let status = 0
    try {
      await server.close()
    } catch (fault) {
      log.fault(fault)
      status = 1
    }
    await writer.drain()
    process.exit(status)
  }

  // Whoever started the mock may stop reading once it is ready.
  stdout.on('error', () => undefined)
  stdout.write(`Listening on port ${server.port} (${server.url})\n`)
}
