import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { SetupError } from '../errors.ts'
import { createMock } from '../mock.ts'
import type { Mock } from '../mock.ts'
import type { MockOptions, ServerOptions } from '../options/options.ts'
import { parseOptions } from '../options/parse-options.ts'
import { openFilePersistence } from './file-persistence.ts'
import { listen, toUrl } from './listen.ts'
import { createListener } from './listener.ts'
import { findOpenTelemetry } from './open-telemetry.ts'
import { createOpenRequests } from './open-requests.ts'
import { createProcessGauges } from './process-gauges.ts'
import { answerRefusals } from './refusals.ts'
import { checkTls } from './tls.ts'
import type { Tls } from './tls.ts'
import { createUnreadResponses } from './unread-responses.ts'

/** A mock that listens. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string
  readonly port: number
  readonly mock: Mock
  /** Is not ready for the time of `drain`, then stops listening, and resolves once the requests under way are answered and the state is kept. */
  close(): Promise<void>
}

async function createServer(tls: Tls | undefined): Promise<Server> {
  // A request without Host gets its 400 from the listener, with a body.
  if (tls === undefined) return (await import('node:http')).createServer({ requireHostHeader: false })
  await checkTls(tls)
  return (await import('node:https')).createServer({ ...tls, requireHostHeader: false })
}

/** Creates what is served. */
export type Create = (options: MockOptions) => Promise<Mock>

async function createKept(create: Create, options: MockOptions, persist: string | undefined): Promise<Mock> {
  if (persist === undefined) return create(options)
  const other = (['persistence', 'store'] as const).find((name) => options[name] !== undefined)
  if (other !== undefined) {
    throw new SetupError(
      `Both persist and ${other} are given. The state can be kept in one place only: remove one of them.`,
    )
  }
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
 * @throws {SetupError} when an option, a fixture or a file is not what it must be; {ListenError} when the port is taken.
 * @example
 * const server = await startServer({ port: 0 })
 * await fetch(`${server.url}/acme/resource`, { headers: { Authorization: 'Bearer any' } })
 * await server.close()
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return startServerOf(createMock, options)
}

/** Creates what sends the requests that meet no endpoint to another service. */
async function toPassthrough(passthrough: string): Promise<Create> {
  const { createPassthrough } = await import('../proxy/passthrough.ts')
  const { createUpstreamClient } = await import('./upstream-client.ts')
  return (options) => createPassthrough({ ...options, passthrough, client: createUpstreamClient() })
}

/** As {@link startServer}, for what is more than a mock. */
export async function startServerOf(create: Create, options: ServerOptions): Promise<RunningServer> {
  const parsed = parseOptions(options, 'server')
  const { port: asked, tls, persist, passthrough, drain, lightweightGlobals, ...mockOptions } = parsed
  const { host } = mockOptions
  const server = await createServer(tls)
  // oxlint-disable-next-line no-console -- the default that MockOptions promises
  const onFault = options.onFault ?? ((fault: unknown) => console.error(fault))
  // Told to end by the admin API, a server ends itself, unless there is more to end than that.
  const onShutdown = options.onShutdown ?? (() => void close().catch((fault: unknown) => onFault(fault, 'shutdown')))
  // oxlint-disable-next-line no-console -- the default that MockOptions promises
  const unread = createUnreadResponses({ onNotice: options.onNotice ?? console.warn })
  const measured = { processGauges: createProcessGauges(unread), openTelemetry: await findOpenTelemetry() }
  const createServed = passthrough === undefined ? create : await toPassthrough(passthrough)
  const mock = await createKept(createServed, { ...measured, ...mockOptions, onShutdown }, persist)
  const openRequests = createOpenRequests()

  server.on('request', createListener({ mock, openRequests, unread, host, lightweightGlobals, onFault }))
  answerRefusals(server, openRequests)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  const port = await listen(server, { port: asked, host }).catch(async (fault: unknown) => {
    await mock.close()
    throw fault
  })
  // Such as too many open files: the next connection may be taken again.
  server.on('error', (fault) => onFault(fault, 'server'))
  const url = toUrl(tls === undefined ? 'http' : 'https', { port, host })
  mock.setUrl(url)

  async function end(): Promise<void> {
    mock.drain()
    if (drain > 0) await setTimeout(drain)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    mock.endStreams()
    await openRequests.settle()
    // What is left has no request under way: kept alive, half-sent heads, handshakes.
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
    await closed
    await mock.close()
  }

  let ended: Promise<void> | undefined
  const close = (): Promise<void> => (ended ??= end())
  return {
    url,
    port,
    mock,
    close,
  }
}
