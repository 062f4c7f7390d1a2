import type * as z from 'zod'
import type { outOfOrderPropertiesTestType } from './models.ts'

const person = { firstName: 'Ada', lastName: 'Example' }

/** A body of the complex POST with all sixteen members of section 2, spelled as there. */
export const complexExample: z.input<typeof outOfOrderPropertiesTestType> = {
  id: 'order-17',
  version: '3',
  key: 'order',
  createdAt: '2024-05-02T14:03:09.000Z',
  createdBy: person,
  lastModifiedAt: '2024-06-18T07:45:30.250Z',
  lastModifiedBy: person,
  custom: 'gift wrapping',
  eigthProperty: 'eight',
  ninthProperty: 'nine',
  tenthProperty: 'ten',
  eleventhPropery: 'eleven',
  twelthProperty: 'twelve',
  thirteenthProperty: 'thirteen',
  fourteenthProperty: 'fourteen',
  fifteenthProperty: 'fifteen',
}
