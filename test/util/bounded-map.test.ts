import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/util/collections.ts'

it('removes the oldest entry when the limit is exceeded', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ])
})

it('removes nothing when an existing entry is changed', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('b', 3)
  expect([...map.keys()]).toEqual(['a', 'b'])
})
