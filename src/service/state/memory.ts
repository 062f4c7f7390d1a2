import { problem } from '../../errors.ts'

/** What a mock uses its memory for. */
const memoryUses = ['state', 'versions', 'journals', 'tests'] as const

type MemoryUse = (typeof memoryUses)[number]

/** A string may take two bytes per character. */
export const textBytes = (text = ''): number => 2 * text.length

/** The size of each member of a record: fixed, in bytes, or counted from its value. */
type MemberSizes<Kept> = { readonly [Member in keyof Kept]-?: number | ((value: Kept[Member]) => number) }

/** The fixed overhead for the objects of a record. */
const RECORD_BYTES = 1024

/**
 * Creates a function that counts the memory of a record, in bytes. A member without a size does not compile.
 *
 * @param sizes 0 for what is counted elsewhere, and for what {@link RECORD_BYTES} covers
 * @example const countNote = createByteCounter<Note>({ id: 0, text: textBytes })
 */
export function createByteCounter<Kept extends object>(
  sizes: MemberSizes<Kept>,
  overhead = RECORD_BYTES,
): (kept: Kept) => number {
  // Object.entries() loses which value belongs to which member.
  const members = Object.entries(sizes) as [keyof Kept, number | ((value: unknown) => number)][]
  const counted = members.flatMap(([name, size]) => (typeof size === 'number' ? [] : [{ name, size }]))
  const fixed = members.reduce((sum, [, size]) => sum + (typeof size === 'number' ? size : 0), overhead)
  return function countBytes(kept) {
    let bytes = fixed
    for (const { name, size } of counted) bytes += size(kept[name])
    return bytes
  }
}

/** Adds up sizes. */
export function sumBytes<Item>(items: Iterable<Item>, size: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += size(item)
  return sum
}

const toMegabytes = (bytes: number): string => `${Math.ceil(bytes / (1024 * 1024))} MB`

/** Counts what all sessions keep, in bytes. */
export type Memory = ReturnType<typeof createMemory>

/**
 * Creates the account of what all sessions keep (`--memory`). One session may hold at most half of the limit.
 *
 * @param free frees the least important item of a session or, without a name, of all; returns whether there was one
 */
export function createMemory(limit: number, free: (session?: string) => boolean = () => false) {
  const most = limit / 2
  const sessions = new Map<string, number>()
  const uses = new Map<MemoryUse, number>(memoryUses.map((use) => [use, 0]))
  let total = 0

  const ofSession = (session: string): number => sessions.get(session) ?? 0

  /** Frees memory until `growth` fits. Returns false if that is impossible, and leaves the rest as it is. */
  function makeRoom(session: string | undefined, growth: number): boolean {
    for (;;) {
      const isLarge = session !== undefined && ofSession(session) + growth > most
      if (!isLarge && total + growth <= limit) return true
      if (!free(isLarge ? session : undefined)) return false
    }
  }

  return {
    /**
     * Records that a session, or the mock itself, keeps more or less. Beyond the limit, frees what it can.
     *
     * @param bytes negative for less
     */
    add(use: MemoryUse, session: string | undefined, bytes: number): void {
      total += bytes
      uses.set(use, (uses.get(use) ?? 0) + bytes)
      if (session !== undefined) {
        const own = ofSession(session) + bytes
        if (own === 0) sessions.delete(session)
        else sessions.set(session, own)
      }
      // A write to the state has made room before.
      if (bytes > 0 && use !== 'state') makeRoom(session, 0)
    },
    /**
     * Makes room for a write.
     *
     * @throws {Problem} 503 if there is not enough.
     */
    expectRoom(session: string, growth: number): void {
      if (growth <= 0 || makeRoom(session, growth)) return
      if (ofSession(session) + growth > most) {
        throw problem.overCapacity(
          `Session "${session}" would keep more than ${toMegabytes(most)}, half of what all sessions may keep. Delete resources or snapshots, reset the session, or raise --memory.`,
        )
      }
      const [largest = '', bytes = 0] = [...sessions].toSorted(([, one], [, other]) => other - one)[0] ?? []
      throw problem.overCapacity(
        `All sessions together may keep ${toMegabytes(limit)}, and this write would exceed that. Session "${largest}" is the largest, with ${toMegabytes(bytes)}. Reset or delete sessions, or raise --memory.`,
      )
    },
    /** The bytes for each use. */
    uses: uses as ReadonlyMap<MemoryUse, number>,
  }
}
