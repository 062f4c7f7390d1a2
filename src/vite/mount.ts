import type { PreviewServer, ViteDevServer } from 'vite'
import { createMock } from '../mock.ts'
import type { Mock } from '../mock.ts'
import { createMiddleware } from '../node/middleware.ts'
import { expectOptions } from '../options/parse-options.ts'
import { extendBanner } from './banner.ts'
import { parsePrefix } from './options.ts'
import type { ViteMockOptions } from './options.ts'
import { followScenarios } from './scenarios.ts'
import { createSources } from './sources.ts'
import type { MockSources } from './sources.ts'

type Server = ViteDevServer | PreviewServer

interface MountParts {
  readonly options: ViteMockOptions
  /** What the server's own option of that name is. */
  readonly host: string | boolean | undefined
  /** Called with the names that are active, when they are others. */
  readonly onSwitch?: (active: readonly string[]) => void
}

/** A mock that is a part of a server. */
export interface Mounted {
  readonly mock: Mock
  readonly sources: MockSources
  /** Told what the mock, or what belongs to it, failed on itself. */
  readonly onFault: (fault: unknown) => void
}

/** The address that a server's option `host` means. */
function toAddress(host: string | boolean | undefined): string {
  if (typeof host === 'string') return host
  return host === true ? '0.0.0.0' : 'localhost'
}

/** Calls back when a server has closed; in middleware mode, Vite's own part of it. */
function onceClosed(server: Server, end: () => void): void {
  const { httpServer, close } = server
  if (httpServer === null) {
    server.close = async function closeWithMock() {
      await close.call(server)
      end()
    }
  } else {
    httpServer.once('close', end)
  }
}

/**
 * Makes a mock a part of a server, until that closes.
 *
 * @throws {SetupError} when an option, a fixture or a scenario is not what it must be.
 */
export async function mountMock(server: Server, { options, host, onSwitch }: MountParts): Promise<Mounted> {
  expectOptions(options)
  const { prefix = '/api', fixtures, scenarios, ...mockOptions } = options
  const { logger, root } = server.config

  function logFault(fault: unknown): void {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
    logger.error(`[resource-mock] ${text}`, { timestamp: true })
  }

  const at = parsePrefix(prefix)
  const address = toAddress(host)
  const onFault = options.onFault ?? logFault
  const onNotice = options.onNotice ?? ((sentence) => logger.warn(`[resource-mock] ${sentence}`, { timestamp: true }))
  const sources = createSources({ fixtures, scenarios }, root)
  const mock = await createMock({ ...mockOptions, ...(await sources.read()), host: address, onFault, onNotice })
  const active = await followScenarios({
    mock,
    admin: options.admin,
    token: options.adminToken,
    onChange: (names) => onSwitch?.(names),
    onFault: logFault,
  })
  server.middlewares.use(createMiddleware({ mock, prefix: at, host: address, onFault, onNotice }))
  extendBanner(server, at, active)
  onceClosed(server, () => void mock.close().catch(logFault))
  return { mock, sources, onFault: logFault }
}
