import type { Adapter } from 'lowdb'
import { Problem, SetupError } from '../errors.ts'
import { parseStateText, toStateText } from './state-text.ts'
import type { StateData } from './state-data.ts'

/**
 * Where the state is kept across restarts: whole texts, one write at a time.
 *
 * @example
 * const persistence: Persistence = {
 *   read: async () => localStorage.getItem('mock') ?? undefined,
 *   write: async (text) => localStorage.setItem('mock', text),
 * }
 */
export interface Persistence {
  /** What a sentence about it begins with, such as `The state file state.json`. Default `The kept state`. */
  readonly name?: string
  /** The text last written, or undefined when there is none yet. */
  read(): Promise<string | undefined>
  /** Resolves when the text is kept; until then the old text stays whole. */
  write(text: string): Promise<void>
}

function describe(fault: unknown): string {
  if (fault instanceof Problem) return fault.errors[0].detailedErrorMessage ?? fault.message
  return fault instanceof Error ? fault.message : String(fault)
}

/** The lowdb adapter over a place that keeps texts: int64 exact, and never overwriting what it could not read. */
export function createStateAdapter(persistence: Persistence): Adapter<StateData> {
  const { name = 'The kept state' } = persistence
  return {
    async read() {
      const text = await persistence.read()
      if (text === undefined) return null
      try {
        return parseStateText(text)
      } catch (fault) {
        throw new SetupError(
          `${name} cannot be read: ${describe(fault)} It was left as it is; mend it, or give --persist another file.`,
        )
      }
    },
    async write(data) {
      try {
        await persistence.write(toStateText(data))
      } catch (cause) {
        throw new Error(`${name} could not be written, so the change was undone: ${describe(cause)}`, { cause })
      }
    },
  }
}
