import { problem } from '../../errors.ts'

/** What a mock uses its memory for. */
const memoryUses = ['state', 'versions', 'journals', 'tests'] as const

type MemoryUse = (typeof memoryUses)[number]

/** What an object takes besides its members. */
const OBJECT_BYTES = 64
/** A member of an object, or an entry of a list. */
export const SLOT_BYTES = 8

/** A string may take two bytes per character. */
export const textBytes = (text = ''): number => 2 * text.length

/**
 * Estimates the memory of a value by everything that it is made of, in bytes. Bytes become text when they are read.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return textBytes(value)
  if (typeof value !== 'object' || value === null) return 0
  let bytes = OBJECT_BYTES
  if (ArrayBuffer.isView(value)) return bytes + 2 * value.byteLength
  if (Symbol.iterator in value) for (const entry of value as Iterable<unknown>) bytes += SLOT_BYTES + sizeOf(entry)
  else for (const name in value) bytes += SLOT_BYTES + sizeOf(value[name as keyof typeof value])
  return bytes
}

/** The fixed overhead for what refers to a record. */
export const RECORD_BYTES = 1024

/** Adds up sizes. */
export function sumBytes<Item>(items: Iterable<Item>, size: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += size(item)
  return sum
}

const toMegabytes = (bytes: number): string => `${Math.ceil(bytes / (1024 * 1024))} MB`

/** Counts what all sessions keep, in bytes. */
export type Memory = ReturnType<typeof createMemory>

/** Frees the least important item of its kind, of a session or, without a name, of all. Returns whether there was one. */
type Free = (session?: string) => boolean

/** Creates the account of what all sessions keep (`--memory`). One session may hold at most half of the limit. */
export function createMemory(limit: number) {
  const most = limit / 2
  let order: { readonly all: readonly Free[]; readonly one: readonly Free[] } = { all: [], one: [] }
  const sessions = new Map<string, number>()
  const uses = new Map<MemoryUse, number>(memoryUses.map((use) => [use, 0]))
  let total = 0

  const ofSession = (session: string): number => sessions.get(session) ?? 0

  /** Frees memory until `growth` fits. Returns false if that is impossible, and leaves the rest as it is. */
  function makeRoom(session: string | undefined, growth: number): boolean {
    for (;;) {
      const isLarge = session !== undefined && ofSession(session) + growth > most
      if (!isLarge && total + growth <= limit) return true
      const isFreed = isLarge ? order.one.some((free) => free(session)) : order.all.some((free) => free())
      if (!isFreed) return false
    }
  }

  return {
    /**
     * Sets what is freed first when memory is full.
     *
     * @param next.all when all sessions keep too much
     * @param next.one when one session does
     */
    freeInOrder(next: typeof order): void {
      order = next
    },
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
