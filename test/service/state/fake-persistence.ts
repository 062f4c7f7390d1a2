import type { Persistence } from '../../../src/service/state/kept-state.ts'

/** Storage in memory that a test can hold up, fail and inspect. */
export interface FakePersistence extends Persistence {
  /** Every text that was written after the start, oldest first, including unfinished writes. */
  readonly texts: readonly string[]
  /** The stored text: the last one whose write finished. */
  readonly kept: () => string | undefined
  /** Finishes the oldest held write; with an error, the write fails. */
  readonly release: (fault?: Error) => void
  /** The stored journals and counters. */
  journalText: string | undefined
}

/** Stores texts in memory; `held`: each write after that of the start waits until it is released. */
export function createFakePersistence({ text, held = false }: { text?: string; held?: boolean } = {}): FakePersistence {
  let kept = text
  let hasStarted = false
  const texts: string[] = []
  const waiting: ((fault?: Error) => void)[] = []
  const fake: FakePersistence = {
    texts,
    kept: () => kept,
    release: (fault) => waiting.shift()?.(fault),
    journalText: undefined,
    read: () => Promise.resolve(kept),
    async write(next) {
      if (hasStarted) {
        texts.push(next)
        if (held)
          await new Promise<void>((resolve, reject) => {
            waiting.push((fault) => (fault === undefined ? resolve() : reject(fault)))
          })
      }
      hasStarted = true
      kept = next
    },
    journal: {
      async read(each) {
        for (const line of fake.journalText?.split('\n') ?? []) each(line)
      },
      async replace(lines) {
        fake.journalText = lines.join('')
      },
    },
  }
  return fake
}
