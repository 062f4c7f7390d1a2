import type { TermFacetResult } from '../contract/results.ts'
import { toContent } from '../state/property-text.ts'
import type { Resource } from '../state/resource.ts'
import { compileFacet } from './facets.ts'
import { compileFilter } from './filters.ts'
import { compileTextSearch } from './words.ts'
import type { TextQuery } from './words.ts'

/** The parameters of 4.4; `texts` are the values of every `text.<language>`. */
export interface SearchRequest extends TextQuery {
  /** Reads staged projections where there are any. */
  readonly staged?: boolean | undefined
  readonly filter?: string | undefined
  readonly filterQuery?: string | undefined
  readonly filterFacets?: string | undefined
  readonly facet?: string | undefined
}

/** What a search found, in the order of the resources; `facets` where one was asked for. */
export interface SearchFound {
  readonly matches: readonly Resource[]
  readonly facets?: Readonly<Record<string, TermFacetResult>>
}

type Test = (resource: Resource) => boolean

const always: Test = () => true

/** The resource as its staged projection shows it. */
function toStaged(resource: Resource): Resource {
  const { staged } = resource
  if (staged === undefined) return resource
  return { ...resource, ...toContent(resource.version, staged) }
}

/**
 * Compiles a search (D14): texts and `filter.query` narrow results and facets, `filter` the results only,
 * `filter.facets` the facets only. What is found is answered in the projection that was searched.
 *
 * @throws {Problem} 400 for a fuzzy level, filter or facet that cannot be.
 * @example compileSearch({ texts: ['shirt'], fuzzy: true })(resources).matches
 */
export function compileSearch(request: SearchRequest): (resources: Iterable<Resource>) => SearchFound {
  const { staged = false, filter, filterQuery, filterFacets, facet } = request
  const matchesText = compileTextSearch(request)
  const isInResults = filter === undefined ? always : compileFilter('filter', filter)
  const isInBoth = filterQuery === undefined ? always : compileFilter('filter.query', filterQuery)
  const isInFacets = filterFacets === undefined ? always : compileFilter('filter.facets', filterFacets)
  const name = facet?.trim() ?? ''
  const startCount = facet === undefined ? undefined : compileFacet(name)

  return function search(resources) {
    const counter = startCount?.()
    const matches: Resource[] = []
    for (const current of resources) {
      const resource = staged ? toStaged(current) : current
      const { arrayOfStringExample = [] } = resource.objectTypeProperty
      if (matchesText?.(arrayOfStringExample) === false || !isInBoth(resource)) continue
      if (isInResults(resource)) matches.push(resource)
      if (isInFacets(resource)) counter?.count(resource)
    }
    return counter === undefined ? { matches } : { matches, facets: { [name]: counter.toResult() } }
  }
}
