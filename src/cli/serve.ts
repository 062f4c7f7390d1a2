import { Console } from 'node:console'
import { startServer } from '../node/server.ts'
import type { RunningServer } from '../node/server.ts'
import type { MockOptions, ServerOptions, Settings } from '../options/options.ts'
import { createLineWriter, createLog, wantsColour } from './log.ts'
import type { Log } from './log.ts'
import { foldersOf, toServerOptions } from './server-options.ts'
import { handleSignals } from './signals.ts'
import { describeStart, findNotes } from './start-notes.ts'
import { isMadeByKey } from './terminal/menu.ts'

/** Requests that the terminal's own keys make are no line of the log. */
function toOnRequest({ request }: Log, hasKeys: boolean): Pick<MockOptions, 'onRequest'> {
  if (request === undefined || !hasKeys) return request === undefined ? {} : { onRequest: request }
  return {
    onRequest(entry) {
      if (!isMadeByKey(entry)) request(entry)
    },
  }
}

/** Starts what is run. */
export type Start = (options: ServerOptions, log: Log) => Promise<RunningServer>

const toStartMock =
  (settings: Partial<Settings>): Start =>
  async (options, log) => {
    const server = await startServer(options)
    log.note?.(describeStart(settings, options, server.url))
    return server
  }

/**
 * Runs the mock until a signal, a key or the admin API ends the process: in-flight requests finish, the state is on disk,
 * status 0.
 *
 * @throws {SetupError} or {ListenError} when it cannot start.
 */
export async function serve(settings: Partial<Settings>, start: Start = toStartMock(settings)): Promise<void> {
  const { stdin, stdout, stderr } = process
  const hasKeys = settings.admin !== false && stdin.isTTY && stderr.isTTY && process.env['TERM'] !== 'dumb'
  const writer = createLineWriter(stderr, (lines) =>
    log.warn(`${lines} log lines were dropped: nothing read standard error fast enough.`),
  )
  const log = createLog({
    kind: settings.log ?? (stderr.isTTY ? 'pretty' : 'json'),
    colour: wantsColour(process.env, stderr.isTTY),
    writer,
    now: () => new Date().toISOString(),
  })
  process.on('exit', writer.flush)
  // Standard output has only the ready line, for programs that wait for it, and nothing that a library prints.
  globalThis.console = new Console(stderr, stderr)

  const options = await toServerOptions(settings)
  const running: ServerOptions = {
    ...options,
    lightweightGlobals: true,
    ...toOnRequest(log, hasKeys),
    onFault: log.fault,
    onNotice: log.warn,
    onShutdown: end,
  }
  const server = await start(running, log)

  const raise = handleSignals({
    onEnd: end,
    onAbort: (status) => process.exit(status),
  })

  let isEnding = false
  function end(): void {
    if (!isEnding) void finish(server)
    isEnding = true
  }

  async function finish({ close }: RunningServer): Promise<void> {
    let status = 0
    try {
      await close()
    } catch (fault) {
      log.fault(fault)
      status = 1
    }
    await writer.drain()
    process.exit(status)
  }

  // The process that started the mock may stop reading once it is ready.
  stdout.on('error', () => undefined)
  stdout.write(`Listening on port ${server.port} (${server.url})\n`)
  for (const note of findNotes(settings)) log.note?.(note)
  if (settings.open === true && settings.admin !== false) {
    const { openDashboard } = await import('./terminal/browser.ts')
    openDashboard(server.url, settings.adminToken)
  }

  if (hasKeys) {
    const { openTerminal } = await import('./terminal/terminal.ts')
    const { adminToken } = settings
    openTerminal({ stdin, stderr, writer, log, server, adminToken, onQuit: end, onInterrupt: () => raise('SIGINT') })
  }
  const folders = foldersOf(settings)
  if (settings.watch === true && folders.size > 0) {
    const { watch } = await import('./watch.ts')
    await watch({ folders, first: options, mock: server.mock, log })
  }
}
