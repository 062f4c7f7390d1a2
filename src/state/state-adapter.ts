import type { Adapter } from 'lowdb'
import { Problem, SetupError } from '../errors.ts'
import { pause } from '../util/pause.ts'
import { parseStateText } from './kept-state.ts'
import { toStateText, writeState } from './write-state.ts'
import type { StateData } from './state-data.ts'

/** What a sentence about a persistence without a name begins with. */
export const DEFAULT_NAME = 'The kept state'

/** Lines that continue a text. Each ends with a line break. */
export interface Lines {
  /**
   * Reads what is kept a line at a time, the oldest first, without line breaks. A last line that was cut off is left out.
   *
   * @returns false where nothing is kept, not even an empty text
   */
  read(each: (line: string) => void): Promise<boolean>
  /**
   * Resolves to true when the lines are kept, and to false if the text that they continue is gone. Rejects if they cannot be
   * kept; then none of them is.
   */
  append(lines: string): Promise<boolean>
  /** Goes on after the last line that was read; what was cut off is removed. */
  resume(): Promise<void>
  /** Replaces all lines at once. */
  replace(lines: readonly string[]): Promise<void>
  remove(): Promise<void>
}

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
  /** Lines next to the text, so that a write need not replace all of it. Default: none. */
  readonly lines?: Lines
  /** Lines of their own for the journals and the counters of scenarios, written when the mock closes. Default: not kept. */
  readonly journal?: Pick<Lines, 'read' | 'replace'>
}

function describe(fault: unknown): string {
  // What JavaScript says for a string that is too long.
  if (fault instanceof RangeError) return 'it would be longer than 512 MB. Delete sessions, resources or snapshots.'
  if (fault instanceof Problem) return fault.errors[0].detailedErrorMessage ?? fault.message
  return fault instanceof Error ? fault.message : String(fault)
}

/** What is said where a write could not be kept. */
export const toWriteError = (name: string, cause: unknown): Error =>
  new Error(`${name} could not be written, so the change was undone: ${describe(cause)}`, { cause })

/** After so many pieces of a state others have their turn. */
const PIECES = 300

/** As `toStateText`, but others have their turn meanwhile. */
async function writeSlowly(state: StateData): Promise<string> {
  const pieces: string[] = []
  for (const piece of writeState(state)) {
    // oxlint-disable-next-line no-await-in-loop -- a slice after the other
    if (pieces.push(piece) % PIECES === 0) await pause()
  }
  return pieces.join('')
}

/**
 * The lowdb adapter over a place that keeps texts: int64 exact, and never overwriting what it could not read. Where the place
 * has lines, too, nothing changes while a text is made, and others have their turn meanwhile.
 */
export function createStateAdapter(persistence: Persistence): Adapter<StateData> {
  const { name = DEFAULT_NAME } = persistence
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
        await persistence.write(persistence.lines === undefined ? toStateText(data) : await writeSlowly(data))
      } catch (cause) {
        throw toWriteError(name, cause)
      }
    },
  }
}
