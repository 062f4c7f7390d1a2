import { distance } from 'fastest-levenshtein'

/** What it costs that something else stands in a segment's place: as much as one too many and one missing. */
const OTHER = 2
/** What a parameter takes may be a literal misspelt: where one is near, it is likelier. */
const TAKEN = 0.2
/** Of a long segment so many characters are compared: none of the service's own has as many. */
const COMPARED = 100
/** A slash too many is a smaller slip than a whole segment. */
const toSurplusCost = (segment: string): number => (segment === '' ? 0.2 : 1)
/** Literal text is what a path is known by; a parameter is easily forgotten. */
const toMissingCost = (wanted: string): number => (wanted.startsWith('{') ? 1 : OTHER)

/** How far one segment is from one of a template: literal text by its letters, a parameter takes anything. */
function measureSegment(segment: string, wanted: string): number {
  const [literal = '', parameter] = wanted.split('{')
  if (parameter !== undefined && segment.startsWith(literal)) return segment === '' ? OTHER : TAKEN
  const apart = distance(segment.slice(0, COMPARED), literal) / Math.max(segment.length, literal.length, 1)
  return apart > 0.5 ? OTHER : apart
}

/**
 * How far a path is from a template such as `/{projectKey}/resource`, from near 0 to 1. Segments may differ, be missing
 * or be too many, whichever explains the path best (Wagner and Fischer, 1974).
 */
export function measurePath(path: string, template: string): number {
  // What goes deeper is far from every template anyway.
  const segments = path.split('/').slice(1, 40)
  const wanted = template.split('/').slice(1)
  let row = [0]
  for (const one of wanted) row.push((row.at(-1) ?? 0) + toMissingCost(one))
  for (const segment of segments) {
    const above = row
    row = [(above[0] ?? 0) + toSurplusCost(segment)]
    for (const [index, one] of wanted.entries()) {
      const replaced = (above[index] ?? 0) + measureSegment(segment, one)
      const surplus = (above[index + 1] ?? 0) + toSurplusCost(segment)
      const missing = (row[index] ?? 0) + toMissingCost(one)
      row.push(Math.min(replaced, surplus, missing))
    }
  }
  return Math.min(1, (row.at(-1) ?? 0) / Math.max(segments.length, wanted.length))
}
