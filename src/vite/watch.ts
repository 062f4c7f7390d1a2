import type { Logger, ViteDevServer } from 'vite'
import { SetupError } from '../errors.ts'
import type { Mock } from '../mock.ts'
import type { MockSources } from './sources.ts'

/** Editors save in several steps, and a checkout changes many files: several changes are reported as one. */
const QUIET_MILLISECONDS = 100

interface ViteWatchParts {
  readonly watcher: ViteDevServer['watcher']
  readonly sources: MockSources
  readonly mock: Pick<Mock, 'reload'>
  readonly logger: Logger
  /** Called after fixtures and scenarios were reloaded. */
  readonly onReload: () => void
  readonly onFault: (fault: unknown) => void
}

/** Reloads fixtures and scenarios when one of their files changes. While a file is broken, its last valid version stays in use. */
export function watchSources({ watcher, sources, mock, logger, onReload, onFault }: ViteWatchParts): void {
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()

  async function reload(): Promise<void> {
    try {
      await mock.reload(() => sources.read())
    } catch (fault) {
      if (!(fault instanceof SetupError)) throw fault
      const sentence = `[resource-mock] ${fault.message} Until you fix it, the mock serves the last valid version.`
      logger.warn(sentence, { timestamp: true })
      return
    }
    onReload()
  }

  watcher.add([...sources.folders])
  watcher.on('all', (_event, file) => {
    if (!sources.isOfSources(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      work = work.then(reload).catch(onFault)
    }, QUIET_MILLISECONDS)
  })
}
