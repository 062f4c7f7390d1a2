import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { SetupError, toMessage } from '../../errors.ts'
import { readFolder } from '../node/folder.ts'
import type { FolderContents, FolderName } from '../node/folder.ts'
import type { FSWatcher } from 'chokidar'
import type { Mock } from '../../mock.ts'
import type { Log } from './log.ts'
import { isSameContent } from '../../util/load-partially.ts'
import type { FileContents } from '../../util/load-partially.ts'

/** Debounce time: editors save in several steps, and a checkout changes many files. */
const SETTLED_MILLISECONDS = 100

/** How often files are compared, since some volumes of containers and networks report no changes. */
const COMPARISON_MILLISECONDS = 2000

/** Whether a path equals a folder or is inside it. */
const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The base folder to watch: an ancestor, since the folder itself may be removed, recreated or replaced. */
const toBase = (folder: string): string => {
  const here = process.cwd()
  return folder !== here && isBelow(folder, here) ? here : dirname(folder)
}

/** The path from the base to the folder, one entry per level. */
function toChain(folder: string): readonly string[] {
  const base = toBase(folder)
  const chain = [folder]
  for (let path = folder; path !== base; path = dirname(path)) chain.push(dirname(path))
  return chain
}

/** Identifies a folder, even if another takes its name. */
const identify = (path: string): Promise<string> =>
  stat(path).then(
    ({ dev, ino, birthtimeMs }) => `${dev}:${ino}:${birthtimeMs}`,
    () => 'absent',
  )

/** Identifies the names, sizes and times of the files in folders. */
async function identifyFiles(folders: readonly string[]): Promise<string> {
  const paths = folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name)))
  const files = (await Promise.all(paths)).flat()
  const stats = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size, mtimeMs }) => `${file} ${size} ${mtimeMs}`,
        () => file,
      ),
    ),
  )
  return stats.join()
}

/**
 * Reports any change in folders: files written in place or renamed into place, and folders replaced or recreated. Resolves
 * once watching has started; changes made before that are reported too.
 *
 * @param on.change called after changes settle; calls never overlap
 * @param on.silence called once if a file has changed and the system did not report it
 */
async function observeFolders(
  folders: readonly string[],
  on: {
    readonly change: () => Promise<void>
    readonly fault: (fault: unknown) => void
    readonly silence: () => void
  },
): Promise<void> {
  const { watch: openWatcher } = await import('chokidar')
  const chains = [...new Set(folders.flatMap(toChain))]
  const concerns = (path: string) => chains.includes(path) || folders.some((folder) => isBelow(path, folder))
  let watcher: FSWatcher | undefined
  let identity = ''
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  let seen = await identifyFiles(folders)
  let suspected = seen
  /** Whether the system has reported a change since the last comparison. */
  let isReported = false
  let isSilent = false

  async function open(): Promise<void> {
    await watcher?.close()
    identity = (await Promise.all(chains.map(identify))).join()
    const opened = openWatcher(folders.map(toBase), { ignored: (path) => !concerns(path), ignoreInitial: true })
    watcher = opened
    opened.on('all', noteReport)
    // No other event reports that a folder was replaced by a rename.
    opened.on('raw', (_event, path, details) => {
      // Documented in chokidar's readme.
      const { watchedPath } = details as { readonly watchedPath: string }
      if (concerns(resolve(watchedPath, path))) noteReport()
    })
    opened.on('error', on.fault)
    await new Promise<void>((ready) => opened.once('ready', ready))
  }

  async function report(): Promise<void> {
    if ((await Promise.all(chains.map(identify))).join() !== identity) await open()
    await on.change()
  }

  function noteReport(): void {
    isReported = true
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      work = work.then(report).catch(on.fault)
    }, SETTLED_MILLISECONDS)
  }

  /** Reports what the system does not. An event may arrive later than a change, so a change has to be seen twice. */
  async function compare(): Promise<void> {
    const now = await identifyFiles(folders)
    if (now === seen || isReported) {
      seen = now
      suspected = now
      isReported = false
    } else if (now === suspected) {
      if (!isSilent) on.silence()
      isSilent = true
      seen = now
      schedule()
    } else {
      suspected = now
    }
  }

  await open()
  await report()
  setInterval(() => void compare().catch(on.fault), COMPARISON_MILLISECONDS).unref()
}

type AllTexts = Readonly<Partial<FolderContents>>

/** The path as the user would write it. */
const toShown = (path: string): string => {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : `${shown === '' ? '.' : shown}/`
}

/**
 * Reloads folders when their files change, and logs the result. While a file is invalid, the last valid version stays
 * active.
 *
 * @param parts.folders absolute paths
 * @param parts.first their initial files
 */
export async function watch(parts: {
  readonly folders: ReadonlyMap<FolderName, string>
  readonly first: AllTexts
  readonly mock: Pick<Mock, 'reload'>
  readonly log: Pick<Log, 'note' | 'warn' | 'fault'>
}): Promise<void> {
  const { folders, mock, log } = parts
  let last = parts.first
  /** The most recently logged problem. */
  let trouble: string | undefined

  function complain(sentence: string, isNew: boolean): void {
    if (isNew || sentence !== trouble)
      log.warn(
        `${sentence}${sentence.endsWith('.') ? '' : '.'} Until you fix it, the mock uses the last valid version.`,
      )
    trouble = sentence
  }

  async function readAll(): Promise<AllTexts> {
    const entries = [...folders].map(async ([name, path]) => [name, await readFolder(name, path)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  async function refresh(): Promise<void> {
    let changed: readonly string[] = []
    try {
      await mock.reload(async () => {
        const texts = await readAll()
        changed = (['fixtures', 'scenarios'] as const).flatMap((name) => {
          const [old = {}, read = {}]: readonly (FileContents | undefined)[] = [last[name], texts[name]]
          const files = [...new Set([...Object.keys(old), ...Object.keys(read)])]
          return files.filter((file) => !isSameContent(old[file], read[file]))
        })
        last = texts
        return texts
      })
      if (changed.length === 0 && trouble === undefined) return
    } catch (fault) {
      if (!(fault instanceof SetupError)) throw fault
      complain(fault.message, changed.length > 0)
      return
    }
    const done = changed.length === 0 ? 'All files are valid.' : `Reloaded ${changed.join(', ')}.`
    log.note?.(trouble === undefined ? done : `Fixed. ${done}`)
    trouble = undefined
  }

  const paths = [...folders.values()]
  await observeFolders(paths, {
    change: () => refresh().catch(log.fault),
    fault(fault) {
      const reason = toMessage(fault)
      log.warn(`Failed to watch the folders: ${reason}. Restart the mock after changing files.`)
    },
    silence: () =>
      log.warn(
        `The volume of ${paths.map(toShown).join(' and ')} does not report changes, so it takes a few seconds to notice them. To notice them sooner, set the environment variable CHOKIDAR_USEPOLLING=1.`,
      ),
  })
  log.note?.(`Watching ${paths.map(toShown).join(' and ')}`)
}
