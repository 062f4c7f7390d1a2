import { problem } from '../../errors.ts'
import { toJson, toJsonText } from '../../service/http/envelope.ts'
import { ADMIN_PATH, parseAddress, toBaseUrlName } from '../../service/http/request-head.ts'
import type { KeptExchange } from '../../sessions/journal/kept-exchange.ts'
import { findListPage } from '../../service/operations/reads.ts'
import { Project } from '../../service/state/project.ts'
import { parseProjectId, toProjectId } from '../../service/state/project-data.ts'
import type { ProjectData, ProjectName } from '../../service/state/project-data.ts'
import { toResourceText } from '../../service/state/records.ts'
import type { StoredResource } from '../../service/state/resource.ts'
import { copySessionData } from '../../service/state/state-data.ts'
import { hasPart } from '../../util/find-part.ts'
import { inSlices } from '../../util/time-slices.ts'
import { findCount } from './request.ts'
import type { AdminParts, AdminRequest, AdminRoutes } from './request.ts'
import { expectSnapshot, readProjectName, toJsonStream } from './state.ts'

/** How many of the newest requests name projects. */
const NEWEST = 200

/** Default page size of resources. */
const DEFAULT_PROJECTS = 25

/** Maximum size of a page of resources, as in the lists of the service. */
const MOST_LISTED_PROJECTS = 500

/** Maximum number of differing resources of a project that a comparison lists with their texts. */
const MOST_CHANGES = 200

/** The project that a request names; undefined if it names none. */
export function findProject({ projectKey, url }: KeptExchange): ProjectName | undefined {
  if (projectKey === undefined) return undefined
  try {
    return { projectKey, baseUrl: toBaseUrlName(parseAddress(url).baseUrl) }
  } catch {
    // Malformed percent-encoding got a 400.
    return undefined
  }
}

/** A resource that differs between two states, as JSON text. */
function toComparedText(before: StoredResource | undefined, after: StoredResource | undefined): string | undefined {
  const one = after ?? before
  if (one === undefined || before === after) return undefined
  const [from, to] = [before, after].map((resource) => (resource === undefined ? undefined : toResourceText(resource)))
  if (from === to) return undefined
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  const texts = (from === undefined ? '' : `,"before":${from}`) + (to === undefined ? '' : `,"after":${to}`)
  return `${JSON.stringify({ kind, id: one.id, key: one.key }).slice(0, -1)}${texts}}`
}

/** How many images of one state the other does not have. */
const countMissing = (from: ProjectData, other: ProjectData): number =>
  [...from.images()].filter(({ id }) => other.findImage(id) === undefined).length

/** What differs in a project, as JSON text; undefined if nothing does. */
async function compareProject(id: string, before: ProjectData, after: ProjectData): Promise<string | undefined> {
  const changes: string[] = []
  let more = 0
  // The ids of resources that may differ: on the same base, only those that were changed.
  const listIds = (data: ProjectData): Iterable<string> =>
    before.base === after.base ? data.changed.keys() : Array.from(data.all(), ({ id }) => id)
  for await (const resource of inSlices(new Set([...listIds(before), ...listIds(after)]))) {
    const change = toComparedText(before.find(resource), after.find(resource))
    if (change === undefined) continue
    if (changes.length < MOST_CHANGES) changes.push(change)
    else more += 1
  }
  const images = { added: countMissing(after, before), removed: countMissing(before, after) }
  if (changes.length + images.added + images.removed === 0) return undefined
  const members = JSON.stringify({ ...parseProjectId(id), more, images })
  return `${members.slice(0, -1)},"changes":[${changes.join(',')}]}`
}

/** Creates a predicate that finds all words of a text in a record; undefined without words. Case is ignored. */
function compileWords(text: string): ((resource: StoredResource) => boolean) | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  return (resource) => {
    const record = toResourceText(resource).toLowerCase()
    return words.every((word) => hasPart(record, word))
  }
}

/** Writes a page of resources, one at a time, because each may have a megabyte. */
function* writePage(members: object, page: readonly StoredResource[]): Generator<string, void> {
  yield `${JSON.stringify(members).slice(0, -1)},"results":[`
  for (const [at, resource] of page.entries()) yield (at === 0 ? '' : ',') + toResourceText(resource)
  yield ']}'
}

/** Routes to find a session's projects and their resources, and what changed since a snapshot. */
export function createProjectRoutes({ store }: AdminParts) {
  /** What every project starts with: no session can have this name. */
  const readInitial = (): ProjectData => store.access(' ', { baseUrl: '', projectKey: '' }).read()

  async function listProjects({ session: { name, journal } }: AdminRequest): Promise<Response> {
    const written = store.changedProjects(name)
    const ids = new Set<string>()
    for (const exchange of journal.exchanges().slice(-NEWEST).toReversed()) {
      const project = findProject(exchange)
      if (project !== undefined) ids.add(toProjectId(project))
    }
    for (const id of written.keys()) ids.add(id)
    const projects = Array.from(ids, (id) => ({ ...parseProjectId(id), isChanged: written.has(id) }))
    return toJson({ projects: projects.filter(({ projectKey }) => projectKey !== '') })
  }

  return {
    'GET /projects': listProjects,
    'GET /state/:projectKey/resources': async (admin, param) => {
      const { session, query } = admin
      const project = new Project(store.access(session.name, readProjectName(admin, param('projectKey'))))
      const limit = findCount(query, 'limit') ?? DEFAULT_PROJECTS
      if (limit > MOST_LISTED_PROJECTS) {
        throw problem.invalidField({
          field: 'limit',
          invalidValue: limit,
          message: `Malformed parameter: limit: a page has at most ${MOST_LISTED_PROJECTS} resources. For all of them, use ${ADMIN_PATH}/state/{projectKey}.`,
        })
      }
      const offset = findCount(query, 'offset') ?? 0
      const [where, sort] = [query.getAll('where'), query.getAll('sort')]
      const input = {
        query: { ...(where.length === 0 ? {} : { where }), ...(sort.length === 0 ? {} : { sort }) },
        families: { var: new Map<string, string[]>() },
      }
      const condition = compileWords(query.get('text') ?? '')
      const { page, total } = await findListPage(input, project, { limit, offset, withTotal: true }, condition)
      return toJsonStream(writePage({ limit, offset, total }, page))
    },
    'GET /snapshots/:name/changes': async ({ session }, param) => {
      const { data: before } = expectSnapshot(session, param('name'))
      const after = copySessionData(store.changedProjects(session.name))
      const initial = readInitial()
      const projects: string[] = []
      for (const id of new Set([...before.keys(), ...after.keys()])) {
        const text = await compareProject(id, before.get(id) ?? initial, after.get(id) ?? initial)
        if (text !== undefined) projects.push(text)
      }
      return toJsonText(`{"projects":[${projects.join(',')}]}`)
    },
  } satisfies AdminRoutes
}
