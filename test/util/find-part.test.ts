import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { findPart } from '../../src/util/find-part.ts'

it('finds the same place as indexOf', () => {
  const unit = fc.constantFrom('a', 'b')
  const text = fc
    .array(fc.tuple(unit, fc.nat(200)), { maxLength: 8 })
    .map((runs) => runs.map(([one, count]) => one.repeat(count)).join(''))
  fc.assert(
    fc.property(text, fc.nat(2000), fc.nat(600), fc.boolean(), fc.nat(50), (text, start, length, isInside, from) => {
      const part = isInside ? text.slice(start % (text.length + 1)).slice(0, length) : `${text.slice(0, length)}b`
      expect(findPart(text, part, from)).toBe(text.indexOf(part, from))
    }),
    { numRuns: 1000 },
  )
})

it('reads a text and a part at most a few times, however repetitive they are', () => {
  let reads = 0
  /** A text that records how much of it is read. */
  function watch(text: string): string {
    const charCodeAt = (at: number) => {
      reads += 1
      return text.charCodeAt(at)
    }
    return { length: text.length, charCodeAt } as unknown as string
  }
  const half = 'a'.repeat(10_000)
  expect(findPart(watch('a'.repeat(100_000)), watch(`${half}b${half}`))).toBe(-1)
  expect(reads).toBeLessThan(600_000)
})
