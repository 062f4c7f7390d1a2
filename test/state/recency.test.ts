import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRecency, findLatest, noteWrite } from '../../src/state/recency.ts'

type Step = { readonly write: string } | { readonly remove: string }

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    ids.map((write) => ({ write })),
    ids.map((remove) => ({ remove })),
  ),
  { maxLength: 300, size: 'max' },
)

it('agrees with a plain list, whatever is written and removed', () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const recency = createRecency([])
      const there = new Set<string>()
      let plain: string[] = []
      for (const step of steps) {
        if ('write' in step) {
          there.add(step.write)
          noteWrite(recency, step.write, (id) => there.has(id), there.size)
          plain = [...plain.filter((id) => id !== step.write), step.write]
        } else {
          there.delete(step.remove)
          plain = plain.filter((id) => id !== step.remove)
        }
        expect(findLatest(recency, (id) => there.has(id))).toBe(plain.at(-1))
      }
    }),
    { numRuns: 50 },
  )
})

it('notes a resource once that is written several times in a row', () => {
  const recency = createRecency([])
  for (let turn = 0; turn < 5; turn += 1) noteWrite(recency, 'a', () => true, 1)
  expect(recency.stack).toEqual(['a'])
})

it('stays small however often the same resources are written', () => {
  const recency = createRecency(['a', 'b'])
  for (let turn = 0; turn < 1000; turn += 1) noteWrite(recency, turn % 2 === 0 ? 'a' : 'b', () => true, 2)
  expect(recency.stack.length).toBeLessThan(100)
})

it('becomes small again with 130,000 resources', () => {
  const ids = Array.from({ length: 130_000 }, (_, at) => `r${at}`)
  const recency = createRecency([...ids, ...ids, ...ids])
  noteWrite(recency, 'r1', () => true, ids.length)
  expect(recency.stack).toHaveLength(ids.length)
  expect(recency.stack.at(-1)).toBe('r1')
})
