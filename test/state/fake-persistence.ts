import type { Persistence } from '../../src/state/state-adapter.ts'

/** A place for texts that a test can hold up, fail, and look into. */
export interface FakePersistence extends Persistence {
  /** Every text that was written, the oldest first; whether or not its writing has ended. */
  readonly texts: readonly string[]
  /** The text that is kept: the last one whose writing has ended. */
  readonly kept: () => string | undefined
  /** Ends the oldest write that is held up; with a fault, by failing. */
  readonly release: (fault?: Error) => void
}

/** Keeps texts in memory; `held`: each write waits until it is released. */
export function createFakePersistence({ text, held = false }: { text?: string; held?: boolean } = {}): FakePersistence {
  let kept = text
  const texts: string[] = []
  const waiting: ((fault?: Error) => void)[] = []
  return {
    texts,
    kept: () => kept,
    release: (fault) => waiting.shift()?.(fault),
    read: () => Promise.resolve(kept),
    write(text) {
      texts.push(text)
      return new Promise((resolve, reject) => {
        const end = (fault?: Error) => {
          if (fault !== undefined) {
            reject(fault)
            return
          }
          kept = text
          resolve()
        }
        if (held) waiting.push(end)
        else end()
      })
    },
  }
}
