import { relative } from 'node:path'
import { SetupError } from '../errors.ts'
import type { Mock } from '../mock.ts'
import { readFolder } from '../node/folder.ts'
import type { FolderName } from '../node/folder.ts'
import { observeFolders } from './observe-folders.ts'
import type { Log } from './log.ts'
import type { FileTexts } from '../util/file-texts.ts'

/** The files of each folder. */
type AllTexts = Readonly<Partial<Record<FolderName, FileTexts>>>

interface WatchParts {
  /** Absolute paths. */
  readonly folders: ReadonlyMap<FolderName, string>
  /** Their files at the start. */
  readonly first: AllTexts
  readonly mock: Pick<Mock, 'reload'>
  readonly log: Pick<Log, 'note' | 'warn' | 'fault'>
}

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
 */
export async function watch({ folders, first, mock, log }: WatchParts): Promise<void> {
  let last = first
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
  await observeFolders(paths, {
    onChange: () => refresh().catch(log.fault),
    onFault(fault) {
      const reason = fault instanceof Error ? fault.message : String(fault)
      log.warn(`The folders cannot be watched: ${reason}. Restart the mock after a change.`)
    },
  })
  log.note?.(`Watching ${paths.map(toShown).join(' and ')}`)
}
