import type { TermFacetResult } from '../contract/results.ts'
import type { Resource } from '../state/resource.ts'
import type { ListField } from './fields.ts'
import { parseSearchField } from './filters.ts'
import { compareScalars, toUniform } from './scalars.ts'
import type { Scalar } from './scalars.ts'

/** At most this many terms of a facet are listed; the rest is counted in `other`. */
export const MAX_TERMS = 200

/** Counts the terms of a field while resources pass by. */
export interface FacetCounter {
  readonly count: (resource: Resource) => void
  readonly toResult: () => TermFacetResult
}

/** By count, then term (D14). */
const byCount = ([termA, countA]: readonly [Scalar, number], [termB, countB]: readonly [Scalar, number]): number =>
  countB - countA || compareScalars(termA, termB)

function createCounter({ read, type }: ListField<Resource>): FacetCounter {
  const counts = new Map<Scalar, number>()
  let missing = 0
  return {
    count(resource) {
      const terms = new Set(read(resource)?.map(toUniform))
      if (terms.size === 0) missing += 1
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    },
    toResult() {
      const ranked = [...counts].toSorted(byCount)
      const total = ranked.reduce((sum, [, count]) => sum + count, 0)
      const terms = ranked.slice(0, MAX_TERMS).map(([term, count]) => ({ term, count }))
      const listed = terms.reduce((sum, { count }) => sum + count, 0)
      const dataType = type === 'number' ? 'number' : 'text'
      return { type: 'terms', dataType, missing, total, other: total - listed, terms }
    },
  }
}

/**
 * Compiles the facet of a field into what starts its count; a resource counts once for each of its terms.
 *
 * @throws {Problem} 400 for an unknown field.
 */
export function compileFacet(name: string): () => FacetCounter {
  const field = parseSearchField('facet', name, name)
  return () => createCounter(field)
}
