import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { SetupError } from '../../errors.ts'
import { readFolder } from '../node/folder.ts'
import type { FolderContents, FolderName } from '../node/folder.ts'
import type { Mock } from '../../mock.ts'
import type { Log } from './log.ts'
import { isSameContent } from '../../util/load-partially.ts'
import type { FileContents } from '../../util/load-partially.ts'

/** How often the files are compared, in milliseconds. */
const INTERVAL = 150

/** The places, sizes and times of the files in folders, of which any change changes one. */
async function identifyFiles(folders: readonly string[]): Promise<string> {
  const lists = folders.map(async (folder) => {
    const names = await readdir(folder).catch(() => undefined)
    const files = names?.map(async (name) => {
      const { dev, ino, size, mtimeMs } = (await stat(join(folder, name)).catch(() => undefined)) ?? {}
      return [name, dev, ino, size, mtimeMs].join()
    })
    return files === undefined ? 'absent' : Promise.all(files)
  })
  return JSON.stringify(await Promise.all(lists))
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
  let known = await identifyFiles(paths)
  await refresh().catch(log.fault)
  log.note?.(`Watching ${paths.map(toShown).join(' and ')}`)
  void compareRegularly()

  /** Not all systems report a change of a file, a link or a replaced folder; all of them tell when they are asked. */
  async function compareRegularly(): Promise<void> {
    let last = known
    for await (const _ of setInterval(INTERVAL, undefined, { ref: false })) {
      const now = await identifyFiles(paths)
      // Editors save in several steps, and a checkout changes many files: they are read once they stay the same.
      if (now !== known && now === last) {
        known = now
        await refresh().catch(log.fault)
      }
      last = now
    }
  }
}
