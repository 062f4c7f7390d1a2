import { distance } from 'fastest-levenshtein'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWithinEdits } from '../../../src/service/query/words.ts'

describe('a word within an edit distance of another', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

  it('agrees with the distance', () => {
    fc.assert(
      fc.property(word, word, fc.nat(2), (a, b, edits) => {
        expect(isWithinEdits(a, b, edits)).toBe(distance(a, b) <= edits)
      }),
    )
  })

  it('reads few letters of long words', () => {
    let looks = 0
    /** A text that records how much of it is read. */
    function watch(text: string): string {
      const charCodeAt = (at: number) => {
        looks += 1
        return text.charCodeAt(at)
      }
      return { length: text.length, charCodeAt } as unknown as string
    }
    expect(isWithinEdits(watch('a'.repeat(10_000)), watch(`${'a'.repeat(5000)}b${'a'.repeat(5000)}`), 1)).toBe(true)
    expect(isWithinEdits(watch('a'.repeat(10_000)), watch('b'.repeat(10_000)), 2)).toBe(false)
    expect(looks).toBeLessThan(100_000)
  })
})
