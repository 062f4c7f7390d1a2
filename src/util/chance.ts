/** A seeded random number generator: the same seed gives the same sequence. */
export interface Chance {
  /** Returns a number that is at least 0 and less than 1. */
  next(): number
}

/** A small, fast 32-bit generator (mulberry32); good enough for a mock, but not for secrets. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    },
  }
}

/** Generates a UUID version 4 (RFC 9562, section 5.4). With a seeded generator, the ids are the same in every run. */
export function toUuid(chance: Chance): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(chance.next() * 16))
  digits[12] = 4
  digits[16] = 8 + ((digits[16] ?? 0) % 4)
  const hex = digits.map((digit) => digit.toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Returns a 32-bit FNV-1a hash; collisions are possible. */
export function toHash(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** Derives a seed for one part of the mock, so that other parts do not affect its random numbers. */
export const toPartSeed = (seed: number, part: string): number => toHash(part, seed)

/**
 * Creates a generator of ids for a position in shared data, such as the write after a log position of a session. All mocks
 * generate the same ids for it.
 */
export function createSharedIds(seed: number, part: string, position: number): () => string {
  const chance = createChance(toPartSeed(seed, `${part}#${position}`))
  return () => toUuid(chance)
}
