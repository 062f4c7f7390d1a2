import { Hono } from 'hono'
import { problem } from '../errors.ts'
import { toJsonText } from '../http/json-response.ts'
import type { Session } from '../sessions/session.ts'
import type { Events } from '../sessions/events.ts'
import type { Writer } from '../state/history.ts'
import type { ProjectData } from '../state/project-data.ts'
import { toObjectText } from '../state/property-text.ts'
import { resourceRecord, toResource, toResourceText } from '../state/resource-record.ts'
import type { StoredResource } from '../state/resource.ts'
import { StateFault, expectState } from '../state/state-fault.ts'
import type { ProjectAccess } from '../state/project.ts'
import type { ProjectName } from '../state/project-name.ts'
import type { Store } from '../state/store.ts'
import type { AdminContext, AdminEnv, AdminRequest } from './request.ts'
import { readProjectName } from './state.ts'
import { readWithPlaces } from './text-place.ts'

interface ResourceParts {
  readonly store: Store
  readonly events: Events
}

interface FoundResource {
  readonly id: string
  readonly project: ProjectName
  readonly access: ProjectAccess
}

const refuse = (field: string, sentence: string): Error =>
  problem.invalidInput(`Malformed resource: ${field === '' ? '' : `${field}: `}${sentence}`, { field })

/** @throws {Problem} 400 for what is no record of that resource, or takes another's key. */
function expectRecord(value: unknown, id: string, data: ProjectData): StoredResource {
  let resource: StoredResource
  try {
    resource = toResource({ id, ...expectState(resourceRecord, value) }, 0)
  } catch (fault) {
    if (!(fault instanceof StateFault)) throw fault
    const field = /^[\w.[\]]+(?=: )/.exec(fault.message)?.[0] ?? ''
    throw refuse(field, field === '' ? fault.message : fault.message.slice(field.length + 2))
  }
  if (resource.id !== id) throw refuse('id', `${JSON.stringify(id)} expected, as in the path.`)
  const holder = resource.key === undefined ? undefined : data.findByKey(resource.key)?.id
  if (holder !== undefined && holder !== id) throw refuse('key', `it already belongs to ${holder}. Use another.`)
  return resource
}

/**
 * Whether a record is stored as the version after the present one, whatever version it has itself.
 *
 * @throws {Problem} 400 for another version than the next one.
 */
function isNextVersion({ query }: AdminRequest): boolean {
  const version = query.get('version')
  if (version === null || version === 'next') return version !== null
  throw problem.invalidField({
    field: 'version',
    invalidValue: version,
    allowedValues: ['next'],
    message: `Malformed parameter: version: ${JSON.stringify(version.slice(0, 100))} is not next. Write the version into the record, or send version=next for the one after the present one.`,
  })
}

const nowOf = ({ clock }: Session): string => new Date(clock.now()).toISOString()

const writerOf = (session: Session): Writer => ({ kind: 'admin', time: nowOf(session) })

/** @throws {Problem} 404 for a resource that is not there. */
function expectResource({ id, access }: FoundResource): StoredResource {
  const resource = access.read().find(id)
  if (resource === undefined) throw problem.resourceNotFound('ID', id)
  return resource
}

/** A record as the version after another one. */
const toNext = (given: StoredResource, before: StoredResource, lastModifiedAt: string): StoredResource => {
  const version = before.version + 1
  return { ...given, version, lastModifiedAt, text: toObjectText(version, given.propertyText) }
}

/** One resource of a project as its record, in and out, whatever the service would let a client write. */
export function createResourceRoutes({ store, events }: ResourceParts): Hono<AdminEnv> {
  function find({ req, env: { admin } }: AdminContext): FoundResource {
    const { projectKey = '', id = '' } = req.param()
    const project = readProjectName(admin, projectKey)
    return { id, project, access: store.access(admin.session.name, project) }
  }

  function answer({ name }: Session, project: ProjectName, resource: StoredResource, status = 200): Response {
    events.publish({ kind: 'state', session: name, project })
    return toJsonText(toResourceText(resource), status)
  }

  const path = '/state/:projectKey/resources/:id'
  const routes = new Hono<AdminEnv>()
  routes.get(path, (c) => toJsonText(toResourceText(expectResource(find(c)))))
  routes.put(path, async (c) => {
    const { admin } = c.env
    const { id, project, access } = find(c)
    const { value, text } = await admin.useJson({}, (body) => body)
    const isNext = isNextVersion(admin)
    const { session } = admin
    const put = () =>
      store.write(
        session.name,
        () => {
          admin.precondition?.()
          const data = access.read()
          const before = data.find(id)
          const given = expectRecord(value, id, data)
          const resource = before !== undefined && isNext ? toNext(given, before, nowOf(session)) : given
          access.write({ kind: 'put', resource })
          return { resource, status: before === undefined ? 201 : 200 }
        },
        writerOf(session),
      )
    const { resource, status } = await readWithPlaces(text, put)
    return answer(session, project, resource, status)
  })
  routes.delete(path, async (c) => {
    const found = find(c)
    const { session } = c.env.admin
    const resource = await store.write(
      session.name,
      () => {
        const removed = expectResource(found)
        found.access.write({ kind: 'remove', id: removed.id })
        return removed
      },
      writerOf(session),
    )
    return answer(session, found.project, resource)
  })
  return routes
}
