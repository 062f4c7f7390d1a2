/** Chance that can be seeded: the same seed gives the same sequence. */
export interface Chance {
  /** At least 0 and less than 1. */
  next(): number
}

/** A small, fast generator of 32 bits (mulberry32); good for a mock, not for secrets. */
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

/** A UUID of version 4 (RFC 9562, section 5.4) made by chance, so that a seeded mock gives the same ids again. */
export function toUuid(chance: Chance): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(chance.next() * 16))
  digits[12] = 4
  digits[16] = 8 + ((digits[16] ?? 0) % 4)
  const hex = digits.map((digit) => digit.toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A number of 32 bits by which texts can be told apart (FNV-1a); many texts have the same. */
export function toHash(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** A seed for a part of what is made by chance, so that other parts do not change its numbers. */
export const toPartSeed = (seed: number, part: string): number => toHash(part, seed)

/** Makes ids for a place in a part of what mocks share, such as the write that follows a position in a session. */
export function createSharedIds(seed: number, part: string, place: number): () => string {
  const chance = createChance(toPartSeed(seed, `${part}#${place}`))
  return () => toUuid(chance)
}
