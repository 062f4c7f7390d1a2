import { stat } from 'node:fs/promises'
import { dirname, resolve, sep, relative } from 'node:path'
import { SetupError } from '../errors.ts'
import { readFolder } from '../node/folder.ts'
import type { FolderName } from '../node/folder.ts'
import type { FSWatcher } from 'chokidar'
import type { Mock } from '../mock.ts'
import type { Log } from './log.ts'
import type { FileTexts } from '../util/load-partially.ts'

/** Editors save in several steps, and a checkout changes many files: several changes are reported as one. */
const QUIET_MILLISECONDS = 100

/** Whether one path is the other, or lies in it. */
const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The folder that is watched: above the folder itself, since that may be removed and come back, or be replaced. */
const toBase = (folder: string): string => {
  const here = process.cwd()
  return folder !== here && isWithin(folder, here) ? here : dirname(folder)
}

/** The folders from the base down to the folder. */
function toChain(folder: string): readonly string[] {
  const base = toBase(folder)
  const chain = [folder]
  for (let path = folder; path !== base; path = dirname(path)) chain.push(dirname(path))
  return chain
}

/** Distinguishes a folder from another that took its name. */
const identify = (path: string): Promise<string> =>
  stat(path).then(
    ({ dev, ino, birthtimeMs }) => `${dev}:${ino}:${birthtimeMs}`,
    () => 'absent',
  )

/**
 * Reports every change in folders, however it is made: written in place, put there by a rename, the folder replaced
 * or removed and made again. Resolves once it would notice one; earlier changes are reported too.
 *
 * @param onChange called once it is quiet after a change, never twice at the same time
 */
async function observeFolders(
  folders: readonly string[],
  onChange: () => Promise<void>,
  onFault: (fault: unknown) => void,
): Promise<void> {
  const { watch: openWatcher } = await import('chokidar')
  const chains = [...new Set(folders.flatMap(toChain))]
  const concerns = (path: string) => chains.includes(path) || folders.some((folder) => isWithin(path, folder))
  let watcher: FSWatcher | undefined
  let identity = ''
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()

  async function open(): Promise<void> {
    await watcher?.close()
    identity = (await Promise.all(chains.map(identify))).join()
    const opened = openWatcher(folders.map(toBase), { ignored: (path) => !concerns(path), ignoreInitial: true })
    watcher = opened
    opened.on('all', schedule)
    // No other event reports a folder that takes the name of another.
    opened.on('raw', (_event, path, details) => {
      // chokidar's readme says that it has this member.
      const { watchedPath } = details as { readonly watchedPath: string }
      if (concerns(resolve(watchedPath, path))) schedule()
    })
    opened.on('error', onFault)
    await new Promise<void>((ready) => opened.once('ready', ready))
  }

  async function report(): Promise<void> {
    if ((await Promise.all(chains.map(identify))).join() !== identity) await open()
    await onChange()
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      work = work.then(report).catch(onFault)
    }, QUIET_MILLISECONDS)
  }

  await open()
  await report()
}

/** The files of each folder. */
type AllTexts = Readonly<Partial<Record<FolderName, FileTexts>>>

/** The names of the files that were added, changed or removed. */
function findChanged(before: AllTexts, now: AllTexts): readonly string[] {
  return (['fixtures', 'scenarios'] as const).flatMap((name) => {
    const [old = {}, read = {}] = [before[name], now[name]]
    return [...new Set([...Object.keys(old), ...Object.keys(read)])].filter((file) => old[file] !== read[file])
  })
}

/** As the user would write it. */
const toShown = (path: string): string => {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : `${shown === '' ? '.' : shown}/`
}

/**
 * Reloads the folders when something in them changes, and logs the result. While a file is broken, the last valid version
 * stays in use.
 *
 * @param parts.folders absolute paths
 * @param parts.first their files at the start
 */
export async function watch(parts: {
  readonly folders: ReadonlyMap<FolderName, string>
  readonly first: AllTexts
  readonly mock: Pick<Mock, 'reload'>
  readonly log: Pick<Log, 'note' | 'warn' | 'fault'>
}): Promise<void> {
  const { folders, mock, log } = parts
  let last = parts.first
  /** The last problem that was logged. */
  let trouble: string | undefined

  function complain(sentence: string, isNew: boolean): void {
    if (isNew || sentence !== trouble)
      log.warn(
        `${sentence}${sentence.endsWith('.') ? '' : '.'} Until you fix it, the mock serves the last valid version.`,
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
        changed = findChanged(last, texts)
        last = texts
        return texts
      })
      if (changed.length === 0 && trouble === undefined) return
    } catch (fault) {
      if (!(fault instanceof SetupError)) throw fault
      complain(fault.message, changed.length > 0)
      return
    }
    const done = changed.length === 0 ? 'All files are readable.' : `Reloaded ${changed.join(', ')}.`
    log.note?.(trouble === undefined ? done : `Fixed. ${done}`)
    trouble = undefined
  }

  const paths = [...folders.values()]
  await observeFolders(
    paths,
    () => refresh().catch(log.fault),
    (fault) => {
      const reason = fault instanceof Error ? fault.message : String(fault)
      log.warn(`The folders cannot be watched: ${reason}. Restart the mock after a change.`)
    },
  )
  log.note?.(`Watching ${paths.map(toShown).join(' and ')}`)
}
