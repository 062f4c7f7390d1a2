import { diffArrays } from 'diff'

/** A line that only one of two texts has at its place. */
export interface LineChange {
  readonly kind: 'removed' | 'added'
  readonly line: string
}

type Lines = readonly string[]

/** Texts that differ in more lines are not compared line by line: all of one is removed, all of the other added. */
const MOST_CHANGES = 2000

const toChanges = (kind: LineChange['kind'], lines: Lines): readonly LineChange[] =>
  lines.map((line) => ({ kind, line }))

/** What differs between the lines of two texts, in their order; empty only where they are the same. */
export function diffLines(before: Lines, after: Lines): readonly LineChange[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_CHANGES })
  if (parts === undefined) return [...toChanges('removed', before), ...toChanges('added', after)]
  return parts
    .filter(({ removed, added }) => removed || added)
    .flatMap(({ removed, value }) => toChanges(removed ? 'removed' : 'added', value))
}
