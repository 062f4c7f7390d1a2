import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJson, stringifyJson } from '../../../examples/storefront/src/api/json.ts'
import { EMPTY, toFields, toProperty } from '../../../examples/storefront/src/product/fields.ts'
import type { Product } from '../../../examples/storefront/src/product/product.ts'

const text = readFileSync(join(import.meta.dirname, '../../../fixtures/resources.json'), 'utf8')

describe('the fields of a form', () => {
  // The shop's product type describes the parsed record.
  const products = parseJson(text) as readonly Product[]
  const named = products.map((product) => [product.key ?? product.id, product] as const)

  it.each(named.slice(0, -1))('round-trip: %s', (_key, product) => {
    const { objectTypeProperty } = product
    expect(toProperty(toFields(product), objectTypeProperty)).toMatchObject(objectTypeProperty)
  })

  it.each([
    [189.9, '189.90'],
    [21, '21.00'],
    [0.125, '0.125'],
  ])('show a price of %d as %s', (price, shown) => {
    expect(toFields({ id: 'any', version: 1, objectTypeProperty: { arrayOfFloatExample: [price] } }).price).toBe(shown)
  })

  it('replace the first entry of each array, and keep the others', () => {
    const before = { arrayOfIntExample: [1, 2], arrayOfFloatExample: [10, 9], arrayOfTwonumbersExample: [3, 4] }
    const fields = { ...EMPTY, name: ' Vase ', price: '12.50', stock: '9223372036854775807', labels: 'white, , tall' }
    expect(stringifyJson(toProperty(fields, before))).toBe(
      '{"arrayOfIntExample":[9223372036854775807,2],"arrayOfFloatExample":[12.5,9],' +
        '"arrayOfTwonumbersExample":[3,4],"arrayOfStringExample":["Vase","white","tall"]}',
    )
  })
})
