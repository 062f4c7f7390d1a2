import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { createMock } from '../mock.ts'
import { createMiddleware } from '../node/middleware.ts'
import { describeScenarios, extendBanner } from './banner.ts'
import { parsePrefix } from './options.ts'
import type { ViteMockOptions } from './options.ts'
import { followScenarios } from './scenarios.ts'
import { createSources } from './sources.ts'
import { watchSources } from './watch.ts'

/** The address that a server's option `host` stands for. */
function toHost(host: string | boolean | undefined): string {
  if (typeof host === 'string') return host
  return host === true ? '0.0.0.0' : 'localhost'
}

/** Calls back when a server has closed; in middleware mode, Vite's own part of it. */
function onceClosed(server: ViteDevServer | PreviewServer, end: () => Promise<void>): void {
  const { httpServer, close } = server
  if (httpServer === null) {
    server.close = async function closeWithMock() {
      await close.call(server)
      await end()
    }
  } else {
    httpServer.once('close', () => void end())
  }
}

/**
 * Creates a plugin for Vite 5 to 8: the mock is a part of the dev server, and of the preview server, at a prefix. The
 * banner tells what scenario is active, and the page reloads when that is switched, or fixtures or scenarios change.
 *
 * @throws {SetupError} for a prefix that is no path; when the server starts, for any other option.
 * @example
 * // vite.config.ts
 * export default defineConfig({ plugins: [resourceMock({ prefix: '/api', scenario: 'slow' })] })
 */
export function resourceMock(options: ViteMockOptions = {}): Plugin {
  const { prefix: given = '/api', fixtures, scenarios, ...mockOptions } = options
  const prefix = parsePrefix(given)

  /** Makes the mock a part of a server, whose pages `reloadPage` reloads. */
  async function mount(server: ViteDevServer | PreviewServer, listensAt: string, reloadPage: (why: string) => void) {
    const { logger, root } = server.config
    const onFault =
      mockOptions.onFault ??
      ((fault: unknown) => {
        logger.error(`[resource-mock] ${fault instanceof Error ? fault.stack : String(fault)}`, { timestamp: true })
      })
    const sources = createSources({ fixtures, scenarios }, root)
    const mock = await createMock({ ...mockOptions, ...(await sources.read()), host: listensAt, onFault })
    const active = await followScenarios({
      mock,
      token: mockOptions.adminToken,
      onChange: (names) => reloadPage(describeScenarios(names)),
      onFault: (fault) => onFault(fault, 'scenarios'),
    })
    server.middlewares.use(createMiddleware({ mock, prefix, host: listensAt, onFault }))
    extendBanner(server, prefix, active)
    onceClosed(server, () => mock.close())
    return { mock, sources, onFault }
  }

  return {
    name: 'resource-mock',
    apply: 'serve',

    async configureServer(server) {
      const { watcher, ws } = server
      const { logger } = server.config

      function reloadPage(why: string): void {
        logger.info(`[resource-mock] ${why}, page reload`, { timestamp: true })
        ws.send({ type: 'full-reload' })
      }

      const { mock, sources, onFault } = await mount(server, toHost(server.config.server.host), reloadPage)
      watchSources({
        watcher,
        sources,
        mock,
        logger,
        onReload: () => reloadPage('fixtures and scenarios read anew'),
        onFault: (fault) => onFault(fault, 'watch'),
      })
    },

    async configurePreviewServer(server) {
      await mount(server, toHost(server.config.preview.host), () => undefined)
    },
  }
}
