import { toTime } from '../../service/state/change.ts'
import { problem } from '../../errors.ts'
import { writeList } from '../../service/http/json-list.ts'
import { inSlices } from '../../util/time-slices.ts'
import { toJson, toJsonText } from '../../service/http/envelope.ts'
import { TextResource } from '../../service/state/resource.ts'
import { resourceRecord, toResource, toResourceText, StateFault, expectState } from '../../service/state/records.ts'
import { readProjectName, toJsonStream } from './state.ts'
import { readWithPositions } from './scenarios.ts'
import { readEntries } from '../../sessions/journal/record.ts'
import { EVERY_PROJECT, parseProjectId, toProjectId } from '../../service/state/project-data.ts'
import type { ProjectName, ProjectData } from '../../service/state/project-data.ts'
import type { Writer } from '../../service/state/change.ts'
import { findCount } from './request.ts'
import type { AdminRequest, AdminParts, AdminRoutes } from './request.ts'
import { ADMIN_PATH, isRead } from '../../service/http/request-head.ts'
import type { Session } from '../../sessions/sessions.ts'
import type { Version } from '../../service/state/history.ts'
import type { StoredResource, StoredImage } from '../../service/state/resource.ts'
import type { ProjectAccess } from '../../service/state/project.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'

interface FoundResource {
  readonly id: string
  readonly project: ProjectName
  readonly access: ProjectAccess
}

const toFieldProblem = (field: string, sentence: string): Error =>
  problem.invalidInput(`Malformed resource: ${field === '' ? '' : `${field}: `}${sentence}`, { field })

/** @throws {Problem} 400 if it is not a valid record of that resource, or if its key belongs to another one. */
function expectRecord(value: unknown, id: string, data: ProjectData): StoredResource {
  let resource: StoredResource
  try {
    resource = toResource({ id, ...expectState(resourceRecord, value) }, 0)
  } catch (error) {
    if (!(error instanceof StateFault)) throw error
    const field = /^[\w.[\]]+(?=: )/.exec(error.message)?.[0] ?? ''
    throw toFieldProblem(field, field === '' ? error.message : error.message.slice(field.length + 2))
  }
  if (resource.id !== id) throw toFieldProblem('id', `must be ${JSON.stringify(id)}, as in the path.`)
  const holder = resource.key === undefined ? undefined : data.findByKey(resource.key)?.id
  if (holder !== undefined && holder !== id)
    throw toFieldProblem('key', `already belongs to ${holder}. Use another key.`)
  return resource
}

/**
 * Whether to store a record as the next version, regardless of its own version.
 *
 * @throws {Problem} 400 if the parameter is not `next`.
 */
function isNextVersion({ query }: AdminRequest): boolean {
  const version = query.get('version')
  if (version === null || version === 'next') return version !== null
  throw problem.invalidField({
    field: 'version',
    invalidValue: version,
    allowedValues: ['next'],
    message: `Malformed parameter: version: ${JSON.stringify(version.slice(0, 100))} is not "next". Put the version in the record, or send version=next to store it as the next version.`,
  })
}

/** @throws {Problem} 404 if the resource does not exist. */
function expectKnownResource({ id, access }: FoundResource): StoredResource {
  const resource = access.read().find(id)
  if (resource === undefined) throw problem.resourceNotFound('ID', id)
  return resource
}

/** A version of a resource, with the request that wrote it or that triggered the scenario's write. */
export interface WrittenVersion extends Version {
  /** Undefined if the journal does not have it. */
  readonly entry: RedactedExchange | undefined
}

/** Default page size: all versions that the history keeps. */
const DEFAULT_LIMIT = 100

/** Picks the request that wrote a version: clients choose correlation ids, so several requests may share one. */
function findWriter(
  entries: readonly RedactedExchange[],
  { kind, resource, writer }: Version,
): RedactedExchange | undefined {
  if (writer?.kind === 'scenario') return entries.find(({ scenarios }) => scenarios.includes(writer.scenario))
  const writes = entries.filter(({ request }) => !isRead(request.method))
  return (
    writes.find(({ request, response }) =>
      kind === 'removed' ? request.method === 'DELETE' : response.headers['etag'] === `"${resource.version}"`,
    ) ?? writes[0]
  )
}

/** The versions of a resource, newest first; empty if it never existed. */
export async function listVersions(
  { store }: Pick<AdminParts, 'store'>,
  { name, journal }: Session,
  project: ProjectName,
  id: string,
): Promise<readonly WrittenVersion[]> {
  const versions = store.history.versions(name, toProjectId(project), id)
  const writers = new Map<string, RedactedExchange[]>()
  for (const { writer } of versions)
    if (writer !== undefined && 'correlationId' in writer) writers.set(writer.correlationId, [])
  const written = journal.exchanges().filter(({ correlationId }) => writers.has(correlationId))
  for await (const entry of readEntries(written)) writers.get(entry.correlationId)?.push(entry)
  return versions.toReversed().map((version) => {
    const { writer } = version
    const named = writer !== undefined && 'correlationId' in writer ? writers.get(writer.correlationId) : undefined
    return { ...version, entry: findWriter(named ?? [], version) }
  })
}

/** A written resource as the admin API lists it, in its last version. */
export type WrittenResource = ReturnType<typeof toWrittenJson>

const toWrittenJson = (project: ProjectName, versions: readonly Version[], { kind, resource }: Version) => ({
  id: resource.id,
  ...(resource.key === undefined ? {} : { key: resource.key }),
  ...project,
  version: resource.version,
  versions: versions.length,
  lastModifiedAt: resource.lastModifiedAt,
  isDeleted: kind === 'removed',
})

/** The resources that a session has written, the last modified first. */
async function listWritten({ store }: AdminParts, { name }: Session): Promise<readonly WrittenResource[]> {
  const written: WrittenResource[] = []
  for (const [project, resources] of store.history.all(name)) {
    for await (const versions of inSlices(resources.values())) {
      const last = versions.at(-1)
      if (last !== undefined) written.push(toWrittenJson(parseProjectId(project), versions, last))
    }
  }
  // Times may be equal, so those that were written last come first before they are sorted.
  return written
    .toReversed()
    .toSorted((one, other) =>
      one.lastModifiedAt < other.lastModifiedAt ? 1 : one.lastModifiedAt > other.lastModifiedAt ? -1 : 0,
    )
}

/** Finds a resource's id by its current or a former key. */
export function findIdByKey(
  { store }: Pick<AdminParts, 'store'>,
  session: string,
  project: ProjectName,
  key: string,
): string | undefined {
  const present = store.access(session, project).read().findByKey(key)
  return present?.id ?? store.history.findIdByKey(session, toProjectId(project), key)
}

/**
 * The project of a request: the one it names, else the only one whose history has the resource, else the only modified one
 * that has it, else the fixtures.
 *
 * @throws {Problem} 400 if several match.
 */
export function chooseProject({ store }: AdminParts, admin: AdminRequest, id: string): ProjectName {
  const projectKey = admin.query.get('projectKey')
  if (projectKey !== null) return readProjectName(admin, projectKey)
  const { name } = admin.session
  const written = store.history.projectsOf(name, id)
  const having = [...store.changedProjects(name)].filter(([, data]) => data.find(id) !== undefined)
  const [first, ...others] = (written.length > 0 ? written : having.map(([project]) => project)).map(parseProjectId)
  if (others.length === 0) return first ?? EVERY_PROJECT
  throw problem.requiredField(
    'projectKey',
    `Several projects have a resource with the id ${id}. Send projectKey, plus region and cloudProvider if the project has them.`,
  )
}

/**
 * When a version was written, in epoch milliseconds. If the journal has the request, that is the time of the request, since
 * `lastModifiedAt` follows the session's clock. Records written through the admin API may have any `lastModifiedAt`.
 */
export const timeOf = ({ writer, resource, entry, restored }: WrittenVersion): number =>
  entry?.time ?? Date.parse(restored?.time ?? (writer?.kind === 'admin' ? writer.time : resource.lastModifiedAt))

/** The version's metadata, without the resource. */
export function toMeta(written: WrittenVersion) {
  const { kind, resource, writer, entry, restored } = written
  const { version, lastModifiedAt } = resource
  // A deletion by a request has no time of its own.
  const isUndated = kind === 'removed' && entry === undefined && writer?.kind !== 'admin'
  const request = entry === undefined ? {} : { request: entry.id }
  return {
    version,
    kind,
    ...(isUndated ? {} : { time: new Date(timeOf(written)).toISOString() }),
    lastModifiedAt,
    ...(writer === undefined ? {} : { writer: { ...writer, ...request } }),
    ...(restored === undefined ? {} : { restored }),
  }
}

function* writeVersions(versions: readonly WrittenVersion[], total: number): Generator<string, void> {
  yield '{"versions":['
  for (const [at, version] of versions.entries()) {
    if (at > 0) yield ','
    const meta = JSON.stringify(toMeta(version))
    yield version.kind === 'removed' ? meta : `${meta.slice(0, -1)},"resource":${toResourceText(version.resource)}}`
  }
  yield `],"meta":${JSON.stringify({ total })}}`
}

interface Placed {
  readonly project: ProjectName
  readonly image: StoredImage
}

/** Keeps browsers from running scripts in an image, whatever type they detect. */
const SAFE_HEADERS = { 'Content-Security-Policy': "default-src 'none'; sandbox" }

const toImageJson = ({ project, image: { bytes, ...image } }: Placed, prefix: string) => ({
  ...image,
  ...project,
  bytes: bytes.byteLength,
  url: `${prefix}${ADMIN_PATH}/images/${image.id}`,
})

/** An image as the admin API lists it. */
export type ListedImage = ReturnType<typeof toImageJson>

/**
 * Routes for a project's resources as records, without the service's restrictions on writes; for their versions; and for
 * images (D21).
 */
export function createResourceRoutes(parts: AdminParts) {
  const { store, events, clock } = parts

  /** The journal has the mock's time as well, so that the history can order writes and requests. */
  const createWriter = (): Writer => ({ kind: 'admin', time: toTime(clock()) })

  function find(admin: AdminRequest, param: (name: string) => string): FoundResource {
    const project = readProjectName(admin, param('projectKey'))
    return { id: param('id'), project, access: store.access(admin.session.name, project) }
  }

  function answer({ name }: Session, project: ProjectName, resource: StoredResource, status = 200): Response {
    events.publish({ kind: 'state', session: name, project })
    return toJsonText(toResourceText(resource), status)
  }

  const allOf = ({ session }: AdminRequest): readonly Placed[] =>
    Array.from(store.changedProjects(session.name), ([id, data]) =>
      Array.from(data.images(), (image) => ({ project: parseProjectId(id), image })),
    ).flat()

  return {
    'GET /state/:projectKey/resources/:id': (admin, param) =>
      toJsonText(toResourceText(expectKnownResource(find(admin, param)))),
    'PUT /state/:projectKey/resources/:id': async (admin, param) => {
      const { id, project, access } = find(admin, param)
      const { value, text } = await admin.readJsonText()
      const isNext = isNextVersion(admin)
      const { session } = admin
      const put = () =>
        store.write(
          session.name,
          () => {
            const data = access.read()
            const before = data.find(id)
            // 0 is the version of a resource that does not exist.
            const expected = findCount(admin.query, 'ifVersion')
            const actual = before?.version ?? 0
            if (expected !== undefined && expected !== actual) throw problem.versionConflict({ id, expected, actual })
            const record = expectRecord(value, id, data)
            const resource =
              before !== undefined && isNext
                ? new TextResource(
                    { ...record, version: before.version + 1, lastModifiedAt: toTime(session.clock.now()) },
                    record,
                  )
                : record
            access.write({ kind: 'put', resource })
            return { resource, status: before === undefined ? 201 : 200 }
          },
          createWriter(),
        )
      const { resource, status } = await readWithPositions(text, put)
      return answer(session, project, resource, status)
    },
    'DELETE /state/:projectKey/resources/:id': async (admin, param) => {
      const found = find(admin, param)
      const { session } = admin
      const resource = await store.write(
        session.name,
        () => {
          const removed = expectKnownResource(found)
          found.access.write({ kind: 'remove', id: removed.id })
          return removed
        },
        createWriter(),
      )
      return answer(session, found.project, resource)
    },
    'GET /resources': async (admin) => {
      const limit = findCount(admin.query, 'limit') ?? DEFAULT_LIMIT
      const written = await listWritten(parts, admin.session)
      return toJson({ resources: written.slice(0, limit), meta: { total: written.length } })
    },
    'GET /resources/:id/versions': async (admin, param) => {
      const id = param('id')
      const limit = findCount(admin.query, 'limit') ?? DEFAULT_LIMIT
      const project = chooseProject(parts, admin, id)
      const versions = await listVersions(parts, admin.session, project, id)
      if (versions.length === 0) {
        const name = JSON.stringify(id.slice(0, 100))
        const holder = parts.store.access(admin.session.name, project).read().findByKey(id)?.id
        const remedy =
          holder === undefined
            ? `GET /__admin/state/${project.projectKey === '' ? '{projectKey}' : encodeURIComponent(project.projectKey)} lists the resources of a project.`
            : `That is a key. Did you mean the id ${JSON.stringify(holder)}?`
        throw problem.notFound(
          `The session ${JSON.stringify(admin.session.name)} has never had a resource with the id ${name}. ${remedy}`,
        )
      }
      return toJsonStream(writeVersions(versions.slice(0, limit), versions.length))
    },
    'GET /images': (admin) =>
      toJsonStream(writeList('images', inSlices(allOf(admin)), (placed) => toImageJson(placed, admin.prefix))),
    'GET /images/:id': (admin, param) => {
      const id = param('id')
      const found = allOf(admin).find(({ image }) => image.id === id)
      if (found === undefined) {
        throw problem.notFound(
          `The session ${JSON.stringify(admin.session.name)} has no image ${JSON.stringify(id.slice(0, 100))}. GET /__admin/images lists its images.`,
        )
      }
      // A copy, since sent bytes may be transferred to another thread.
      const body = found.image.bytes.slice()
      return new Response(body, { headers: { 'Content-Type': found.image.type, ...SAFE_HEADERS } })
    },
  } satisfies AdminRoutes
}
