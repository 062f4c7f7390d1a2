import { findServicePath } from '../../service/contract/paths.ts'
import type { Purpose } from '../../service/contract/endpoint.ts'
import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import { problem } from '../../errors.ts'
import { readInteger } from '../../service/http/numbers.ts'
import { toJson } from '../../service/http/envelope.ts'
import { parseAddress, toBaseUrlName } from '../../service/http/request-head.ts'
import type { KeptExchange } from '../../sessions/journal/kept-exchange.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import { toSent, toTarget } from '../../sessions/journal/target.ts'
import { EVERY_PROJECT, parseProjectId } from '../../service/state/project-data.ts'
import type { ProjectName } from '../../service/state/project-data.ts'
import { inSlices } from '../../util/time-slices.ts'
import { readConflict } from './conflict.ts'
import { findCount } from './request.ts'
import type { AdminParts, AdminRequest } from './request.ts'
import { chooseProject, findIdByKey, listVersions, timeOf, toMeta } from './resources.ts'
import type { WrittenVersion } from './resources.ts'
import { readProjectName } from './state.ts'

/** A request that got a version of a resource, or that was refused because its version was not current. */
interface Seen {
  readonly kind: 'read' | 'conflict'
  readonly entry: RedactedExchange
  /** The version that a read returned, or that was current during a conflict. */
  readonly version: number | bigint | undefined
  /** The version that a conflict sent. */
  readonly sent?: number | bigint | undefined
}

interface NamedResource {
  readonly project: ProjectName
  readonly id: string
}

const ETAG = /^"(\d+)"$/

/** Whether a URL is that of the resource with this id. */
const isIdOf = (url: string | undefined, id: string): boolean =>
  url !== undefined && findServicePath(toTarget(url).path)?.parameters['id'] === id

/** A read by id or key reports the resource's id and version in its headers (D5). */
function seeRead({ entry }: KeptExchange, id: string): Seen | undefined {
  const { headers } = entry.response
  const version = ETAG.exec(headers['etag'] ?? '')?.[1]
  if (version === undefined || !isIdOf(headers['content-location'] ?? entry.request.url, id)) return undefined
  return { kind: 'read', entry, version: readInteger(version) }
}

/**
 * Entries of lists start with id, key and version (D5). They are found without parsing the body, which may be long and
 * truncated.
 */
function seeList({ entry }: KeptExchange, id: string): Seen | undefined {
  const { body } = entry.response
  const start = `{"id":"${id}",`
  const at = body?.encoding === 'utf-8' ? body.text.indexOf(start) : -1
  if (body === undefined || at === -1) return undefined
  const rest = body.text.slice(at + start.length, at + start.length + 1000)
  const version = /^(?:"key":"[^"]*",)?"version":(\d+)/.exec(rest)?.[1]
  return version === undefined ? undefined : { kind: 'read', entry, version: readInteger(version) }
}

function seeConflict({ url, entry }: KeptExchange, id: string): Seen | undefined {
  const conflict = isIdOf(url, id) ? readConflict(entry) : undefined
  if (conflict === undefined) return undefined
  return { kind: 'conflict', entry, version: readInteger(conflict.current), sent: readInteger(conflict.sent) }
}

type See = (exchange: KeptExchange, id: string) => Seen | undefined
type SeeByStatus = Readonly<Record<number, See>>

/** How an exchange of an operation shows the version of a resource, by its purpose and the status of its response. */
const sights: Readonly<Record<Purpose, SeeByStatus>> = {
  query: { 200: seeList },
  search: { 200: seeList },
  check: {},
  read: { 200: seeRead },
  draft: {},
  update: { 200: seeRead, 409: seeConflict },
  delete: { 409: seeConflict },
  upload: {},
  complex: {},
  writePayload: {},
  readPayload: {},
  cart: {},
  localisedCart: {},
}

/** Whether an exchange that matched an operation is about a project; those of the fixtures are in every project. */
function isOfProject({ url, projectKey }: KeptExchange, project: ProjectName): boolean {
  if (project.projectKey === EVERY_PROJECT.projectKey) return true
  return projectKey === project.projectKey && toBaseUrlName(parseAddress(url).baseUrl) === project.baseUrl
}

/** Finds what an exchange shows of a resource. Reads the entries of as few exchanges as possible. */
function findSeen(exchange: KeptExchange, { project, id }: NamedResource): Seen | undefined {
  const { operation, status } = exchange
  const see = isOperation(operation) ? sights[endpoints[operation].purpose][status] : undefined
  if (see === undefined || !isOfProject(exchange, project)) return undefined
  return see(exchange, id)
}

/** A request as an event names it. */
const toRequestJson = ({
  id,
  session,
  operation,
  request: { method, url },
  response: { status },
}: RedactedExchange) => ({
  id,
  session,
  method,
  url: toSent(url),
  operation,
  status,
})

const toSeenJson = ({ kind, entry, version, sent }: Seen) => ({
  kind,
  ...(kind === 'read' ? { version } : { sent, current: version }),
  time: new Date(entry.time).toISOString(),
  request: toRequestJson(entry),
})

/** An event in the history of a resource. */
export type HistoryEvent = ReturnType<typeof toSeenJson> | ReturnType<typeof toMeta>

/**
 * The history of a resource, newest first: its versions, its reads, and the requests with an old version.
 *
 * @param versions newest first
 */
async function* listEvents(
  exchanges: readonly KeptExchange[],
  versions: readonly WrittenVersion[],
  resource: NamedResource,
): AsyncGenerator<HistoryEvent, void> {
  const places = new Map(exchanges.map(({ id }, at) => [id, at]))
  /** Times may be equal, or those of the admin API, so the journal's order decides if it has both requests. */
  function isLater(version: WrittenVersion, at: number, seen: Seen): boolean {
    const { entry, kind, resource: written, restored, writer } = version
    if (entry !== undefined) return (places.get(entry.id) ?? -1) > at
    if (kind === 'fixture' && restored === undefined) return false
    const [writtenAt, seenAt] = [timeOf(version), seen.entry.time]
    if (writtenAt !== seenAt) return writtenAt > seenAt
    const [writtenVersion, seenVersion] = [BigInt(written.version), BigInt(seen.version ?? 0)]
    // A removed version was there until then.
    if (kind === 'removed' && writtenVersion === seenVersion) return true
    // Those of a snapshot and of the admin API may be lower than the ones before them.
    const isAnyVersion = restored !== undefined || writer?.kind === 'admin'
    return isAnyVersion ? writtenVersion !== seenVersion : writtenVersion > seenVersion
  }
  const writing = new Set(versions.map(({ entry }) => entry?.id))
  let next = 0
  let at = exchanges.length
  for await (const exchange of inSlices(exchanges.toReversed())) {
    at -= 1
    const seen = findSeen(exchange, resource)
    // A write counts as a read only if a restored snapshot has removed its version.
    if (seen === undefined || (seen.kind === 'read' && writing.has(seen.entry.id))) continue
    for (let version = versions[next]; version !== undefined && isLater(version, at, seen); version = versions[next]) {
      yield toMeta(version)
      next += 1
    }
    yield toSeenJson(seen)
  }
  for (const version of versions.slice(next)) yield toMeta(version)
}

/** The ids of the resources that have or had a key, in the project that the query names or in all projects. */
function findIdsByKey(parts: AdminParts, admin: AdminRequest, key: string): ReadonlySet<string> {
  const { query, session } = admin
  const named = query.get('projectKey')
  const projects =
    named === null
      ? [...Array.from(parts.store.changedProjects(session.name).keys(), parseProjectId), EVERY_PROJECT]
      : [readProjectName(admin, named)]
  const ids = projects.map((project) => findIdByKey(parts, session.name, project, key))
  return new Set(ids.filter((id) => id !== undefined))
}

/**
 * Finds a resource and its versions by its id, or by its current or a former key.
 *
 * @throws {Problem} 400 if several projects have it, 404 if it never existed.
 */
async function expectVersions(parts: AdminParts, admin: AdminRequest, idOrKey: string) {
  const { session } = admin
  // An id takes precedence over a key.
  for (const id of [idOrKey, ...findIdsByKey(parts, admin, idOrKey)]) {
    const project = chooseProject(parts, admin, id)
    const versions = await listVersions(parts, session, project, id)
    if (versions.length > 0) return { project, id, versions }
  }
  throw problem.notFound(
    `The session ${JSON.stringify(session.name)} has never had a resource with the id or key ${JSON.stringify(idOrKey.slice(0, 100))}. GET /__admin/state/{projectKey} lists the resources of a project.`,
  )
}

/** Default and maximum number of events: each is about 300 bytes. */
const EVENTS_A_PAGE = 100
const MAX_LIMIT = 1000

/** Responds with the history of a resource, which shows how conflicts came about. */
export async function answerHistory(parts: AdminParts, admin: AdminRequest, idOrKey: string): Promise<Response> {
  const limit = Math.min(findCount(admin.query, 'limit') ?? EVENTS_A_PAGE, MAX_LIMIT)
  const { project, id, versions } = await expectVersions(parts, admin, idOrKey)
  const events: HistoryEvent[] = []
  let hasMore = false
  for await (const event of listEvents(admin.session.journal.exchanges(), versions, { project, id })) {
    hasMore = events.length === limit
    if (hasMore) break
    events.push(event)
  }
  const [newest] = versions
  const resource = { id, key: newest?.resource.key, ...project, isDeleted: newest?.kind === 'removed' }
  return toJson({ history: events, resource, meta: { hasMore } })
}
