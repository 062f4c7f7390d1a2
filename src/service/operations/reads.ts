import { problem } from '../../errors.ts'
import { decision } from '../contract/decisions.ts'
import { arrayNames } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import { compileConditions, compileSort, parsePage, takeSorted } from '../query/list.ts'
import type { Page } from '../query/list.ts'
import { compileSearch } from '../query/search.ts'
import { compileWhere } from '../query/where.ts'
import { toResourceView } from '../state/resource.ts'
import type { ResourceView, StoredResource } from '../state/resource.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Answer, Input } from '../contract/types.ts'
import type { Warn } from '../contract/check.ts'
import type { Identity } from '../scenarios/preferred.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { Project } from '../state/project.ts'
import type { LookUp } from '../query/where.ts'
import { timeSlices } from '../../util/time-slices.ts'

/** The context of an operation, created for each request. */
export interface Context {
  /** Session name. */
  readonly session: string
  readonly correlationId: string
  readonly project: Project
  readonly projectKey: string
  readonly fixtures: Fixtures
  readonly identity: Identity
  /** Returns the current time in ISO 8601, with milliseconds and Z. */
  readonly now: () => string
  /** Creates a UUID. */
  readonly newId: () => string
  readonly warn: Warn
  /** Returns a resource's path with the same prefix as the request's (D5). */
  readonly locate: (resource: Pick<StoredResource, 'id'>) => string
}

/** Handles a request; asynchronous if it goes over many resources. */
export type Operation<Id extends OperationId> = (input: Input<Id>, context: Context) => Answer | Promise<Answer>

// Bodies are assembled from JSON text that is created with the resource, so reads serialize nothing.

function toIdentified(resource: StoredResource): string {
  const { id, key, version, propertyText, someProperty, createdAt, lastModifiedAt } = resource
  const before = key === undefined ? `{"id":"${id}",` : `{"id":"${id}","key":"${key}",`
  const own = someProperty === undefined ? '' : `"someProperty":${JSON.stringify(someProperty)},`
  return `${before}"version":${version},"objectTypeProperty":${propertyText},${own}"createdAt":"${createdAt}","lastModifiedAt":"${lastModifiedAt}"}`
}

/** An ObjectTestType as JSON text: the documented members, plus the identity if requested (D5, D8). */
export const toObjectTestType = (resource: StoredResource, identity: Identity): string =>
  identity === 'body' ? toIdentified(resource) : resource.text

/** An entry of `results` as JSON text, always with its identity (D5). */
export const toResultEntry = toIdentified

const toEtag = ({ version }: StoredResource): string => `"${version}"`

/** Response to a read by id or key (D5). */
const toReadAnswer = (resource: StoredResource, { identity, locate }: Context): Answer => ({
  status: 200,
  body: toObjectTestType(resource, identity),
  headers: { ETag: toEtag(resource), 'Content-Location': locate(resource) },
})

/** Response to a write: the resource and its location (D5). */
export const writeAnswer = (status: 200 | 201, resource: StoredResource, { identity, locate }: Context): Answer => ({
  status,
  body: toObjectTestType(resource, identity),
  headers: { ETag: toEtag(resource), Location: locate(resource) },
})

/** Response to a deletion: the deleted resource, without a location (D5). */
export const deletionAnswer = (resource: StoredResource, { identity }: Context): Answer => ({
  status: 200,
  body: toObjectTestType(resource, identity),
  headers: { ETag: toEtag(resource) },
})

/**
 * Finds the resource with the id of a path.
 *
 * @throws {Problem} 404 if there is none; warns if the id looks like a key whose `=` a client encoded (D13).
 */
export function expectResource(id: string, { project, projectKey, warn }: Context): StoredResource {
  const resource = project.find(id)
  if (resource !== undefined) return resource
  const key = /^key=(.+)/s.exec(id)?.[1]
  if (key !== undefined) {
    const path = `/${encodeURIComponent(projectKey)}/resource/key=${encodeURIComponent(key)}`
    warn(decision('D13'), `An encoded "=" makes this an id. To read by key, send GET ${path} with a bare "=".`)
  }
  throw problem.resourceNotFound('ID', id)
}

/** Specification 4.2. */
export const getResourceById: Operation<'getResourceById'> = ({ path: { id } }, context) =>
  toReadAnswer(expectResource(id, context), context)

/** Specification 4.3; an unknown or empty key is 404 (D13). */
export const getResourceByKey: Operation<'getResourceByKey'> = ({ path: { key } }, context) => {
  const resource = context.project.findByKey(key)
  if (resource === undefined) throw problem.resourceNotFound('key', key)
  return toReadAnswer(resource, context)
}

type Sorted = Pick<Input<'sortedQuery'>, 'query' | 'families'>

export interface FoundPage {
  readonly total: number
  readonly page: readonly StoredResource[]
}

/** Takes a page of all resources, visiting as few as possible. */
function takeFirst(project: Project, { limit, offset }: Page): FoundPage {
  const page: StoredResource[] = []
  if (limit > 0) {
    for (const resource of project.all(offset)) if (page.push(resource) === limit) break
  }
  return { total: project.size, page }
}

/** The combined conditions of a request. */
interface CompiledFilter {
  /** Undefined if there are no conditions. */
  readonly holds: ((resource: StoredResource) => boolean) | undefined
  readonly lookUp: LookUp | undefined
}

function compileListFilter(
  { query, families }: Sorted,
  condition?: (resource: StoredResource) => boolean,
): CompiledFilter {
  if (query.where === undefined) return { holds: condition, lookUp: undefined }
  const { holds, lookUp } = compileWhere(query.where, families.var)
  return { holds: condition === undefined ? holds : (resource) => condition(resource) && holds(resource), lookUp }
}

/** Narrows the resources to filter by lookup, if possible. */
function toCandidates(project: Project, { lookUp }: CompiledFilter): ResourceView {
  if (lookUp === undefined) return project.view()
  return toResourceView(project.select(lookUp.field, lookUp.values))
}

/** Finds the positions of resources that match a filter. */
async function findPlaces(
  layers: ResourceView,
  holds: (resource: StoredResource) => boolean,
): Promise<readonly number[]> {
  const places: number[] = []
  const slice = timeSlices.start()
  for (let place = 0; place < layers.count; place += 1) {
    const resource = layers.at(place)
    if (resource !== undefined && holds(resource)) places.push(place)
    if (slice.isOver()) await slice.next()
  }
  return places
}

/** Finds a page of resources. They are those at the time of the call, even if others write meanwhile. */
export async function findListPage(
  input: Sorted,
  project: Project,
  page: Page,
  condition?: (resource: StoredResource) => boolean,
): Promise<FoundPage> {
  const filter = compileListFilter(input, condition)
  const order = input.query.sort === undefined ? undefined : compileSort(input.query.sort)
  if (filter.holds === undefined && order === undefined) return takeFirst(project, page)
  const layers = toCandidates(project, filter)
  const all = filter.holds === undefined ? project.size : 0
  const found = filter.holds === undefined ? undefined : await findPlaces(layers, filter.holds)
  const { limit, offset } = page
  const most = limit === 0 ? 0 : offset + limit
  const places = order === undefined ? (found ?? []) : await takeSorted({ layers, found, order, most })
  return { total: found?.length ?? all, page: layers.take(places.slice(offset, offset + limit)) }
}

/** The members of a paged result, without braces (D10, D14, D20). */
function toPageMembers({ limit, offset, withTotal }: Page, { total, page }: FoundPage): string {
  const totalMember = withTotal ? `"total":${total},` : ''
  return `"limit":${limit},"offset":${offset},"count":${page.length},${totalMember}"results":[${page.map(toResultEntry).join(',')}]`
}

/** Replaces the first result's arrays if there are no results (D10). */
const NO_ARRAYS = arrayNames.map((name) => `"${name}":[]`).join(',')

/** Specification 4.1: the ArrayTestType of the page's first result, plus the paging members (D10). */
export const queryResources: Operation<'queryResources'> = async (input, { project }) => {
  const page = parsePage(input.query)
  const found = await findListPage(input, project, page, compileConditions(input.query))
  const [first] = found.page
  const arrays = first === undefined ? NO_ARRAYS : first.propertyText.slice(1, -1)
  return { status: 200, body: `{${arrays}${arrays === '' ? '' : ','}${toPageMembers(page, found)}}` }
}

/** Specification 4.5: 200 if any resource matches, otherwise 404 (D12). */
export const checkResources: Operation<'checkResources'> = async (input, { project }) => {
  parsePage(input.query)
  if (input.query.sort !== undefined) compileSort(input.query.sort)
  const filter = compileListFilter(input, compileConditions(input.query))
  const layers = toCandidates(project, filter)
  const slice = timeSlices.start()
  for (let place = 0; place < layers.count; place += 1) {
    const resource = layers.at(place)
    if (resource !== undefined && filter.holds?.(resource) !== false) return { status: 200 }
    if (slice.isOver()) await slice.next()
  }
  return { status: 404 }
}

/** Specification 4.12 (D20). */
export const sortedQuery: Operation<'sortedQuery'> = async (input, { project }) => {
  const page = parsePage(input.query)
  const found = await findListPage(input, project, page)
  return { status: 200, body: `{${toPageMembers(page, found)}}` }
}

/** Specification 4.4 (D14). */
export const searchResources: Operation<'searchResources'> = async ({ query, families }, { project }) => {
  const page = parsePage(query)
  const request = {
    texts: [...families.text.values()].flat(),
    fuzzy: query.fuzzy,
    fuzzyLevel: query.fuzzyLevel,
    staged: query.staged,
    filter: query.filter,
    filterQuery: query['filter.query'],
    filterFacets: query['filter.facets'],
    facet: query.facet,
  }
  const { total, take, facets } = await compileSearch(request)(project.view())
  const facetMember = facets === undefined ? '' : `,"facets":${stringifyJson(facets)}`
  return { status: 200, body: `{${toPageMembers(page, { total, page: take(page.offset, page.limit) })}${facetMember}}` }
}

/** Whether a list of entity tags includes one. A strong comparison never matches a weak tag (RFC 9110, section 8.8.3.2). */
function includesEtag(list: string, etag: string, isStrong: boolean): boolean {
  if (list === '*') return true
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => tag === etag || (!isStrong && tag === `W/${etag}`))
}

/**
 * Checks the preconditions of a write (D5; RFC 9110, section 13.2.2).
 *
 * @param current the resource that the request would change; undefined if it would create one
 * @throws {Problem} 412 with the current version if one of them fails.
 */
export function expectPreconditions(
  current: StoredResource | undefined,
  headers: Input<'deleteResource'>['headers'],
): void {
  const etag = current && toEtag(current)
  const { 'If-Match': match, 'If-None-Match': noneMatch } = headers
  if (match !== undefined && (etag === undefined || !includesEtag(match, etag, true)))
    throw problem.preconditionFailed(`If-Match: ${match.slice(0, 200)}`, current?.id, current?.version)
  if (noneMatch !== undefined && etag !== undefined && includesEtag(noneMatch, etag, false))
    throw problem.preconditionFailed(`If-None-Match: ${noneMatch.slice(0, 200)}`, current?.id, current?.version)
}

/**
 * Checks the version that a client expects against the actual one (specification 4.10 and 9).
 *
 * @throws {Problem} 409 with the actual version if they differ.
 */
export function expectVersion({ id, version }: StoredResource, expected: number | bigint): void {
  // Only an integer that no version can reach is a bigint (D3).
  if (expected !== version) throw problem.versionConflict({ id, expected, actual: version })
}
