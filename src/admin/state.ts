import { Hono } from 'hono'
import { problem } from '../errors.ts'
import type { Events } from '../sessions/events.ts'
import { ADMIN_PATH, toBaseUrlName } from '../http/address.ts'
import { toJson } from '../http/json-response.ts'
import { toStateLimits } from '../http/json-limits.ts'
import { runInTurns } from '../util/steps.ts'
import type { Steps } from '../util/steps.ts'
import type { Session } from '../sessions/session.ts'
import type { Change } from '../state/change.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { STATE_SLICE, checkProject, checkProjects } from '../state/check-state.ts'
import { buildProjectData, writeProject } from '../state/project-record.ts'
import { copySessionData } from '../state/snapshots.ts'
import { StateFault } from '../state/state-fault.ts'
import { buildProjects, writeSession } from '../state/state-text.ts'
import { toProjectId } from '../state/project-name.ts'
import type { ProjectName } from '../state/project-name.ts'
import type { Store } from '../state/store.ts'
import { toJsonStream } from './json-stream.ts'
import type { AdminEnv, AdminRequest } from './request.ts'

interface StateRouteParts {
  readonly store: Store
  readonly fixtures: () => Fixtures
  readonly events: Events
  /** The largest JSON body in bytes. */
  readonly maxBody: number
}

/** A state holds images, so that it is larger than other bodies: at least this many bytes are taken. */
const MAX_STATE = 64 * 1024 * 1024

/**
 * The project of a request; its base URL is given by the query, or else by the address that the request was sent to.
 *
 * @throws {Problem} 400 for half a base URL, and for a key that no project can have.
 */
export function readProjectName(request: Pick<AdminRequest, 'query' | 'baseUrl'>, projectKey: string): ProjectName {
  if (`/${projectKey}` === ADMIN_PATH) {
    throw problem.invalidField({
      field: 'projectKey',
      message: `No project can be named ${projectKey}: its paths are the admin API's own. Name another one.`,
      invalidValue: projectKey,
    })
  }
  const region = request.query.get('region')
  const cloudProvider = request.query.get('cloudProvider')
  if (region === null && cloudProvider === null) return { baseUrl: toBaseUrlName(request.baseUrl), projectKey }
  if (region !== null && cloudProvider !== null)
    return { baseUrl: toBaseUrlName({ region, cloudProvider }), projectKey }
  const [missing, given] = region === null ? ['region', 'cloudProvider'] : ['cloudProvider', 'region']
  throw problem.requiredField(missing, `The parameter ${given} needs ${missing}. Send both, or neither.`)
}

/** Checks and builds a state in slices; nothing is changed by one that is wrong. */
async function readState<Checked, State>(
  check: Steps<Checked>,
  build: (checked: Checked) => Steps<State>,
): Promise<State> {
  try {
    return await runInTurns(build(await runInTurns(check, STATE_SLICE)), STATE_SLICE)
  } catch (fault) {
    if (fault instanceof StateFault) throw problem.invalidInput(`Malformed state: ${fault.message}`)
    throw fault
  }
}

/** The whole state of a session, out and in. */
export function createStateRoutes({ store, fixtures, events, maxBody }: StateRouteParts): Hono<AdminEnv> {
  const limit = Math.max(maxBody, MAX_STATE)
  const limits = toStateLimits(limit)

  async function change({ name }: Session, one: Change, project?: ProjectName): Promise<Response> {
    await store.write(name, () => store.change(name, one))
    events.publish({ kind: 'state', session: name, ...(project === undefined ? {} : { project }) })
    return toJson({})
  }

  const routes = new Hono<AdminEnv>()
  routes.get('/state', ({ env: { admin } }) =>
    toJsonStream(writeSession(copySessionData(store.written(admin.session.name)))),
  )
  routes.put('/state', async ({ env: { admin } }) => {
    const data = await admin.useJson({ limit, limits }, ({ value }) =>
      readState(checkProjects(value), (records) => buildProjects(records, 'projects', fixtures().action)),
    )
    return change(admin.session, { kind: 'session', data })
  })
  routes.get('/state/:projectKey', ({ req, env: { admin } }) => {
    const name = readProjectName(admin, req.param('projectKey'))
    return toJsonStream(writeProject(name, store.access(admin.session.name, name).read().copy()))
  })
  routes.put('/state/:projectKey', async ({ req, env: { admin } }) => {
    const name = readProjectName(admin, req.param('projectKey'))
    const data = await admin.useJson({ limit, limits }, ({ value }) =>
      readState(checkProject(value), (contents) => buildProjectData(contents, '', fixtures().action)),
    )
    return change(admin.session, { kind: 'project', project: toProjectId(name), data }, name)
  })
  routes.delete('/state/:projectKey', ({ req, env: { admin } }) => {
    const name = readProjectName(admin, req.param('projectKey'))
    return change(admin.session, { kind: 'project', project: toProjectId(name) }, name)
  })
  return routes
}
