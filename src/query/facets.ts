import type { TermFacetResult } from '../contract/results.ts'
import type { StoredResource } from '../state/resource.ts'
import { pause } from '../util/pause.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'
import type { ListField } from './fields.ts'
import { parseSearchField } from './filters.ts'
import { compareScalars, toUniform } from './scalars.ts'
import type { Scalar } from './scalars.ts'

/** At most this many terms of a facet are listed; the rest is counted in `other`. */
export const MAX_TERMS = 200

/** Counts the terms of a field while resources pass by. */
export interface FacetCounter {
  readonly count: (resource: StoredResource) => void
  readonly toResult: () => Promise<TermFacetResult>
}

/** By count, then term (D14). */
const byCount = ([termA, countA]: readonly [Scalar, number], [termB, countB]: readonly [Scalar, number]): number =>
  countB - countA || compareScalars(termA, termB)

/** What it takes to count a term, in values looked at. */
const TERM_COST = 4

/** The terms that come first. */
async function pickTop(
  counts: ReadonlyMap<Scalar, number>,
  { spend, isPauseDue }: Effort,
): Promise<readonly (readonly [Scalar, number])[]> {
  const top: (readonly [Scalar, number])[] = []
  for (const entry of counts) {
    spend(TERM_COST)
    if (isPauseDue()) await pause()
    const last = top.at(-1)
    if (top.length === MAX_TERMS && last !== undefined && byCount(entry, last) > 0) continue
    const place = top.findIndex((one) => byCount(entry, one) < 0)
    top.splice(place === -1 ? top.length : place, 0, entry)
    if (top.length > MAX_TERMS) top.pop()
  }
  return top
}

function createCounter({ read, type }: ListField<StoredResource>, effort: Effort): FacetCounter {
  const counts = new Map<Scalar, number>()
  let [missing, total] = [0, 0]
  return {
    count(resource) {
      const values = read(resource) ?? []
      effort.spend(TERM_COST * values.length)
      const terms = new Set(values.map(toUniform))
      if (terms.size === 0) missing += 1
      total += terms.size
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    },
    async toResult() {
      const terms = (await pickTop(counts, effort)).map(([term, count]) => ({ term, count }))
      const listed = terms.reduce((sum, { count }) => sum + count, 0)
      const dataType = type === 'number' ? 'number' : 'text'
      return { type: 'terms', dataType, missing, total, other: total - listed, terms }
    },
  }
}

/**
 * Compiles the facet of a field into what starts its count; a resource counts once for each of its terms.
 *
 * @throws {Problem} 400 for an unknown field; and later, while it counts, where that takes more than the effort allows.
 */
export function compileFacet(name: string, effort: Effort = UNLIMITED): () => FacetCounter {
  const field = parseSearchField('facet', name, name)
  return () => createCounter(field, effort)
}
