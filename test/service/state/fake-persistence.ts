import type { Lines, Persistence } from '../../../src/service/state/kept-state.ts'

/** Text storage that a test can hold up, fail and inspect. */
export interface FakePersistence extends Persistence {
  /** Every text that was written, oldest first, including unfinished writes. */
  readonly texts: readonly string[]
  /** The stored text: the last one whose write finished. */
  readonly kept: () => string | undefined
  /** Finishes the oldest held write; with an error, the write fails. */
  readonly release: (fault?: Error) => void
}

/** Writes that wait until a test finishes them; they finish immediately if not held. */
function createHold(held: boolean) {
  const waiting: ((fault?: Error) => void)[] = []
  const wait = (done: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (fault?: Error) => {
        if (fault !== undefined) {
          reject(fault)
          return
        }
        done()
        resolve()
      }
      if (held) waiting.push(end)
      else end()
    })
  return { wait, release: (fault?: Error) => waiting.shift()?.(fault) }
}

/** Stores texts in memory; `held`: each write waits until it is released. */
export function createFakePersistence({ text, held = false }: { text?: string; held?: boolean } = {}): FakePersistence {
  let kept = text
  const texts: string[] = []
  const { wait, release } = createHold(held)
  return {
    texts,
    kept: () => kept,
    release,
    read: () => Promise.resolve(kept),
    write(next) {
      texts.push(next)
      return wait(() => {
        kept = next
      })
    },
  }
}

/** Storage for lines next to its text, like a file. */
export interface FakeFile extends Persistence {
  readonly lines: Lines
  text: string | undefined
  log: string | undefined
  /** The stored journals and counters. */
  journalText: string | undefined
  /** Number of times the whole text was written. */
  readonly writes: () => number
  /** Finishes the oldest held append; with an error, the append fails. */
  readonly release: (fault?: Error) => void
}

function readLines(text: string | undefined, each: (line: string) => void): boolean {
  for (const line of text?.split('\n').slice(0, -1) ?? []) each(line)
  return text !== undefined
}

/** Stores a text and lines in memory; `held`: each append waits until it is released. */
export function createFakeFile({ held = false }: { held?: boolean } = {}): FakeFile {
  const { wait, release } = createHold(held)
  let writes = 0
  const file: FakeFile = {
    text: undefined,
    log: undefined,
    journalText: undefined,
    writes: () => writes,
    release,
    read: () => Promise.resolve(file.text),
    write(text) {
      writes += 1
      file.text = text
      return Promise.resolve()
    },
    journal: {
      read: (each) => Promise.resolve(readLines(file.journalText, each)),
      replace(lines) {
        file.journalText = lines.join('')
        return Promise.resolve()
      },
    },
    lines: {
      read: (each) => Promise.resolve(readLines(file.log, each)),
      async append(lines) {
        if (file.text === undefined) return false
        await wait(() => {
          file.log = (file.log ?? '') + lines
        })
        return true
      },
      resume() {
        file.log = file.log?.slice(0, file.log.lastIndexOf('\n') + 1)
        return Promise.resolve()
      },
      replace(lines) {
        file.log = lines.join('')
        return Promise.resolve()
      },
      remove() {
        file.log = undefined
        return Promise.resolve()
      },
    },
  }
  return file
}
