import { expect, it } from 'vitest'
import { createShare } from '../../src/node/line.ts'

it('gives one list for all that say the same in a row, and a list of its own for another', () => {
  const share = createShare()
  const first = ['Host', 'mock', 'X-A', '1']
  const other = ['Host', 'mock', 'X-A', '2']
  expect(share(first)).toBe(first)
  expect(share([...first])).toBe(first)
  expect(share(other)).toBe(other)
  expect(share([...other])).toBe(other)
  expect(share(first.slice(0, 2))).toEqual(['Host', 'mock'])
})
