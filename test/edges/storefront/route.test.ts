import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRoute, toCart, toEdit, toList, toProduct } from '../../../examples/storefront/src/route.ts'
import { toPageNumbers } from '../../../examples/storefront/src/views/page-numbers.ts'

describe('the routes of the shop', () => {
  it('round-trip through their URLs', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.integer({ min: 1, max: 999 }), (text, room, page) => {
        expect(parseRoute(toList({ text, room, page }))).toEqual({ name: 'list', text, room, page })
      }),
    )
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..')
        expect(parseRoute(toProduct(id))).toEqual({ name: 'product', id })
        expect(parseRoute(toEdit(id))).toEqual({ name: 'edit', id })
      }),
    )
    expect(parseRoute(toCart('de-DE'))).toEqual({ name: 'cart', locale: 'de-DE' })
  })

  it.each([
    ['', 'list'],
    ['#', 'list'],
    ['#/?page=-1', 'list'],
    ['#/product', 'nowhere'],
    ['#/cellar', 'nowhere'],
  ])('%s is %s', (hash, name) => {
    expect(parseRoute(hash).name).toBe(name)
  })
})

describe('the page numbers to show', () => {
  it.each([
    [1, 3, [1, 2, 3]],
    [1, 169, [1, 2, 0, 169]],
    [4, 9, [1, 2, 3, 4, 5, 0, 9]],
    [5, 9, [1, 0, 4, 5, 6, 0, 9]],
    [9, 9, [1, 0, 8, 9]],
  ])('on page %i of %i are %j', (current, last, numbers) => {
    expect(toPageNumbers(current, last)).toEqual(numbers)
  })
})
