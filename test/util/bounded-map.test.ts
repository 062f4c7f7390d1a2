import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/util/collections.ts'

it('lets the oldest entry go when a new one would be too many', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ])
})

it('lets nothing go when an entry is only changed', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('b', 3)
  expect([...map.keys()]).toEqual(['a', 'b'])
})
