import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldNames } from '../../../examples/storefront/src/product/fields.ts'
import type { Fields } from '../../../examples/storefront/src/product/fields.ts'
import { findChanged, merge } from '../../../examples/storefront/src/product/merge.ts'

const text = fc.constantFrom('', 'oak', 'walnut')
const fields: fc.Arbitrary<Fields> = fc.record({ name: text, price: text, stock: text, labels: text, note: text })

describe('merge', () => {
  it('keeps my changes to a field, and takes theirs otherwise', () => {
    fc.assert(
      fc.property(fields, fields, fields, (before, theirs, mine) => {
        const merged = merge(before, theirs, mine)
        const changed = findChanged(before, mine)
        for (const name of fieldNames) {
          expect(merged[name]).toBe(changed.includes(name) ? mine[name] : theirs[name])
        }
      }),
    )
  })

  it('is mine if only I changed something, and theirs if only they did', () => {
    fc.assert(
      fc.property(fields, fields, (before, after) => {
        expect(merge(before, before, after)).toEqual(after)
        expect(merge(before, after, before)).toEqual(after)
      }),
    )
  })
})
