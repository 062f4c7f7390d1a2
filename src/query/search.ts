import type { TermFacetResult } from '../contract/results.ts'
import { toContent } from '../state/property-text.ts'
import type { StoredResource } from '../state/resource.ts'
import { createEffort, scan } from './effort.ts'
import type { Effort } from './effort.ts'
import { compileFacet } from './facets.ts'
import { compileFilter } from './filters.ts'
import type { SearchParameter } from './filters.ts'
import { compileTextSearch } from './words.ts'
import type { TextQuery } from './words.ts'

/** The parameters of 4.4; `texts` are the values of every `text.<language>`. */
export interface SearchRequest extends TextQuery {
  /** Reads staged projections where there are any. */
  readonly staged?: boolean | undefined
  readonly filter?: readonly string[] | undefined
  readonly filterQuery?: readonly string[] | undefined
  readonly filterFacets?: readonly string[] | undefined
  readonly facet?: readonly string[] | undefined
}

/** What a search found, in the order of the resources; `facets` where any were asked for. */
export interface SearchFound {
  readonly matches: readonly StoredResource[]
  readonly facets?: Readonly<Record<string, TermFacetResult>>
}

type SearchTest = (resource: StoredResource) => boolean

/** All filters of one parameter have to hold (D9). */
function compileFilters(parameter: SearchParameter, texts: readonly string[] | undefined, effort: Effort): SearchTest {
  const tests = (texts ?? []).map((text) => compileFilter(parameter, text, effort))
  return (resource) => tests.every((test) => test(resource))
}

/** The resource as its staged projection shows it. */
function toStaged(resource: StoredResource): StoredResource {
  const { staged } = resource
  if (staged === undefined) return resource
  return { ...resource, ...toContent(resource.version, staged) }
}

/**
 * Compiles a search (D14): texts and `filter.query` narrow results and facets, `filter` the results only,
 * `filter.facets` the facets only. What is found is answered in the projection that was searched.
 *
 * @throws {Problem} 400 for a fuzzy level, filter or facet that cannot be; and later, from the search, where it looks at
 * more than the effort allows.
 * @example (await compileSearch({ texts: ['shirt'], fuzzy: true })(resources)).matches
 */
export function compileSearch(
  request: SearchRequest,
  effort: Effort = createEffort(),
): (resources: Iterable<StoredResource>) => Promise<SearchFound> {
  const { staged = false, filter, filterQuery, filterFacets, facet } = request
  const matchesText = compileTextSearch(request, effort)
  const isInResults = compileFilters('filter', filter, effort)
  const isInBoth = compileFilters('filter.query', filterQuery, effort)
  const isInFacets = compileFilters('filter.facets', filterFacets, effort)
  const names = new Set(facet?.map((name) => name.trim()))
  const facets = [...names].map((name) => ({ name, startCount: compileFacet(name, effort) }))

  return async function search(resources) {
    const counters = facets.map(({ name, startCount }) => ({ name, counter: startCount() }))
    const matches: StoredResource[] = []
    function visit(current: StoredResource): void {
      effort.spend(1)
      const resource = staged ? toStaged(current) : current
      const { arrayOfStringExample = [] } = resource.objectTypeProperty
      if (matchesText?.(arrayOfStringExample) === false || !isInBoth(resource)) return
      if (isInResults(resource)) matches.push(resource)
      if (counters.length > 0 && isInFacets(resource)) for (const { counter } of counters) counter.count(resource)
    }
    await scan(resources, effort, visit)
    if (counters.length === 0) return { matches }
    return { matches, facets: Object.fromEntries(counters.map(({ name, counter }) => [name, counter.toResult()])) }
  }
}
