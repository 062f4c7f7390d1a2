import { pause, runInTurns } from '../util/pause.ts'
import { JSON_TYPE, toJson } from '../http/envelope.ts'
import { problem } from '../errors.ts'
import { ADMIN_PATH, toBaseUrlName } from '../http/address.ts'
import { toStateLimits } from '../http/json-limits.ts'
import type { Steps } from '../util/pause.ts'
import { STATE_SLICE, checkProject, checkProjects } from '../state/check-state.ts'
import { buildProjectData, writeProject, StateFault, buildProjects, writeSession } from '../state/records.ts'
import { copySessionData } from '../state/state-data.ts'
import { toProjectId } from '../state/change.ts'
import type { ProjectName, Change } from '../state/change.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { expectName } from '../sessions/sessions.ts'
import type { Session } from '../sessions/session.ts'
import type { AdminRequest } from './request.ts'
import type { Snapshot } from '../state/state-data.ts'
import type { AdminParts, AdminRoutes } from './routes.ts'

/** Minimum chunk size, in characters. */
const CHUNK = 16 * 1024

/** Characters after which other requests get their turn. */
const PAUSE_AFTER = 256 * 1024

const encoder = new TextEncoder()

/**
 * Answers JSON text piece by piece, as fast as the client reads it: the whole text is never in memory.
 *
 * @example toJsonStream(writeList('requests', entries, toServeEvent))
 */
export function toJsonStream(pieces: Iterator<string, void> | AsyncIterator<string, void>): Response {
  let sincePause = 0
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A client that reads at once would have all of it in one go.
      if (sincePause > PAUSE_AFTER) {
        await pause()
        sincePause = 0
      }
      let text = ''
      while (text.length < CHUNK) {
        const piece = await pieces.next()
        if (piece.done === true) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += piece.value
      }
      sincePause += text.length
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
  return new Response(stream, { headers: { 'Content-Type': JSON_TYPE } })
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
  } catch (error) {
    if (error instanceof StateFault) throw problem.invalidInput(`Malformed state: ${error.message}`)
    throw error
  }
}

/** The whole state of a session, out and in. */
export function createStateRoutes({ store, fixtures, events, maxBody }: AdminParts): AdminRoutes {
  const limit = Math.max(maxBody, MAX_STATE)
  const limits = toStateLimits(limit)

  async function change({ name }: Session, one: Change, project?: ProjectName): Promise<Response> {
    await store.write(name, () => store.change(name, one))
    events.publish({ kind: 'state', session: name, ...(project === undefined ? {} : { project }) })
    return toJson({})
  }

  return {
    'GET /state': (admin) => toJsonStream(writeSession(copySessionData(store.written(admin.session.name)))),
    'PUT /state': async (admin) => {
      const data = await admin.useJson({ limit, limits }, ({ value }) =>
        readState(checkProjects(value), (records) => buildProjects(records, 'projects', fixtures().action)),
      )
      return change(admin.session, { kind: 'session', data })
    },
    'GET /state/:projectKey': (admin, param) => {
      const name = readProjectName(admin, param('projectKey'))
      return toJsonStream(writeProject(name, store.access(admin.session.name, name).read().copy()))
    },
    'PUT /state/:projectKey': async (admin, param) => {
      const name = readProjectName(admin, param('projectKey'))
      const data = await admin.useJson({ limit, limits }, ({ value }) =>
        readState(checkProject(value), (contents) => buildProjectData(contents, '', fixtures().action)),
      )
      return change(admin.session, { kind: 'project', project: toProjectId(name), data }, name)
    },
    'DELETE /state/:projectKey': (admin, param) => {
      const name = readProjectName(admin, param('projectKey'))
      return change(admin.session, { kind: 'project', project: toProjectId(name) }, name)
    },
  }
}

const toSnapshotJson = ({ name, takenAt, data }: Snapshot) => ({ name, takenAt, projects: data.size })

const toMissing = (name: string, { name: session, snapshots }: Session): Error =>
  problem.notFound(
    `The session ${JSON.stringify(session)} has no snapshot ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, [
      ...snapshots.keys(),
    ])} GET /__admin/snapshots lists its snapshots.`,
  )

/**
 * The snapshot of that name.
 *
 * @throws {Problem} 404 if the session has none.
 */
export function expectSnapshot(session: Session, name: string): Snapshot {
  const snapshot = session.snapshots.get(name)
  if (snapshot === undefined) throw toMissing(name, session)
  return snapshot
}

/** Named copies of a session's data. */
export function createSnapshotRoutes({ store, events, clock }: AdminParts): AdminRoutes {
  return {
    'GET /snapshots': (admin) => toJson({ snapshots: Array.from(admin.session.snapshots.values(), toSnapshotJson) }),
    'GET /snapshots/:name': (admin, param) => {
      const snapshot = expectSnapshot(admin.session, param('name'))
      return toJsonStream(writeSession(snapshot.data))
    },
    'PUT /snapshots/:name': async (admin, param) => {
      const { name: session, snapshots } = admin.session
      const name = param('name')
      expectName(name, 'snapshot')
      const isNew = !snapshots.has(name)
      const takenAt = new Date(clock()).toISOString()
      await store.write(session, () => store.change(session, { kind: 'snapshot', name, takenAt }))
      const snapshot = expectSnapshot(admin.session, name)
      events.publish({ kind: 'state', session })
      return toJson(toSnapshotJson(snapshot), isNew ? 201 : 200)
    },
    'DELETE /snapshots/:name': async (admin, param) => {
      const { session } = admin
      const name = param('name')
      await store.write(session.name, () => {
        expectSnapshot(session, name)
        store.change(session.name, { kind: 'snapshot', name })
      })
      events.publish({ kind: 'state', session: session.name })
      return toJson({})
    },
    'POST /snapshots/:name/restore': async (admin, param) => {
      const { name: session } = admin.session
      const snapshot = await store.write(session, () => {
        const wanted = expectSnapshot(admin.session, param('name'))
        store.change(session, { kind: 'restore', name: wanted.name })
        return wanted
      })
      events.publish({ kind: 'state', session })
      return toJson(toSnapshotJson(snapshot))
    },
  }
}
