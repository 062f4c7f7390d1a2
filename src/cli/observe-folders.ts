import { stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { FSWatcher } from 'chokidar'

/** Editors save in several steps, and a checkout changes many files: several changes are reported as one. */
const QUIET_MILLISECONDS = 100

interface Observer {
  /** Called once it is quiet after a change, never twice at the same time. */
  readonly onChange: () => Promise<void>
  readonly onFault: (fault: unknown) => void
}

/** Whether one path is the other, or lies in it. */
const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Where watching begins: above the folder, since it may be removed and come back, or be replaced whole. */
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

/** What tells a folder from another that took its name. */
const identify = (path: string): Promise<string> =>
  stat(path).then(
    ({ dev, ino, birthtimeMs }) => `${dev}:${ino}:${birthtimeMs}`,
    () => 'absent',
  )

/**
 * Tells of every change in folders, whatever way it is made: written in place, put there by a rename, the folder replaced
 * or removed and made again. Resolves once it would notice one; changes before that are told too.
 */
export async function observeFolders(folders: readonly string[], { onChange, onFault }: Observer): Promise<void> {
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

  async function tell(): Promise<void> {
    if ((await Promise.all(chains.map(identify))).join() !== identity) await open()
    await onChange()
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      work = work.then(tell).catch(onFault)
    }, QUIET_MILLISECONDS)
  }

  await open()
  await tell()
}
