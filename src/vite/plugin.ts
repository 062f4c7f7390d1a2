import type { Plugin } from 'vite'
import { describeScenarios } from './banner.ts'
import { mountMock } from './mount.ts'
import type { ViteMockOptions } from './options.ts'
import { watchSources } from './watch.ts'

/**
 * Creates a plugin for Vite 5 to 8: the mock is a part of the dev server, and of the preview server, at a prefix. The
 * banner tells what scenario is active, and pages reload when that is switched, or fixtures or scenarios change.
 *
 * A wrong option throws a `SetupError` when the server starts.
 *
 * @example
 * // vite.config.ts
 * export default defineConfig({ plugins: [resourceMock({ prefix: '/api', scenario: 'slow' })] })
 */
export function resourceMock(options: ViteMockOptions = {}): Plugin {
  return {
    name: 'resource-mock',
    apply: 'serve',

    async configureServer(vite) {
      const { config, watcher, ws } = vite
      const { logger } = config

      function reloadPages(why: string): void {
        logger.info(`[resource-mock] ${why}, page reload`, { timestamp: true })
        ws.send({ type: 'full-reload' })
      }

      const mounted = await mountMock(vite, {
        options,
        host: config.server.host,
        onSwitch: (active) => reloadPages(describeScenarios(active)),
      })
      const onReload = () => reloadPages('fixtures and scenarios reloaded')
      watchSources({ ...mounted, watcher, logger, onReload })
    },

    async configurePreviewServer(preview) {
      await mountMock(preview, { options, host: preview.config.preview.host })
    },
  }
}
