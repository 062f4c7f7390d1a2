import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Queue } from '../../src/util/queue.ts'

it('a queue gives its oldest value first, whatever was added and deleted in between', () => {
  const step = fc.oneof(
    fc.constant<['shift']>(['shift']),
    fc.tuple(fc.constant<'add' | 'delete'>('add'), fc.nat({ max: 9 })),
    fc.tuple(fc.constant<'add' | 'delete'>('delete'), fc.nat({ max: 9 })),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new Queue<number>()
      let expected: number[] = []
      for (const [kind, value] of steps) {
        if (value === undefined) {
          expect(queue.shift()).toBe(expected.shift())
        } else if (kind === 'delete') {
          expect(queue.delete(value)).toBe(expected.includes(value))
          expected = expected.filter((one) => one !== value)
        } else if (!expected.includes(value)) {
          queue.add(value)
          expected.push(value)
        }
        expect(queue.toArray()).toEqual(expected)
        expect(queue.size).toBe(expected.length)
      }
    }),
  )
})
