import { diffArrays } from 'diff'

/** A line that only one of two texts has at its place. */
export interface LineChange {
  readonly kind: 'removed' | 'added'
  readonly line: string
}

type Lines = readonly string[]

const toChanges = (kind: LineChange['kind'], lines: Lines): readonly LineChange[] =>
  lines.map((line) => ({ kind, line }))

/**
 * What differs between the lines of two texts, in their order; empty only where they are the same.
 *
 * @param most how many lines may differ: finding them takes the square of that. Undefined where more do.
 */
export function findLineChanges(before: Lines, after: Lines, most: number): readonly LineChange[] | undefined {
  return diffArrays([...before], [...after], { maxEditLength: most })
    ?.filter(({ removed, added }) => removed || added)
    .flatMap(({ removed, value }) => toChanges(removed ? 'removed' : 'added', value))
}
