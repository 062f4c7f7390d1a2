import * as z from 'zod'
import { ARRAY, OBJECT, StateFault, expectState, toImage, toImageText, writeEach } from './records.ts'
import { parseJson } from '../http/json.ts'
import { changeRecord, toStoredChange, writeChange } from './change-text.ts'
import type { Change } from './change.ts'
import type { StoredImage } from './resource.ts'
import { Problem, SetupError, toMessage } from '../../errors.ts'
import { timeSlices } from '../../util/time-slices.ts'
import type { Adapter } from 'lowdb'

const STATE_FORMAT = 'resource-mock-state/1'

/** The state as it is stored: the changes that rebuild each session on top of the fixtures. */
export interface KeptState {
  /** Identifies the fixtures of the mock that wrote it. */
  readonly fixtures?: string | undefined
  readonly sessions: ReadonlyMap<string, readonly Change[]>
}

/** Writes the state as JSON text in pieces, int64 exact. */
export function* writeState({ fixtures, sessions }: KeptState, writeImage = toImageText): Generator<string> {
  yield `{"format":"${STATE_FORMAT}",\n`
  if (fixtures !== undefined) yield `"fixtures":${JSON.stringify(fixtures)},\n`
  yield '"sessions":'
  yield* writeEach(sessions, OBJECT, function* writeSession([name, changes]) {
    yield `${JSON.stringify(name)}:`
    yield* writeEach(changes, ARRAY, (change) => writeChange(change, writeImage))
  })
  yield '}\n'
}

const stateRecord = z.strictObject({
  format: z.literal(STATE_FORMAT),
  fixtures: z.string().optional(),
  sessions: z.record(z.string(), z.array(changeRecord)),
})

/**
 * Parses the output of {@link writeState}.
 *
 * @throws {Problem} 400 for text that is not JSON; its `detailedErrorMessage` has the position.
 * @throws {StateFault} for JSON that is not a state.
 */
export function parseState(text: string, readImage = toImage): KeptState {
  const value = parseJson(text)
  // Another format may have members that this one does not know.
  expectState(z.looseObject({ format: z.literal(STATE_FORMAT) }), value)
  const { fixtures, sessions } = expectState(stateRecord, value)
  return {
    fixtures,
    sessions: new Map(
      Object.entries(sessions).map(([name, changes]) => [
        name,
        changes.map((change, at) => toStoredChange(change, `sessions.${name}[${at}].`, readImage)),
      ]),
    ),
  }
}

function* listImages({ sessions }: KeptState): Generator<StoredImage> {
  for (const change of [...sessions.values()].flat()) {
    if (change.kind === 'image') yield change.image
    else if (change.kind === 'project') yield* change.data?.images() ?? []
    else if (change.kind === 'session') for (const data of change.data?.values() ?? []) yield* data.images()
  }
}

/** The name of an unnamed persistence, for the start of a sentence. */
export const DEFAULT_NAME = 'The kept state'

/**
 * Stores the state across restarts: whole texts, one write at a time.
 *
 * @example
 * const persistence: Persistence = {
 *   read: async () => localStorage.getItem('mock') ?? undefined,
 *   write: async (text) => localStorage.setItem('mock', text),
 * }
 */
export interface Persistence {
  /** Its name for the start of a sentence, such as `The state file state.json`. Default `The kept state`. */
  readonly name?: string
  /** The last written text; undefined if there is none. */
  read(): Promise<string | undefined>
  /** Resolves once the text is stored; until then the old text stays intact. */
  write(text: string): Promise<void>
  /** Stores each image once, next to the text. Default: images are in the text, which each write repeats. */
  readonly images?: {
    /** All stored images, by name. */
    read(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>
    write(name: string, bytes: Uint8Array): Promise<void>
    remove(name: string): Promise<void>
  }
  /** Lines with the journals and scenario counters, written when the mock closes. Default: not stored. */
  readonly journal?: {
    /** Reads the stored lines one at a time, oldest first, without line breaks. */
    read(each: (line: string) => void): Promise<void>
    /** Replaces all lines at once. Each ends with a line break. */
    replace(lines: readonly string[]): Promise<void>
  }
}

/** Says why a state could not be read or written, and what to do. */
export function describeStateFault(fault: unknown): string {
  // The JavaScript error for a string that is too long.
  if (fault instanceof RangeError) return 'it would be longer than 512 MB. Delete sessions, resources or snapshots.'
  const message = toMessage(fault)
  if (fault instanceof Problem) return message
  // Those of the system end without a period, and without a remedy.
  return message.endsWith('.') ? message : `${message}. Correct that, and try again.`
}

/** The error for journals that could not be stored next to the state. */
export const toJournalError = ({ name = DEFAULT_NAME }: Pick<Persistence, 'name'>, cause: unknown): Error =>
  new Error(`${name} is without the journals of this run: ${describeStateFault(cause)}`, { cause })

/** The lowdb adapter of a persistence. It never overwrites a text that it could not read. */
export function createStateAdapter(persistence: Persistence): Adapter<KeptState> {
  const { name = DEFAULT_NAME, images } = persistence
  /** The names of the stored images, by their bytes. */
  const stored = new Map<Uint8Array, string>()

  const toFileText = ({ bytes, ...image }: StoredImage): string => JSON.stringify({ ...image, file: stored.get(bytes) })

  /** Stores the images that are not stored yet. */
  async function writeImages(used: ReadonlySet<Uint8Array>): Promise<void> {
    for (const bytes of used) {
      if (stored.has(bytes)) continue
      const file = crypto.randomUUID()
      // oxlint-disable-next-line no-await-in-loop -- one write at a time
      await images?.write(file, bytes)
      stored.set(bytes, file)
    }
  }

  async function removeImages(used: ReadonlySet<Uint8Array>): Promise<void> {
    const unused = [...stored].filter(([bytes]) => !used.has(bytes))
    for (const [bytes] of unused) stored.delete(bytes)
    // One that is left behind does no harm.
    await Promise.allSettled(unused.map(async ([, file]) => images?.remove(file)))
  }

  return {
    async read() {
      const text = await persistence.read()
      if (text === undefined) return null
      const found = (await images?.read()) ?? new Map<string, Uint8Array<ArrayBuffer>>()
      for (const [file, bytes] of found) stored.set(bytes, file)
      try {
        return parseState(text, (record) => {
          if (record.file === undefined) return toImage(record)
          const bytes = found.get(record.file)
          if (bytes === undefined) throw new StateFault(`the file of its image ${record.file} is missing.`)
          return { ...toImage(record), bytes }
        })
      } catch (fault) {
        throw new SetupError(
          `${name} cannot be read: ${describeStateFault(fault)} It was left unchanged. Repair it, or point --persist at another file.`,
        )
      }
    },
    async write(state) {
      const used = new Set(images && Array.from(listImages(state), ({ bytes }) => bytes))
      await writeImages(used)
      const pieces: string[] = []
      const slice = timeSlices.start()
      for (const piece of writeState(state, images && toFileText)) {
        pieces.push(piece)
        // oxlint-disable-next-line no-await-in-loop -- yields to others; a generator would take a microtask per piece
        if (slice.isOver()) await slice.next()
      }
      await persistence.write(pieces.join(''))
      await removeImages(used)
    },
  }
}
