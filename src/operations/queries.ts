import type { Input } from '../contract/handler.ts'
import { arrayNames } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import { compileConditions } from '../query/conditions.ts'
import { parsePage } from '../query/page.ts'
import type { Page } from '../query/page.ts'
import { compileSearch } from '../query/search.ts'
import { compileSort } from '../query/sort.ts'
import { compileWhere } from '../query/where.ts'
import type { Project } from '../state/project.ts'
import type { Resource } from '../state/resource.ts'
import { toResultEntry } from './answers.ts'
import type { Operation } from './operation.ts'

type Sorted = Pick<Input<'sortedQuery'>, 'query' | 'families'>

interface Found {
  readonly total: number
  readonly page: readonly Resource[]
}

/** One page of what has been found already. */
const takePage = (found: readonly Resource[], { limit, offset }: Page): Found => ({
  total: found.length,
  page: found.slice(offset, offset + limit),
})

/** One page of all resources, touching no more of them than it has to. */
function takeFirst(project: Project, { limit, offset }: Page): Found {
  const page: Resource[] = []
  let at = 0
  if (limit > 0) {
    for (const resource of project.all()) {
      if (at >= offset && page.push(resource) === limit) break
      at += 1
    }
  }
  return { total: project.size, page }
}

/** What the predicates of one request ask for together; undefined when they ask for nothing. */
function compileFilter({ query, families }: Sorted, condition?: (resource: Resource) => boolean) {
  const where = query.where === undefined ? undefined : compileWhere(query.where, families.var)
  if (where === undefined || condition === undefined) return where ?? condition
  return (resource: Resource) => condition(resource) && where(resource)
}

function find(project: Project, input: Sorted, page: Page, condition?: (resource: Resource) => boolean): Found {
  const filter = compileFilter(input, condition)
  const order = input.query.sort === undefined ? undefined : compileSort(input.query.sort)
  if (filter === undefined && order === undefined) return takeFirst(project, page)
  const found: Resource[] = []
  for (const resource of project.all()) if (filter === undefined || filter(resource)) found.push(resource)
  return takePage(order === undefined ? found : found.toSorted(order), page)
}

/** The members of a paged result, without the braces (D10, D14, D20). */
function toPageMembers({ limit, offset, withTotal }: Page, { total, page }: Found): string {
  const totalMember = withTotal ? `"total":${total},` : ''
  return `"limit":${limit},"offset":${offset},"count":${page.length},${totalMember}"results":[${page.map(toResultEntry).join(',')}]`
}

/** What stands for the first result's arrays where there is no result (D10). */
const NO_ARRAYS = arrayNames.map((name) => `"${name}":[]`).join(',')

/** Specification 4.1: an ArrayTestType, that of the page's first result, with paging fields (D10). */
export const queryResources: Operation<'queryResources'> = (input, { project }) => {
  const page = parsePage(input.query)
  const found = find(project, input, page, compileConditions(input.query))
  const [first] = found.page
  const arrays = first === undefined ? NO_ARRAYS : first.propertyText.slice(1, -1)
  return { status: 200, body: `{${arrays}${arrays === '' ? '' : ','}${toPageMembers(page, found)}}` }
}

/** Specification 4.5: 200 when at least one resource matches, 404 when none does (D12). */
export const checkResources: Operation<'checkResources'> = (input, { project }) => {
  parsePage(input.query)
  if (input.query.sort !== undefined) compileSort(input.query.sort)
  const filter = compileFilter(input, compileConditions(input.query))
  for (const resource of project.all()) if (filter === undefined || filter(resource)) return { status: 200 }
  return { status: 404 }
}

/** Specification 4.12 (D20). */
export const sortedQuery: Operation<'sortedQuery'> = (input, { project }) => {
  const page = parsePage(input.query)
  return { status: 200, body: `{${toPageMembers(page, find(project, input, page))}}` }
}

/** Specification 4.4 (D14). */
export const searchResources: Operation<'searchResources'> = ({ query, families }, { project }) => {
  const page = parsePage(query)
  const search = compileSearch({
    texts: [...families.text.values()].flat(),
    fuzzy: query.fuzzy,
    fuzzyLevel: query.fuzzyLevel,
    staged: query.staged,
    filter: query.filter,
    filterQuery: query['filter.query'],
    filterFacets: query['filter.facets'],
    facet: query.facet,
  })
  const { matches, facets } = search(project.all())
  const facetMember = facets === undefined ? '' : `,"facets":${stringifyJson(facets)}`
  return { status: 200, body: `{${toPageMembers(page, takePage(matches, page))}${facetMember}}` }
}
