import { Console } from 'node:console'
import { relative } from 'node:path'
import type { AuthMode } from '../../service/auth/authenticate.ts'
import { SetupError } from '../../errors.ts'
import type { RequestLog } from '../../sessions/journal/record.ts'
import { readFileBytes, readFolder } from '../node/folder.ts'

import { startServer } from '../node/server.ts'
import type { RunningServer } from '../node/server.ts'
import type { ServerOptions, Settings } from '../../app/options/options.ts'
import { parseNames } from '../../service/scenarios/engine.ts'
import { createLineWriter, createLog, KEY_CORRELATION_ID, wantsColour } from './log.ts'
import type { Log } from './log.ts'
import { watchParents } from './parents.ts'
import { handleSignals } from './signals.ts'

async function readTls({ tlsCert, tlsKey }: Partial<Settings>): Promise<ServerOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    const [passed, missing] = tlsCert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key']
    throw new SetupError(`${passed} requires ${missing}. HTTPS needs both: add ${missing}.`)
  }
  const [cert, key] = [await readFileBytes(tlsCert, '--tls-cert'), await readFileBytes(tlsKey, '--tls-key')]
  return { cert: cert.toString(), key: key.toString() }
}

/** Imports Redis only if it is used. */
async function openStore(url: string, wait: number | undefined): Promise<ServerOptions['store']> {
  const { redisStore } = await import('../redis/redis-store.ts')
  return redisStore({ url, ...(wait === undefined ? {} : { wait }) })
}

/**
 * Reads the files that the settings refer to and returns the server options.
 *
 * @throws {SetupError} if a file cannot be read, or if only one of --tls-cert and --tls-key is set.
 */
export async function toServerOptions(settings: Partial<Settings>): Promise<ServerOptions> {
  const {
    tlsCert: _cert,
    tlsKey: _key,
    log: _log,
    open: _open,
    detach: _detach,
    watch,
    store,
    storeWait,
    fixtures,
    scenarios,
    ...same
  } = settings
  if (store !== undefined && watch === true) {
    throw new SetupError(
      '--watch and --store are mutually exclusive: mocks that share a store keep their initial fixtures. Remove one.',
    )
  }
  return {
    ...same,
    store: store === undefined ? undefined : await openStore(store, storeWait),
    fixtures: fixtures === undefined ? undefined : await readFolder('fixtures', fixtures),
    scenarios: scenarios === undefined ? undefined : await readFolder('scenarios', scenarios),
    tls: await readTls(settings),
  }
}

const AUTH: Readonly<Record<AuthMode, string>> = {
  off: 'Auth is off: no token needed',
  lenient: 'Auth is lenient: any bearer token works',
  strict: 'Auth is strict: only issued tokens work, and tokens that spell out scopes, such as view_test:acme',
}

function describeScenarios(scenario: Settings['scenario'] = []): string {
  const names = parseNames(scenario.join(','))
  return names.length === 0 ? 'No active scenarios' : `Active scenarios: ${names.join(', ')}`
}

function describeFixtures(folder: string | undefined, texts: ServerOptions['fixtures'] = {}): string {
  if (folder === undefined) return 'Built-in fixtures'
  const count = Object.keys(texts).length
  const there = `${relative(process.cwd(), folder) || '.'}/`
  return `Fixtures from ${there} (${count === 1 ? '1 file' : `${count} files`})`
}

const isLoopback = (host: string): boolean => /^(?:localhost|.+\.localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host)

/** Warns about combinations of settings that may surprise the user. */
export function findNotes(settings: Partial<Settings>): readonly string[] {
  const { host = '127.0.0.1', adminToken, watch, fixtures, scenarios, open, admin } = settings
  const notes: string[] = []
  if (!isLoopback(host) && adminToken === undefined)
    notes.push('The admin API only accepts requests from this machine. To use it from others, set --admin-token.')
  if (watch === true && fixtures === undefined && scenarios === undefined)
    notes.push('--watch has no effect without --fixtures or --scenarios. Add one of them, or remove --watch.')
  if (open === true && admin === false)
    notes.push('--open has no effect with --no-admin, which turns off the dashboard. Remove one of them.')
  return notes
}

/** The path of a health check, after any session and mount. */
const HEALTH_PROBE = /\/__admin\/health(?:\/(?:live|ready))?(?=\?|$)/

/**
 * Keeps requests out of the log that nobody wants to read there: those sent by keys in the terminal, and health checks,
 * unless their status has changed. While the mock shuts down, their 503 is expected.
 */
function createFilter(hasKeys: boolean, isEnding: () => boolean): (entry: RequestLog) => boolean {
  const statuses = new Map<string, number>()
  return function isLogged({ correlationId, target, status }) {
    if (hasKeys && correlationId === KEY_CORRELATION_ID) return false
    const [probe] = HEALTH_PROBE.exec(target) ?? []
    if (probe === undefined) return true
    const before = statuses.get(probe) ?? 200
    statuses.set(probe, status)
    return status !== before && !isEnding()
  }
}

/**
 * Runs a server until a signal, a key or the admin API stops it. In-flight requests finish and the state is saved to disk;
 * the exit status is 0.
 *
 * @throws {SetupError} or {ListenError} if it cannot start.
 */
export async function runServer(
  settings: Partial<Settings>,
  start: (options: ServerOptions, log: Log) => Promise<RunningServer>,
): Promise<void> {
  const { stdin, stdout, stderr } = process
  const hasKeys = settings.admin !== false && stdin.isTTY && stderr.isTTY && process.env['TERM'] !== 'dumb'
  const writer = createLineWriter(stderr, (lines) =>
    log.warn(`Dropped ${lines} log lines because standard error was not read fast enough.`),
  )
  const log = createLog({
    kind: settings.log ?? (stderr.isTTY ? 'pretty' : 'json'),
    colour: wantsColour(process.env, stderr.isTTY),
    writer,
    now: () => new Date().toISOString(),
  })
  process.on('exit', writer.flush)
  // Standard output contains only the ready line, for programs that wait for it, even if a library prints.
  globalThis.console = new Console(stderr, stderr)

  let isEnding = false
  const isLogged = createFilter(hasKeys, () => isEnding)
  const { request: logRequest } = log
  const options = await toServerOptions(settings)
  const running: ServerOptions = {
    ...options,
    lightweightGlobals: true,
    ...(logRequest && { onRequest: (entry) => void (isLogged(entry) && logRequest(entry)) }),
    onFault: log.fault,
    onNotice: log.warn,
    onShutdown: end,
  }
  const server = await start(running, log).catch(async (fault: unknown) => {
    const { describeOccupant } = await import('./occupant.ts')
    throw (await describeOccupant(fault, settings, options)) ?? fault
  })

  const raise = handleSignals(end)

  function end(): void {
    if (isEnding) return
    isEnding = true
    const { drain = 0 } = settings
    if (drain > 0)
      log.note?.(`Shutting down: /__admin/health/ready returns 503, and requests are served for ${drain} ms.`)
    void finish(server)
  }

  if (settings.detach !== true) {
    // Awaited before the mock reports that it is ready: a script may kill npm as soon as it reads that.
    await watchParents(process.env, () => {
      log.warn('The program that started the mock has ended, so the mock ends too. To keep it running, add --detach.')
      end()
    })
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

  // The parent process may stop reading once the mock is ready.
  stdout.on('error', () => undefined)
  stdout.write(`Listening on port ${server.port} (${server.url})\n`)
  for (const note of findNotes(settings)) log.note?.(note)
  if (settings.open === true && settings.admin !== false) {
    const { openDashboard } = await import('./terminal.ts')
    openDashboard(server.url, settings.adminToken)
  }

  if (hasKeys) {
    const { openTerminal } = await import('./terminal.ts')
    const { adminToken } = settings
    openTerminal({ stdin, stderr, writer, log, server, adminToken, onQuit: end, onInterrupt: () => raise('SIGINT') })
  }
  const folders = new Map([
    ...(settings.fixtures === undefined ? [] : [['fixtures', settings.fixtures] as const]),
    ...(settings.scenarios === undefined ? [] : [['scenarios', settings.scenarios] as const]),
  ])
  if (settings.watch === true && folders.size > 0) {
    const { watch } = await import('./watch.ts')
    await watch({ folders, first: options, mock: server.mock, log })
  }
}

/** Runs the mock until the process exits, as {@link runServer} does. */
export const runMock = (settings: Partial<Settings>): Promise<void> =>
  runServer(settings, async (options, log) => {
    const server = await startServer(options)
    const about = [
      describeScenarios(settings.scenario),
      describeFixtures(settings.fixtures, options.fixtures),
      AUTH[settings.auth ?? 'lenient'],
      ...(settings.passthrough === undefined ? [] : [`Other paths are forwarded to ${settings.passthrough}`]),
      ...(settings.admin === false ? [] : [`Dashboard: ${server.url}/__admin`]),
    ]
    log.note?.(about.join('. '))
    return server
  })
