import { Tally } from './metrics.ts'
import type { Durations } from './metrics.ts'

/** Measures the requests to a store that mocks share. */
export interface StoreMetrics {
  /** Counts a command by its name, and how many milliseconds it took. */
  observe(command: string, duration: number): void
  /** Counts a command that is sent once more. */
  retry(): void
  readonly retries: number
  readonly commands: ReadonlyMap<string, Durations>
}

export function createStoreMetrics(): StoreMetrics {
  const commands = new Map<string, Tally>()
  let retries = 0
  return {
    observe(command, duration) {
      let tally = commands.get(command)
      if (tally === undefined) commands.set(command, (tally = new Tally()))
      tally.add(duration)
    },
    retry() {
      retries += 1
    },
    get retries() {
      return retries
    },
    commands,
  }
}
