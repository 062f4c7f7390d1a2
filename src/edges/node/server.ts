import { isIPv6 } from 'node:net'
import type { Socket } from 'node:net'
import { SetupError } from '../../errors.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { createMock } from '../../mock.ts'
import type { Mock } from '../../mock.ts'
import { parseOptions } from '../../app/options/options.ts'
import { openFilePersistence } from './file-persistence.ts'
import { answerRefusals, createRefuse } from './early-response.ts'
import { createOpenRequests } from './open-requests.ts'
import type { OpenRequests } from './open-requests.ts'
import { runInTime } from './run-in-time.ts'
import type { Server } from 'node:http'
import type { ProcessGauge } from '../../sessions/journal/counts.ts'
import type { MockOptions, ServerOptions } from '../../app/options/options.ts'

/**
 * A port could not be opened on this machine.
 *
 * @example await startServer({ port: 4010 }) // ListenError: Port 4010 on 127.0.0.1 is in use. …
 */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

interface ListenAddress {
  readonly port: number
  readonly host: string
}

function toListenSentence(fault: NodeJS.ErrnoException, { port, host }: ListenAddress): Error {
  const options = { cause: fault }
  switch (fault.code) {
    case 'EADDRINUSE':
      return new ListenError(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port, such as --port ${port === 65_535 ? 4010 : port + 1}; --port 0 picks a free one.`,
        options,
      )
    case 'EACCES':
      return new ListenError(
        `You do not have permission to open port ${port} on ${host}. Choose a port from 1024 up, such as --port 4010.`,
        options,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new SetupError(
        `The host ${JSON.stringify(host)} is not an address of this machine. Use one such as 127.0.0.1, or 0.0.0.0 for all interfaces.`,
        options,
      )
    default:
      return new ListenError(
        `Cannot open port ${port} on ${host}: ${fault.message}. Choose another port, or another host.`,
        options,
      )
  }
}

/**
 * Opens a server's port and returns its number.
 *
 * @throws {ListenError} if the port is in use or forbidden; {SetupError} if the host is not an address of this machine.
 */
export async function listen(server: Server, requested: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (fault) => reject(toListenSentence(fault, requested)))
    server.listen(requested.port, requested.host, () => {
      const address = server.address()
      resolve(address === null || typeof address === 'string' ? requested.port : address.port)
    })
  })
}

/** The URL to reach a server at: the loopback address if it listens on all interfaces. */
export function toServerUrl(scheme: 'http' | 'https', { port, host }: ListenAddress): string {
  const called = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  // The percent sign of a zone identifier is escaped in a URL (RFC 6874, section 2).
  return `${scheme}://${isIPv6(called) ? `[${called.replace('%', '%25')}]` : called}:${port}`
}

/** Creates the gauges of this process. The event loop is monitored from the first reading. */
export function createProcessGauges(openRequests: Pick<OpenRequests, 'unreadBytes'>): () => readonly ProcessGauge[] {
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined

  /** The longest delay since the last reading, in seconds. */
  function measureDelay(): number {
    if (delay === undefined) {
      delay = monitorEventLoopDelay()
      delay.enable()
    }
    const longest = delay.max / 1e9
    delay.reset()
    return longest
  }

  return () => {
    const { rss, heapUsed } = process.memoryUsage()
    return [
      { name: 'process_resident_memory_bytes', help: 'Resident memory of the process.', value: rss },
      { name: 'process_heap_used_bytes', help: 'JavaScript heap in use.', value: heapUsed },
      {
        name: 'event_loop_lag_max_seconds',
        help: 'Longest event loop delay since the metrics were last read.',
        value: measureDelay(),
      },
      {
        name: 'unread_response_bytes',
        help: 'Response bytes that clients have not read yet.',
        value: openRequests.unreadBytes,
      },
    ]
  }
}

/** A certificate and its private key in PEM format. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

function readPem<T>(read: () => T, what: string, begin: string): T {
  try {
    return read()
  } catch (cause) {
    throw new SetupError(`Cannot read the ${what}. Use an unencrypted PEM file with a line -----${begin}-----.`, {
      cause,
    })
  }
}

/** A running mock server. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string
  readonly port: number
  readonly mock: Mock
  /**
   * Reports not ready for the duration of `drain`, then stops listening. Resolves once open requests are answered and the
   * state is saved.
   */
  close(): Promise<void>
}

/** Load balancers keep idle connections for up to a minute, so the mock closes them later, in milliseconds. */
const KEEP_ALIVE = 75_000

const serverOptions = {
  keepAliveTimeout: KEEP_ALIVE,
  // The listener rejects requests without a Host header, with a body.
  requireHostHeader: false,
  // The listener checks the request line and the headers, each on its own; the parser only counts their sum.
  maxHeaderSize: 16 * MAX_BYTES.headers,
}

/** Creates the mock that the server serves. */
export type Create = (options: MockOptions) => Promise<Mock>

async function createPersistent(create: Create, options: MockOptions, persist: string | undefined): Promise<Mock> {
  if (persist === undefined) return create(options)
  const other = (['persistence', 'store'] as const).find((name) => options[name] !== undefined)
  if (other !== undefined) throw new SetupError(`persist and ${other} are mutually exclusive. Remove one of them.`)
  const file = await openFilePersistence(persist)
  try {
    const mock = await create({ ...options, persistence: file })
    return {
      ...mock,
      async close() {
        await mock.close()
        await file.close()
      },
    }
  } catch (fault) {
    await file.close()
    throw fault
  }
}

/**
 * Starts a mock on a port.
 *
 * @throws {SetupError} if an option, a fixture or a file is invalid; {ListenError} if the port is in use.
 * @example
 * const server = await startServer({ port: 0 })
 * await fetch(`${server.url}/acme/resource`, { headers: { Authorization: 'Bearer any' } })
 * await server.close()
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return startServerOf(createMock, options)
}

/** Creates a mock that forwards requests without an endpoint to another service. */
async function toPassthrough(passthrough: string): Promise<Create> {
  const { createPassthrough } = await import('../../tools/proxy/passthrough.ts')
  const { createHttpClient } = await import('./http-client.ts')
  return (options) => createPassthrough({ ...options, passthrough, client: createHttpClient() })
}

/** Like {@link startServer}, but with another way to create the mock. */
export async function startServerOf(create: Create, options: ServerOptions): Promise<RunningServer> {
  const parsed = parseOptions(options, 'server')
  const { port: asked, tls, persist, passthrough, drain, lightweightGlobals, ...mockOptions } = parsed
  const { host, cors } = mockOptions
  const http = await import('node:http')
  // Checks that a certificate and a key are readable and match, before the server listens.
  if (tls !== undefined) {
    const { createPrivateKey, X509Certificate } = await import('node:crypto')
    const certificate = readPem(() => new X509Certificate(tls.cert), 'TLS certificate', 'BEGIN CERTIFICATE')
    const privateKey = readPem(() => createPrivateKey(tls.key), 'TLS key', 'BEGIN PRIVATE KEY')
    if (!certificate.checkPrivateKey(privateKey))
      throw new SetupError('The TLS key does not match the TLS certificate. Pass the private key of that certificate.')
  }
  const server =
    tls === undefined
      ? http.createServer(serverOptions)
      : (await import('node:https')).createServer({ ...serverOptions, ...tls })
  // oxlint-disable-next-line no-console -- the documented default of MockOptions
  const onFault = options.onFault ?? ((fault: unknown) => console.error(fault))
  // The admin API can shut the server down. The CLI passes its own function because it has more to close.
  const onShutdown = options.onShutdown ?? (() => void close().catch((fault: unknown) => onFault(fault, 'shutdown')))
  // oxlint-disable-next-line no-console -- the documented default of MockOptions
  const openRequests = createOpenRequests({ onNotice: options.onNotice ?? console.warn })
  const processGauges = createProcessGauges(openRequests)
  const createServed = passthrough === undefined ? create : await toPassthrough(passthrough)
  const mock = await createPersistent(createServed, { processGauges, runInTime, ...mockOptions, onShutdown }, persist)

  // Hono's adapter fails to load where there is no `fetch`, which `create` has said by now.
  const { createListener } = await import('./listener.ts')
  const listener = createListener({ mock, openRequests, host, lightweightGlobals, onFault })
  server.on('request', listener)
  server.on('checkContinue', (incoming, outgoing) => {
    // Node would send 100 Continue at once; a body that is too large is refused without it.
    incoming.once('resume', () => void (outgoing.headersSent || outgoing.writeContinue()))
    listener(incoming, outgoing)
  })
  answerRefusals(server, openRequests, createRefuse(mock, onFault), cors)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  const port = await listen(server, { port: asked, host }).catch(async (fault: unknown) => {
    await mock.close()
    throw fault
  })
  // For example too many open files: later connections may succeed.
  server.on('error', (fault) => onFault(fault, 'server'))
  const url = toServerUrl(tls === undefined ? 'http' : 'https', { port, host })
  mock.setUrl(url)

  async function end(): Promise<void> {
    mock.drain()
    if (drain > 0) await setTimeout(drain)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    mock.endStreams()
    await openRequests.settle()
    // The remaining connections have no open request: keep-alive, incomplete headers, TLS handshakes.
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
    await closed
    await mock.close()
  }

  let ended: Promise<void> | undefined
  const close = (): Promise<void> => (ended ??= end())
  return { url, port, mock, close }
}
