import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Fifo } from '../../src/util/collections.ts'
import { collectGarbage } from '../support/collect-garbage.ts'

it('a queue returns its oldest value first, after any additions and removals', () => {
  const step = fc.oneof(
    fc.constant({ kind: 'shift' as const }),
    fc.record({ kind: fc.constant('push' as const), value: fc.nat({ max: 9 }) }),
    fc.record({ kind: fc.constant('remove' as const), value: fc.nat({ max: 9 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const queue = new Fifo<number>()
      let expected: number[] = []
      for (const one of steps) {
        if (one.kind === 'shift') expect(queue.shift()).toBe(expected.shift())
        else if (one.kind === 'push') {
          queue.push(one.value)
          expected.push(one.value)
        } else {
          expect(queue.remove((value) => value === one.value)).toEqual(expected.filter((value) => value === one.value))
          expected = expected.filter((value) => value !== one.value)
        }
        expect(queue.first).toBe(expected[0])
        expect(queue.toArray()).toEqual(expected)
        expect(queue.size).toBe(expected.length)
      }
    }),
  )
})

it('a queue of ten releases values after they are removed', async () => {
  const queue = new Fifo<object>()
  const all = Array.from({ length: 1000 }, () => {
    const value = {}
    queue.push(value)
    if (queue.size > 10) queue.shift()
    return new WeakRef(value)
  })
  await collectGarbage()
  expect(all.filter((value) => value.deref() !== undefined)).toHaveLength(10)
})
