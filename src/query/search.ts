import type { TermFacetResult } from '../contract/results.ts'
import { toContent } from '../state/property-text.ts'
import type { ResourceList } from '../state/base.ts'
import type { ResourceView } from '../state/resource-view.ts'
import type { StoredResource } from '../state/resource.ts'
import { MIN_INDEXED } from './base-index.ts'
import { createEffort, scanPlaces } from './effort.ts'
import type { Effort } from './effort.ts'
import { compileFacet } from './facets.ts'
import { compileFilter } from './filters.ts'
import type { SearchParameter } from './filters.ts'
import { findMatches, findWordIndex } from './word-index.ts'
import { compileTextSearch, parseSearchTerms } from './words.ts'
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

/** What a search found; `facets` where any were asked for. */
export interface SearchFound {
  readonly total: number
  /** Some of the matches, in creation order. */
  readonly take: (offset: number, limit: number) => readonly StoredResource[]
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
 * @example (await compileSearch({ texts: ['shirt'], fuzzy: true })(layers)).take(0, 20)
 */
export function compileSearch(
  request: SearchRequest,
  createQueryEffort: () => Effort = createEffort,
): (layers: ResourceView) => Promise<SearchFound> {
  const { staged = false, filter, filterQuery, filterFacets, facet } = request
  const effort = createQueryEffort()
  const terms = parseSearchTerms(request)
  const matchesText = compileTextSearch(terms, effort)
  const isInResults = compileFilters('filter', filter, effort)
  const isInBoth = compileFilters('filter.query', filterQuery, effort)
  const isInFacets = compileFilters('filter.facets', filterFacets, effort)
  const names = new Set(facet?.map((name) => name.trim()))
  const facets = [...names].map((name) => ({ name, startCount: compileFacet(name, effort) }))
  const isOnlyText = facets.length + (filter?.length ?? 0) + (filterQuery?.length ?? 0) === 0
  const show = staged ? toStaged : (resource: StoredResource) => resource

  /** Looks the terms up in the index of a base; undefined if its resources have to be read. */
  async function findInBase(base: ResourceList): Promise<((place: number) => boolean) | undefined> {
    if (staged || terms.length === 0 || base.count < MIN_INDEXED) return undefined
    const index = await findWordIndex(base, createQueryEffort)
    return index === undefined ? undefined : findMatches(index, base.count, terms, effort)
  }

  return async function search(layers) {
    const counters = facets.map(({ name, startCount }) => ({ name, counter: startCount() }))
    const places: number[] = []
    const isMatchInBase = await findInBase(layers.base)
    function visit(place: number): void {
      const isIndexed = isMatchInBase !== undefined && layers.isInBase(place)
      if (isIndexed && !isMatchInBase(place)) return
      effort.spend(1)
      if (isIndexed && isOnlyText) return void places.push(place)
      const current = layers.at(place)
      if (current === undefined) return
      const resource = show(current)
      const { arrayOfStringExample = [] } = resource.objectTypeProperty
      if ((!isIndexed && matchesText?.(arrayOfStringExample) === false) || !isInBoth(resource)) return
      if (isInResults(resource)) places.push(place)
      if (counters.length > 0 && isInFacets(resource)) for (const { counter } of counters) counter.count(resource)
    }
    await scanPlaces(layers.count, effort, visit)
    const found = {
      total: places.length,
      take: (offset: number, limit: number) => layers.take(places.slice(offset, offset + limit)).map(show),
    }
    if (counters.length === 0) return found
    const results: Record<string, TermFacetResult> = {}
    for (const { name, counter } of counters) results[name] = await counter.toResult()
    return { ...found, facets: results }
  }
}
