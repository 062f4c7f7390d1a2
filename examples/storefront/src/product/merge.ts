import { fieldNames } from './fields.ts'
import type { FieldName, Fields } from './fields.ts'

/** The fields that are not the same in both. */
export const findChanged = (before: Fields, after: Fields): readonly FieldName[] =>
  fieldNames.filter((name) => before[name] !== after[name])

/**
 * Two people changed the same product: what I changed is mine, and all else theirs, so that keeping mine takes back
 * nothing that I never touched.
 */
export const merge = (before: Fields, theirs: Fields, mine: Fields): Fields => ({
  ...theirs,
  ...Object.fromEntries(findChanged(before, mine).map((name) => [name, mine[name]])),
})
