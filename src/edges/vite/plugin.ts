import * as z from 'zod'
import util from 'node:util'
import { SetupError } from '../../errors.ts'
import { showValue } from '../../service/http/json.ts'
import { ADMIN_PATH } from '../../service/http/request-head.ts'
import { resolve, sep } from 'node:path'
import { readFolder } from '../node/folder.ts'
import type { FolderContents, FolderName } from '../node/folder.ts'
import { createMock } from '../../mock.ts'
import type { Mock } from '../../mock.ts'
import { runInTime } from '../node/run-in-time.ts'
import { expectOptions } from '../../app/options/options.ts'
import type { MockOptions } from '../../app/options/options.ts'
import { expectPeer } from '../../util/peer.ts'
import type { FileContents, FileTexts } from '../../util/load-partially.ts'
import type { PreviewServer, ViteDevServer, Logger } from 'vite'

expectPeer({ entry: 'resource-mock/vite', name: 'vite', title: 'Vite', least: '4.0' })

function paint(style: 'green' | 'bold' | 'cyan', text: string): string {
  const { stdout } = process
  return stdout.isTTY && stdout.hasColors() ? util.styleText(style, text) : text
}

/** For example `no scenario`, `scenario slow` or `scenarios slow, conflict`. */
export function describeActive(active: readonly string[]): string {
  if (active.length === 0) return 'no scenario'
  return `${active.length === 1 ? 'scenario' : 'scenarios'} ${active.join(', ')}`
}

/** The options of `resourceMock`: mock options and a path. */
export interface ViteMockOptions extends Omit<MockOptions, 'fixtures' | 'scenarios' | 'host' | 'onShutdown'> {
  /** The path of the mock on the dev server. Default `/api`. */
  readonly prefix?: string
  /** A folder of fixture files, relative to Vite's root and reloaded when a file changes; or file contents by name. */
  readonly fixtures?: string | FileTexts
  /** A folder of scenario files, or file contents by name, like `fixtures`. */
  readonly scenarios?: string | FileContents
}

/**
 * Validates the prefix and removes trailing slashes.
 *
 * @throws {SetupError} for an invalid path, and for the root, which would leave nothing for the dev server to serve.
 */
export function parsePrefix(text: string): string {
  // Callers without TypeScript may pass anything.
  const prefix = typeof text === 'string' ? text.replace(/\/+$/, '') : ''
  if (/^(?:\/[\w.~!$&'()*+,;=:-]+)+$/.test(prefix)) return prefix
  throw new SetupError(
    `The prefix ${showValue(text)} of resourceMock is not a path below the root. Use one such as /api.`,
  )
}

const activity = z.object({ active: z.array(z.string()) })

/** Yields the data of one type of events as they arrive (HTML standard, section 9.2.6). */
async function* readEvents(stream: ReadableStream<BufferSource>, kind: string): AsyncGenerator<string> {
  const start = `event: ${kind}\ndata: `
  let text = ''
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith(start)) yield block.slice(start.length)
  }
}

/**
 * Follows the active scenarios of the default session, which pages use unless they name another one. Like the dashboard, it
 * reads events from the admin API. Ends with the mock's event streams.
 *
 * @returns a function that returns the names of the active scenarios
 */
export async function followScenarios(parts: {
  readonly mock: Pick<Mock, 'fetch'>
  /** Whether the admin API is enabled. */
  readonly admin?: boolean | undefined
  /** The token of the admin API. */
  readonly token?: string | undefined
  readonly onChange: (active: readonly string[]) => void
  readonly onFault: (fault: unknown) => void
}): Promise<() => readonly string[]> {
  const { mock, admin, token, onChange, onFault } = parts
  if (admin === false) return () => []
  const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` })
  const ask = (path: string) => mock.fetch(new Request(`http://mock${ADMIN_PATH}${path}`, { headers }))
  const { body } = await ask('/events?session=default')
  let { active } = activity.parse(await (await ask('/scenarios/active')).json())

  async function follow(stream: ReadableStream<BufferSource>): Promise<void> {
    for await (const data of readEvents(stream, 'scenario')) {
      active = activity.parse(JSON.parse(data)).active
      onChange(active)
    }
  }

  if (body !== null) follow(body).catch(onFault)
  return () => active
}

/** Fixtures and scenarios, in folders or as file contents. */
export type MockSources = ReturnType<typeof createSources>

const FOLDER_NAMES: readonly FolderName[] = ['fixtures', 'scenarios']

/** Finds the sources named in the options; folders are relative to `root`. */
export function createSources(options: Pick<ViteMockOptions, FolderName>, root: string) {
  const sources = FOLDER_NAMES.flatMap((name) => {
    const source = options[name]
    return source === undefined ? [] : [[name, typeof source === 'string' ? resolve(root, source) : source] as const]
  })
  const folders = sources.map(([, source]) => source).filter((source) => typeof source === 'string')
  return {
    /** Absolute paths. */
    folders,
    /** Whether a file is in one of the folders. */
    isOfSources: (file: string): boolean => folders.some((folder) => resolve(root, file).startsWith(folder + sep)),
    /** @throws {SetupError} if a folder or one of its files cannot be read. */
    async read(): Promise<{ readonly fixtures?: FileTexts; readonly scenarios?: FileContents }> {
      const texts = sources.map(async ([name, source]) => [
        name,
        typeof source === 'string' ? await readFolder(name, source, `The option ${name} of resourceMock`) : source,
      ])
      return Object.fromEntries(await Promise.all(texts)) as Partial<FolderContents>
    },
  }
}

type Server = ViteDevServer | PreviewServer

/**
 * Mounts a mock in a server until the server is closed.
 *
 * @throws {SetupError} if an option, a fixture or a scenario is invalid.
 */
export async function mountMock(
  server: Server,
  parts: {
    readonly options: ViteMockOptions
    /** The server's own `host` option. */
    readonly host: string | boolean | undefined
    /** Called with the active scenarios when they change. */
    readonly onSwitch?: (active: readonly string[]) => void
  },
) {
  const { options, host, onSwitch } = parts
  expectOptions(options)
  const { prefix = '/api', fixtures, scenarios, ...mockOptions } = options
  const { logger, root } = server.config

  function logFault(fault: unknown): void {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
    logger.error(`[resource-mock] ${text}`, { timestamp: true })
  }

  const at = parsePrefix(prefix)
  const address = typeof host === 'string' ? host : host === true ? '0.0.0.0' : 'localhost'
  const onFault = options.onFault ?? logFault
  const onNotice = options.onNotice ?? ((sentence) => logger.warn(`[resource-mock] ${sentence}`, { timestamp: true }))
  const sources = createSources({ fixtures, scenarios }, root)
  const mock = await createMock({
    runInTime,
    ...mockOptions,
    ...(await sources.read()),
    host: address,
    onFault,
    onNotice,
  })
  const active = await followScenarios({
    mock,
    admin: options.admin,
    token: options.adminToken,
    onChange: (names) => onSwitch?.(names),
    onFault: logFault,
  })
  // Hono's adapter fails to load where there is no `fetch`, which `createMock` has said by now.
  const { createMiddleware } = await import('../node/listener.ts')
  server.middlewares.use(createMiddleware({ mock, prefix: at, host: address, onFault, onNotice }))
  const { printUrls } = server
  server.printUrls = function printUrlsAndMock() {
    printUrls.call(server)
    const { local, network } = server.resolvedUrls ?? { local: [], network: [] }
    const [base] = [...local, ...network]
    const url = base === undefined ? at : new URL(at, base).href
    const label = `${paint('green', '➜')}  ${paint('bold', 'Mock')}:`
    server.config.logger.info(`  ${label}    ${paint('cyan', url)} (${describeActive(active())})`)
  }
  // In middleware mode, only Vite's part of a server is closed.
  const end = () => void mock.close().catch(logFault)
  const { httpServer, close } = server
  if (httpServer === null) {
    server.close = async function closeWithMock() {
      await close.call(server)
      end()
    }
  } else {
    httpServer.once('close', end)
  }
  return { mock, sources, onFault: logFault }
}

/** Groups changes, because editors save in several steps and a checkout changes many files. */
const QUIET_MILLISECONDS = 100

/**
 * Reloads fixtures and scenarios when one of their files changes. While a file is invalid, its last valid version stays in
 * use.
 */
export function watchSources(parts: {
  readonly watcher: ViteDevServer['watcher']
  readonly sources: MockSources
  readonly mock: Pick<Mock, 'reload'>
  readonly logger: Logger
  /** Called after fixtures and scenarios were reloaded. */
  readonly onReload: () => void
  readonly onFault: (fault: unknown) => void
}): void {
  const { watcher, sources, mock, logger, onReload, onFault } = parts
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()

  async function reload(): Promise<void> {
    try {
      await mock.reload(() => sources.read())
    } catch (fault) {
      if (!(fault instanceof SetupError)) throw fault
      const sentence = `[resource-mock] ${fault.message} Until you fix it, the mock uses the last valid version.`
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

/** A plugin of any Vite, whose own types a CommonJS file cannot import. */
interface VitePlugin {
  readonly name: string
  readonly apply: 'serve'
  configureServer(server: object): Promise<void>
  configurePreviewServer(server: object): Promise<void>
}

/**
 * Creates a plugin for Vite 4 to 8 that mounts the mock in the dev server and the preview server, at a prefix. The banner
 * shows the active scenarios. Pages reload when scenarios are switched, or when fixtures or scenarios change.
 *
 * An invalid option throws a `SetupError` when the server starts.
 *
 * @example
 * // vite.config.ts
 * export default defineConfig({ plugins: [resourceMock({ prefix: '/api', scenario: 'slow' })] })
 */
export function resourceMock(options: ViteMockOptions = {}): VitePlugin {
  return {
    name: 'resource-mock',
    apply: 'serve',

    async configureServer(vite: ViteDevServer) {
      const { config, watcher, ws } = vite
      const { logger } = config

      function reloadPages(why: string): void {
        logger.info(`[resource-mock] ${why}, page reload`, { timestamp: true })
        ws.send({ type: 'full-reload' })
      }

      const mounted = await mountMock(vite, {
        options,
        host: config.server.host,
        onSwitch: (active) => reloadPages(describeActive(active)),
      })
      const onReload = () => reloadPages('fixtures and scenarios reloaded')
      watchSources({ ...mounted, watcher, logger, onReload })
    },

    async configurePreviewServer(preview: PreviewServer) {
      await mountMock(preview, { options, host: preview.config.preview.host })
    },
  }
}
