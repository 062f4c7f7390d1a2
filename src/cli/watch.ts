import { relative } from 'node:path'
import { SetupError } from '../errors.ts'
import type { Mock } from '../mock.ts'
import { readFolder } from '../node/folder.ts'
import type { FolderName } from '../node/folder.ts'
import { observeFolders } from './observe-folders.ts'
import type { Log } from './log.ts'
import type { FileTexts } from '../util/file-texts.ts'

/** What was read of each folder. */
type AllTexts = Readonly<Partial<Record<FolderName, FileTexts>>>

interface WatchParts {
  /** Absolute paths. */
  readonly folders: ReadonlyMap<FolderName, string>
  /** What was read of them at the start. */
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

/** As whoever started the mock would write it. */
const toShown = (path: string): string => {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : `${shown === '' ? '.' : shown}/`
}

/**
 * Reads the folders anew when something in them changes, and says on the log what came of it: what cannot be read leaves
 * the last good state, until it is mended.
 */
export async function watch({ folders, first, mock, log }: WatchParts): Promise<void> {
  let last = first
  /** What was last told to be wrong. */
  let trouble: string | undefined

  function complain(sentence: string, isNew: boolean): void {
    if (isNew || sentence !== trouble)
      log.warn(`${sentence}${sentence.endsWith('.') ? '' : '.'} Until that is mended, what was last good is served.`)
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
    const done = changed.length === 0 ? 'All can be read.' : `Read anew: ${changed.join(', ')}.`
    log.note?.(trouble === undefined ? done : `All is well again. ${done}`)
    trouble = undefined
  }

  const paths = [...folders.values()]
  await observeFolders(paths, {
    onChange: () => refresh().catch(log.fault),
    onFault(fault) {
      const reason = fault instanceof Error ? fault.message : String(fault)
      log.warn(`The folders cannot be watched: ${reason}. Start the mock anew after a change.`)
    },
  })
  log.note?.(`Watching ${paths.map(toShown).join(' and ')}`)
}
