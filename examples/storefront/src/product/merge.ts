import { fieldNames } from './fields.ts'
import type { FieldName, Fields } from './fields.ts'

/** The fields that differ between the two. */
export const findChanged = (before: Fields, after: Fields): readonly FieldName[] =>
  fieldNames.filter((name) => before[name] !== after[name])

/**
 * Two users changed the same product: keeps my changes and their other fields, so that keeping mine does not undo changes
 * to fields that I did not touch.
 */
export const merge = (before: Fields, theirs: Fields, mine: Fields): Fields => ({
  ...theirs,
  ...Object.fromEntries(findChanged(before, mine).map((name) => [name, mine[name]])),
})
