import type { Lines, Persistence } from '../../src/state/kept-state.ts'

/** A place for texts that a test can hold up, fail, and look into. */
export interface FakePersistence extends Persistence {
  /** Every text that was written, the oldest first; whether or not its writing has ended. */
  readonly texts: readonly string[]
  /** The text that is kept: the last one whose writing has ended. */
  readonly kept: () => string | undefined
  /** Ends the oldest write that is held up; with a fault, by failing. */
  readonly release: (fault?: Error) => void
}

/** Writes that wait until a test ends them; at once where they are not held. */
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

/** Keeps texts in memory; `held`: each write waits until it is released. */
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

/** A place that keeps lines next to its text, as a file does. */
export interface FakeFile extends Persistence {
  readonly lines: Lines
  text: string | undefined
  log: string | undefined
  /** The journals and counters that were kept. */
  journalText: string | undefined
  /** How many times the whole text was written. */
  readonly writes: () => number
  /** Ends the oldest held append; with a fault, by failing. */
  readonly release: (fault?: Error) => void
}

function readLines(text: string | undefined, each: (line: string) => void): boolean {
  for (const line of text?.split('\n').slice(0, -1) ?? []) each(line)
  return text !== undefined
}

/** Keeps a text and lines in memory; `held`: each append waits until it is released. */
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
