import * as z from 'zod'
import util from 'node:util'
import { SetupError } from '../errors.ts'
import { showValue } from '../http/json.ts'
import { ADMIN_PATH } from '../http/request-head.ts'
import { resolve, sep } from 'node:path'
import { readFolder } from '../node/folder.ts'
import type { FolderName } from '../node/folder.ts'
import { createMock } from '../mock.ts'
import type { Mock } from '../mock.ts'
import { createMiddleware } from '../node/listener.ts'
import { expectOptions } from '../options/options.ts'
import type { MockOptions } from '../options/options.ts'
import type { FileTexts } from '../util/load-partially.ts'
import type { PreviewServer, ViteDevServer, Logger, Plugin } from 'vite'

/** What Vite's dev server and its preview server have of a banner. */
export interface Bannered {
  printUrls(): void
  readonly resolvedUrls: { readonly local: readonly string[]; readonly network: readonly string[] } | null
  readonly config: { readonly logger: { info(line: string): void } }
}

type BannerStyle = 'green' | 'bold' | 'cyan'

function paint(style: BannerStyle, text: string): string {
  const { stdout } = process
  return stdout.isTTY && stdout.hasColors() ? util.styleText(style, text) : text
}

/** Such as `no scenario`, `scenario slow`, `scenarios slow, conflict`. */
export function describeScenarios(active: readonly string[]): string {
  if (active.length === 0) return 'no scenario'
  return `${active.length === 1 ? 'scenario' : 'scenarios'} ${active.join(', ')}`
}

/** Adds a line to the banner: where the mock is, and what is active. */
export function extendBanner(server: Bannered, prefix: string, active: () => readonly string[]): void {
  const { printUrls } = server
  server.printUrls = function printUrlsAndMock() {
    printUrls.call(server)
    const { local, network } = server.resolvedUrls ?? { local: [], network: [] }
    const [base] = [...local, ...network]
    const url = base === undefined ? prefix : new URL(prefix, base).href
    const label = `${paint('green', '➜')}  ${paint('bold', 'Mock')}:`
    server.config.logger.info(`  ${label}    ${paint('cyan', url)} (${describeScenarios(active())})`)
  }
}

/** The options of `resourceMock`: those of a mock, and its path. */
export interface ViteMockOptions extends Omit<MockOptions, 'fixtures' | 'scenarios' | 'host' | 'onShutdown'> {
  /** The path of the mock on the dev server. Default `/api`. */
  readonly prefix?: string
  /** A folder of fixture files, from Vite's root, read again when a file in it changes; or texts by file name. */
  readonly fixtures?: string | FileTexts
  /** A folder of scenario files, as `fixtures`. */
  readonly scenarios?: string | FileTexts
}

/**
 * Holds a prefix to what a path is.
 *
 * @throws {SetupError} for the root, which would leave the dev server nothing to serve, and for what is no path.
 */
export function parsePrefix(text: string): string {
  // Callers without TypeScript may pass anything.
  const prefix = typeof text === 'string' ? text.replace(/\/+$/, '') : ''
  if (/^(?:\/[\w.~!$&'()*+,;=:-]+)+$/.test(prefix)) return prefix
  throw new SetupError(
    `The prefix ${showValue(text)} of resourceMock is not a path below the root. Pass one such as /api.`,
  )
}

const activity = z.object({ active: z.array(z.string()) })

/** The data of a stream's events of one kind, as they come (HTML standard, section 9.2.6). */
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
 * Follows what is active in the default session, which pages are in unless they name another. It is told as the
 * dashboard is, by the admin API, and ends with the mock's streams.
 *
 * @returns what tells the names that are active
 */
export async function followScenarios(parts: {
  readonly mock: Pick<Mock, 'fetch'>
  /** Whether there is an admin API. */
  readonly admin?: boolean | undefined
  /** What the admin API asks for. */
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

/** Fixtures and scenarios, in folders or as texts. */
export interface MockSources {
  /** Absolute paths. */
  readonly folders: readonly string[]
  /** Whether a file lies in one of the folders. */
  isOfSources(file: string): boolean
  /**
   * Reads all texts.
   *
   * @throws {SetupError} when a folder or one of its files cannot be read.
   */
  read(): Promise<{ readonly fixtures?: FileTexts; readonly scenarios?: FileTexts }>
}

const names: readonly FolderName[] = ['fixtures', 'scenarios']

/** Finds the sources that the options name; folders begin at `root`. */
export function createSources(options: Pick<ViteMockOptions, FolderName>, root: string): MockSources {
  const places = names.flatMap((name) => {
    const given = options[name]
    return given === undefined ? [] : [[name, typeof given === 'string' ? resolve(root, given) : given] as const]
  })
  const folders = places.map(([, place]) => place).filter((place) => typeof place === 'string')
  return {
    folders,
    isOfSources: (file) => folders.some((folder) => resolve(root, file).startsWith(folder + sep)),
    async read() {
      const texts = places.map(async ([name, place]) => [
        name,
        typeof place === 'string' ? await readFolder(name, place, `The option ${name} of resourceMock`) : place,
      ])
      return Object.fromEntries(await Promise.all(texts)) as Awaited<ReturnType<MockSources['read']>>
    },
  }
}

type Server = ViteDevServer | PreviewServer

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
export async function mountMock(
  server: Server,
  {
    options,
    host,
    onSwitch,
  }: {
    readonly options: ViteMockOptions
    /** What the server's own option of that name is. */
    readonly host: string | boolean | undefined
    /** Called with the names that are active, when they are others. */
    readonly onSwitch?: (active: readonly string[]) => void
  },
): Promise<Mounted> {
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

/** Editors save in several steps, and a checkout changes many files: several changes are reported as one. */
const QUIET_MILLISECONDS = 100

/** Reloads fixtures and scenarios when one of their files changes. While a file is broken, its last valid version stays in use. */
export function watchSources({
  watcher,
  sources,
  mock,
  logger,
  onReload,
  onFault,
}: {
  readonly watcher: ViteDevServer['watcher']
  readonly sources: MockSources
  readonly mock: Pick<Mock, 'reload'>
  readonly logger: Logger
  /** Called after fixtures and scenarios were reloaded. */
  readonly onReload: () => void
  readonly onFault: (fault: unknown) => void
}): void {
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
