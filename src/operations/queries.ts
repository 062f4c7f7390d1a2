import type { Input } from '../contract/handler.ts'
import { arrayNames } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import { compileConditions } from '../query/conditions.ts'
import { createEffort, scan } from '../query/effort.ts'
import type { Effort } from '../query/effort.ts'
import { parsePage } from '../query/page.ts'
import type { Page } from '../query/page.ts'
import { compileSearch } from '../query/search.ts'
import { compileSort } from '../query/sort.ts'
import type { SortKeys } from '../query/sort.ts'
import { compileWhere } from '../query/where.ts'
import type { Project } from '../state/project.ts'
import type { StoredResource } from '../state/resource.ts'
import { toResultEntry } from './answers.ts'
import type { Operation } from './operation.ts'

type Sorted = Pick<Input<'sortedQuery'>, 'query' | 'families'>

interface FoundPage {
  readonly total: number
  readonly page: readonly StoredResource[]
}

/** One page of what has been found already. */
const takePage = (found: readonly StoredResource[], { limit, offset }: Page): FoundPage => ({
  total: found.length,
  page: found.slice(offset, offset + limit),
})

/** One page of all resources, touching no more of them than it has to. */
function takeFirst(project: Project, { limit, offset }: Page): FoundPage {
  const page: StoredResource[] = []
  if (limit > 0) {
    for (const resource of project.all(offset)) if (page.push(resource) === limit) break
  }
  return { total: project.size, page }
}

/** What the predicates of one request ask for together; undefined when they ask for nothing. */
function compileFilter(
  { query, families }: Sorted,
  effort: Effort,
  condition?: (resource: StoredResource) => boolean,
): ((resource: StoredResource) => boolean) | undefined {
  const where = query.where === undefined ? undefined : compileWhere(query.where, families.var, effort)
  if (where === undefined || condition === undefined) return where ?? condition
  return (resource: StoredResource) => condition(resource) && where(resource)
}

async function find(
  project: Project,
  input: Sorted,
  page: Page,
  effort: Effort,
  condition?: (resource: StoredResource) => boolean,
): Promise<FoundPage> {
  const filter = compileFilter(input, effort, condition)
  const order = input.query.sort === undefined ? undefined : compileSort(input.query.sort, effort)
  if (filter === undefined && order === undefined) return takeFirst(project, page)
  const found: { readonly resource: StoredResource; readonly keys: SortKeys }[] = []
  await scan(project.snapshot(), effort, (resource) => {
    effort.spend(1)
    if (filter?.(resource) !== false) found.push({ resource, keys: order?.toKeys(resource) ?? [] })
  })
  if (order !== undefined) found.sort((a, b) => order.compare(a.keys, b.keys))
  return takePage(
    found.map(({ resource }) => resource),
    page,
  )
}

/** The members of a paged result, without the braces (D10, D14, D20). */
function toPageMembers({ limit, offset, withTotal }: Page, { total, page }: FoundPage): string {
  const totalMember = withTotal ? `"total":${total},` : ''
  return `"limit":${limit},"offset":${offset},"count":${page.length},${totalMember}"results":[${page.map(toResultEntry).join(',')}]`
}

/** What stands for the first result's arrays where there is no result (D10). */
const NO_ARRAYS = arrayNames.map((name) => `"${name}":[]`).join(',')

/** Specification 4.1: an ArrayTestType, that of the page's first result, with paging fields (D10). */
export const queryResources: Operation<'queryResources'> = async (input, { project }) => {
  const page = parsePage(input.query)
  const effort = createEffort()
  const found = await find(project, input, page, effort, compileConditions(input.query, effort))
  const [first] = found.page
  const arrays = first === undefined ? NO_ARRAYS : first.propertyText.slice(1, -1)
  return { status: 200, body: `{${arrays}${arrays === '' ? '' : ','}${toPageMembers(page, found)}}` }
}

/** Specification 4.5: 200 when at least one resource matches, 404 when none does (D12). */
export const checkResources: Operation<'checkResources'> = async (input, { project }) => {
  parsePage(input.query)
  if (input.query.sort !== undefined) compileSort(input.query.sort)
  const effort = createEffort()
  const filter = compileFilter(input, effort, compileConditions(input.query, effort))
  let isFound = false
  await scan(project.snapshot(), effort, (resource) => {
    effort.spend(1)
    isFound = filter?.(resource) !== false
    return !isFound
  })
  return { status: isFound ? 200 : 404 }
}

/** Specification 4.12 (D20). */
export const sortedQuery: Operation<'sortedQuery'> = async (input, { project }) => {
  const page = parsePage(input.query)
  const found = await find(project, input, page, createEffort())
  return { status: 200, body: `{${toPageMembers(page, found)}}` }
}

/** Specification 4.4 (D14). */
export const searchResources: Operation<'searchResources'> = async ({ query, families }, { project }) => {
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
  const { matches, facets } = await search(project.snapshot())
  const facetMember = facets === undefined ? '' : `,"facets":${stringifyJson(facets)}`
  return { status: 200, body: `{${toPageMembers(page, takePage(matches, page))}${facetMember}}` }
}
