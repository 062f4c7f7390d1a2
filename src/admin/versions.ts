import { Hono } from 'hono'
import { problem } from '../errors.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { readEntries } from '../journal/read-entries.ts'
import type { Session } from '../sessions/session.ts'
import type { Version } from '../state/history.ts'
import { EVERY_PROJECT, parseProjectId, toProjectId } from '../state/project-name.ts'
import type { ProjectName } from '../state/project-name.ts'
import { toResourceText } from '../state/resource-record.ts'
import type { Store } from '../state/store.ts'
import { toJsonStream } from './json-stream.ts'
import { findCount } from './request.ts'
import type { AdminEnv, AdminRequest } from './request.ts'
import { readProjectName } from './state.ts'

interface VersionParts {
  readonly store: Store
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
}

/** A version of a resource, and the request that wrote it, or that the other writer of a scenario came before. */
export interface WrittenVersion extends Version {
  /** Undefined if the journal does not have it, or no longer. */
  readonly entry: JournalEntry | undefined
}

/** How many versions are listed by default: as many as the history keeps. */
const DEFAULT_LIMIT = 100

/** Clients choose correlation ids, so that several requests may have the same one. */
function findWriter(entries: readonly JournalEntry[], { kind, resource, writer }: Version): JournalEntry | undefined {
  if (writer?.kind === 'scenario') return entries.find(({ scenarios }) => scenarios.includes(writer.scenario))
  const writes = entries.filter(({ request: { method } }) => method !== 'GET' && method !== 'HEAD')
  return (
    writes.find(({ request, response }) =>
      kind === 'removed' ? request.method === 'DELETE' : response.headers['etag'] === `"${resource.version}"`,
    ) ?? writes[0]
  )
}

/** The versions of a resource, newest first; empty if it never existed. */
export async function listVersions(
  { store, elapsed }: VersionParts,
  { name, journal }: Session,
  project: ProjectName,
  id: string,
): Promise<readonly WrittenVersion[]> {
  const versions = store.history.versions(name, toProjectId(project), id)
  const writers = new Map<string, JournalEntry[]>()
  for (const { writer } of versions)
    if (writer !== undefined && 'correlationId' in writer) writers.set(writer.correlationId, [])
  const written = journal.exchanges().filter(({ correlationId }) => writers.has(correlationId))
  for await (const entry of readEntries(written, elapsed)) writers.get(entry.correlationId)?.push(entry)
  return versions.toReversed().map((version) => {
    const { writer } = version
    const named = writer !== undefined && 'correlationId' in writer ? writers.get(writer.correlationId) : undefined
    return { ...version, entry: findWriter(named ?? [], version) }
  })
}

/**
 * The project of a request: the one it names, else the only one in which the resource was written, else the only written one that
 * has it, else what projects start with.
 *
 * @throws {Problem} 400 if there are several.
 */
function chooseProject({ store }: VersionParts, admin: AdminRequest, id: string): ProjectName {
  const projectKey = admin.query.get('projectKey')
  if (projectKey !== null) return readProjectName(admin, projectKey)
  const { name } = admin.session
  const written = store.history.projectsOf(name, id)
  const having = [...store.written(name)].filter(([, data]) => data.find(id) !== undefined)
  const [first, ...others] = (written.length > 0 ? written : having.map(([project]) => project)).map(parseProjectId)
  if (others.length === 0) return first ?? EVERY_PROJECT
  throw problem.requiredField(
    'projectKey',
    `Several projects have a resource with the id ${id}. Send projectKey, and region and cloudProvider if the project has them.`,
  )
}

/** @throws {Problem} 404 */
function refuse({ store }: VersionParts, { session }: AdminRequest, project: ProjectName, id: string): never {
  const name = JSON.stringify(id.slice(0, 100))
  const holder = store.access(session.name, project).read().findByKey(id)?.id
  const remedy =
    holder === undefined
      ? `GET /__admin/state/${encodeURIComponent(project.projectKey || '{projectKey}')} lists the resources of a project.`
      : `That is a key. Did you mean the id ${JSON.stringify(holder)}?`
  throw problem.notFound(
    `The session ${JSON.stringify(session.name)} never had a resource with the id ${name}. ${remedy}`,
  )
}

/** The version without its resource. */
export function toMeta({ kind, resource: { version, lastModifiedAt }, writer, entry }: WrittenVersion) {
  const request = entry === undefined ? {} : { request: entry.id }
  return { version, kind, lastModifiedAt, ...(writer === undefined ? {} : { writer: { ...writer, ...request } }) }
}

function toVersionText(version: WrittenVersion): string {
  const meta = JSON.stringify(toMeta(version))
  return version.kind === 'removed' ? meta : `${meta.slice(0, -1)},"resource":${toResourceText(version.resource)}}`
}

function* writeVersions(versions: readonly WrittenVersion[], total: number): Generator<string, void> {
  yield '{"versions":['
  for (const [at, version] of versions.entries()) yield (at === 0 ? '' : ',') + toVersionText(version)
  yield `],"meta":${JSON.stringify({ total })}}`
}

/** The versions that a resource had. */
export function createVersionRoutes(parts: VersionParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/resources/:id/versions', async ({ req, env: { admin } }) => {
    const id = req.param('id')
    const limit = findCount(admin.query, 'limit') ?? DEFAULT_LIMIT
    const project = chooseProject(parts, admin, id)
    const versions = await listVersions(parts, admin.session, project, id)
    if (versions.length === 0) refuse(parts, admin, project, id)
    return toJsonStream(writeVersions(versions.slice(0, limit), versions.length))
  })
  return routes
}
