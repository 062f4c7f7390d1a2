import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Queue } from '../../src/util/queue.ts'
import { collectGarbage } from '../support/collect-garbage.ts'

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
        } else {
          queue.add(value)
          if (!expected.includes(value)) expected.push(value)
        }
        expect(queue.toArray()).toEqual(expected)
        expect(queue.size).toBe(expected.length)
      }
    }),
  )
})

it.each(['delete', 'shift'] as const)('a queue of ten holds none of the values that left it by %s', async (method) => {
  const queue = new Queue<object>()
  const here: object[] = []
  const all = Array.from({ length: 1000 }, () => {
    const value = {}
    queue.add(value)
    here.push(value)
    const oldest = here.length > 10 ? here.shift() : undefined
    if (oldest !== undefined) queue[method](oldest)
    return new WeakRef(value)
  })
  await collectGarbage()
  expect(all.filter((value) => value.deref() !== undefined)).toHaveLength(10)
  expect(queue.toArray()).toEqual(here)
})
