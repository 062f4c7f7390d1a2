import { spawn } from 'node:child_process'
import { Console } from 'node:console'
import { relative } from 'node:path'
import type { AuthMode } from '../../service/auth/authenticate.ts'
import { SetupError } from '../../errors.ts'
import type { LogLine } from '../../sessions/journal/record.ts'
import { readFileBytes, readFolder } from '../node/folder.ts'

import { startServer } from '../node/server.ts'
import type { RunningServer } from '../node/server.ts'
import type { ServerOptions, Settings } from '../../app/options/options.ts'
import { parseNames } from '../../service/http/control-headers.ts'
import { createLineWriter, createLog, wantsColour } from './log.ts'
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
 * Keeps health checks out of the log, unless their status has changed. While the mock shuts down, their 503 is expected.
 */
function createFilter(isEnding: () => boolean): (entry: LogLine) => boolean {
  const statuses = new Map<string, number>()
  return function isLogged({ target, status }) {
    const [probe] = HEALTH_PROBE.exec(target) ?? []
    if (probe === undefined) return true
    const before = statuses.get(probe) ?? 200
    statuses.set(probe, status)
    return status !== before && !isEnding()
  }
}

/** The command that opens a URL on this platform; undefined without a display. */
export function findOpener(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly [command: string, ...args: string[]] | undefined {
  if (platform === 'darwin') return ['open']
  // Not `start`: cmd would parse the URL as part of the command line.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => display !== undefined && display !== '')
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens the mock's dashboard in the user's browser, if available, with the admin token. The URL is also logged. */
function openDashboard(url: string, adminToken: string | undefined): void {
  const opener = findOpener(process.platform, process.env)
  if (opener === undefined) return
  const [command, ...args] = opener
  const query = adminToken === undefined ? '' : `?token=${encodeURIComponent(adminToken)}`
  const child = spawn(command, [...args, `${url}/__admin${query}`], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

/**
 * Runs a server until a signal or the admin API stops it. In-flight requests finish and the state is saved to disk;
 * the exit status is 0.
 *
 * @throws {SetupError} or {ListenError} if it cannot start.
 */
export async function runServer(
  settings: Partial<Settings>,
  start: (options: ServerOptions, log: Log) => Promise<RunningServer>,
): Promise<void> {
  const { stdout, stderr } = process
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
  const isLogged = createFilter(() => isEnding)
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

  handleSignals(end, settings.detach)

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
  if (settings.open === true && settings.admin !== false) openDashboard(server.url, settings.adminToken)
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
