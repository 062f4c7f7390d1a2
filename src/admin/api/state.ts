import { LATEST, toTime } from '../../service/state/change.ts'
import { encoder } from '../../service/http/body.ts'
import * as z from 'zod'
import { problem } from '../../errors.ts'
import { ADMIN_PATH, toBaseUrlName } from '../../service/http/request-head.ts'
import { JSON_TYPE, toJson } from '../../service/http/envelope.ts'
import { MAX_BYTES } from '../../service/http/sizes.ts'
import { showValue } from '../../service/http/json.ts'
import type { Value } from '../../app/options/option.ts'
import type { Session } from '../../sessions/sessions.ts'
import { expectName, expectEndable } from '../../sessions/session-names.ts'
import { toProjectId, parseProjectId } from '../../service/state/project-data.ts'
import type { ProjectName } from '../../service/state/project-data.ts'
import type { Change } from '../../service/state/change.ts'
import {
  expectProject,
  expectProjects,
  parseProjects,
  StateFault,
  toProjectData,
  writeProject,
  writeSession,
} from '../../service/state/records.ts'
import { copySessionData } from '../../service/state/state-data.ts'
import type { Snapshot } from '../../service/state/state-data.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { timeSlices } from '../../util/time-slices.ts'
import { readSwitch, expectBody } from './request.ts'
import type { AdminRequest, AdminParts, AdminRoutes } from './request.ts'
import * as values from '../../app/options/option.ts'

/** Minimum chunk size, in characters. */
const STATE_CHUNK = 16 * 1024

/**
 * Streams JSON text at the client's speed. The whole text is never in memory.
 *
 * @example toJsonStream(writeList('requests', entries, toWireMockEvent))
 */
export function toJsonStream(pieces: Iterator<string, void> | AsyncIterator<string, void>): Response {
  const slice = timeSlices.start()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Otherwise, a fast reader would block all other requests.
      if (slice.isOver()) await slice.next()
      let text = ''
      while (text.length < STATE_CHUNK) {
        const piece = await pieces.next()
        if (piece.done === true) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += piece.value
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
  return new Response(stream, { headers: { 'Content-Type': JSON_TYPE } })
}

/**
 * The project of a request. Its base URL comes from the query, or else from the request's path.
 *
 * @throws {Problem} 400 for an incomplete base URL or a reserved project key.
 */
export function readProjectName(request: Pick<AdminRequest, 'query' | 'baseUrl'>, projectKey: string): ProjectName {
  if (`/${projectKey}` === ADMIN_PATH) {
    throw problem.invalidField({
      field: 'projectKey',
      message: `The project key ${projectKey} is reserved for the admin API. Use another one.`,
      invalidValue: projectKey,
    })
  }
  const region = request.query.get('region')
  const cloudProvider = request.query.get('cloudProvider')
  if (region === null && cloudProvider === null) return { baseUrl: toBaseUrlName(request.baseUrl), projectKey }
  if (region !== null && cloudProvider !== null)
    return { baseUrl: toBaseUrlName({ region, cloudProvider }), projectKey }
  const [missing, present] = region === null ? ['region', 'cloudProvider'] : ['cloudProvider', 'region']
  throw problem.requiredField(missing, `The parameter ${present} requires ${missing}. Send both or neither.`)
}

/** Checks and builds a state. An invalid state changes nothing. */
function readState<State>(build: () => State): State {
  try {
    return build()
  } catch (error) {
    if (error instanceof StateFault) throw problem.invalidInput(`Malformed state: ${error.message}`)
    throw error
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
 * Returns the session's snapshot of that name.
 *
 * @throws {Problem} 404 if it does not exist.
 */
export function expectSnapshot(session: Session, name: string): Snapshot {
  const snapshot = session.snapshots.get(name)
  if (snapshot === undefined) throw toMissing(name, session)
  return snapshot
}

/** A time for a session's clock: exactly one of both. */
export const clockBody = z.strictObject({ now: z.unknown().optional(), advance: z.unknown().optional() })

const clockStep = values.duration({ min: 1 })

/** @throws {Problem} 400 for an invalid value. */
function expectValue<Parsed>(field: string, { schema, expected }: Value<Parsed, unknown>, value: unknown): Parsed {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw problem.invalidField({
    field,
    invalidValue: value,
    message: `"${field}" must be ${expected}, not ${showValue(value)}.`,
  })
}

/** @throws {Problem} 400 unless the body has exactly one of `now` and `advance`. */
function readTime(body: unknown, { clock }: Session): number {
  const { now, advance } = expectBody(clockBody, body)
  if ((now === undefined) === (advance === undefined)) {
    throw problem.invalidInput(
      'Send either {"advance":"2h"} to advance the clock of the session, or {"now":"2026-01-31T12:00:00Z"} to set it.',
    )
  }
  const time =
    now === undefined
      ? clock.now() + expectValue('advance', clockStep, advance)
      : Date.parse(expectValue('now', values.dateTime, now))
  if (time <= LATEST) return time
  throw problem.invalidInput('The clock cannot go beyond the year 9999. Advance it by less.')
}

const toClockJson = ({ clock }: Session): Response => toJson({ now: toTime(clock.now()) })

/**
 * Moves the clock of a session.
 *
 * @param body `{ now }` or `{ advance }`
 * @throws {Problem} 400 for anything else.
 */
export async function moveClock(
  { store, events }: Pick<AdminParts, 'store' | 'events'>,
  session: Session,
  body: unknown,
): Promise<void> {
  await store.write(session.name, () => session.clock.set(readTime(body, session)))
  events.publish({ kind: 'state', session: session.name })
}

/** Ends a session, permanently or until its next use. */
export async function endSession(
  { store, sessions, refresh }: Pick<AdminParts, 'store' | 'sessions' | 'refresh'>,
  name: string,
  isFinal: boolean,
): Promise<void> {
  await refresh?.(name)
  // Requests that still wait belong to the archive of a test.
  await sessions.find(name)?.interrupt('ended')
  const captured = sessions.capture(name)
  await captured?.share()
  await store.write(name, () => store.change(name, { kind: 'end', ...(isFinal ? { isFinal } : {}) }))
  sessions.end(name, isFinal ? 'final' : 'deleted', captured)
}

/** Routes for sessions, and for a session's data, snapshots and clock. */
export function createStateRoutes(parts: AdminParts): AdminRoutes {
  const { store, sources, events, sessions, clock, defaults, onShutdown } = parts

  const publish = (session: string, project?: ProjectName): void =>
    events.publish({ kind: 'state', session, ...(project === undefined ? {} : { project }) })

  async function change({ name }: Session, one: Change, project?: ProjectName): Promise<Response> {
    await store.write(name, () => store.change(name, one))
    publish(name, project)
    return toJson({})
  }

  const toSessionJson = ({ name, lastUsedAt, journal, scenarios, snapshots, test }: Session) => ({
    name,
    ...(test === undefined ? {} : { test: test.id }),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    requests: journal.size,
    activeScenarios: scenarios.active ?? defaults,
    projects: Array.from(store.changedProjects(name).keys(), parseProjectId).filter(
      ({ projectKey }) => projectKey !== '',
    ),
    snapshots: snapshots.size,
  })

  return {
    // Snapshots stay: they were saved on purpose.
    'POST /reset': async (admin) => {
      const { name, scenarios, journal } = admin.session
      await admin.session.interrupt('was reset')
      await store.write(name, () => {
        store.change(name, { kind: 'session' })
        store.change(name, { kind: 'active' })
        for (const defined of store.scenarioSelection(name).defined.keys()) {
          store.change(name, { kind: 'scenario', name: defined })
        }
        admin.session.clock.reset()
      })
      scenarios.runner.reset()
      journal.clear()
      publish(name)
      events.publish({ kind: 'scenario', session: name, active: defaults })
      return toJson({})
    },
    'POST /shutdown': () => {
      if (onShutdown === undefined) {
        throw problem.notImplemented(
          'This mock cannot end the process it runs in. Close the mock or its server in that process.',
        )
      }
      // Responds first: a server waits for in-flight requests before it stops.
      setTimeout(onShutdown, 0)
      return toJson({})
    },
    'GET /state': (admin) => toJsonStream(writeSession(copySessionData(store.changedProjects(admin.session.name)))),
    'PUT /state': async (admin) => {
      const value = await admin.readJson(MAX_BYTES.state)
      const data = readState(() => parseProjects(expectProjects(value), 'projects', sources.fixtures.action))
      return change(admin.session, { kind: 'session', data })
    },
    'GET /state/:projectKey': (admin, param) => {
      const name = readProjectName(admin, param('projectKey'))
      return toJsonStream(writeProject(name, store.access(admin.session.name, name).read().copy()))
    },
    'PUT /state/:projectKey': async (admin, param) => {
      const name = readProjectName(admin, param('projectKey'))
      const value = await admin.readJson(MAX_BYTES.state)
      const list = Array.isArray(value) ? '' : 'resources'
      const data = readState(() => toProjectData(expectProject(value), list, sources.fixtures.action))
      return change(admin.session, { kind: 'project', project: toProjectId(name), data }, name)
    },
    'DELETE /state/:projectKey': (admin, param) => {
      const name = readProjectName(admin, param('projectKey'))
      return change(admin.session, { kind: 'project', project: toProjectId(name) }, name)
    },
    'GET /snapshots': (admin) => toJson({ snapshots: Array.from(admin.session.snapshots.values(), toSnapshotJson) }),
    'GET /snapshots/:name': (admin, param) => {
      const snapshot = expectSnapshot(admin.session, param('name'))
      return toJsonStream(writeSession(snapshot.data))
    },
    'PUT /snapshots/:name': async (admin, param) => {
      const { name: session, snapshots } = admin.session
      const name = param('name')
      expectName(name, 'snapshot')
      const takenAt = toTime(clock())
      const taken = await store.write(session, () => {
        const status = snapshots.has(name) ? 200 : 201
        store.change(session, { kind: 'snapshot', name, takenAt })
        return toJson(toSnapshotJson(expectSnapshot(admin.session, name)), status)
      })
      publish(session)
      return taken
    },
    'DELETE /snapshots/:name': async (admin, param) => {
      const { session } = admin
      const name = param('name')
      await store.write(session.name, () => {
        expectSnapshot(session, name)
        store.change(session.name, { kind: 'snapshot', name })
      })
      publish(session.name)
      return toJson({})
    },
    'POST /snapshots/:name/restore': async (admin, param) => {
      const { name: session } = admin.session
      const restore = () => {
        const wanted = expectSnapshot(admin.session, param('name'))
        store.change(session, { kind: 'restore', name: wanted.name })
        return wanted
      }
      const snapshot = await store.write(session, restore, { kind: 'admin', time: toTime(clock()) })
      publish(session)
      return toJson(toSnapshotJson(snapshot))
    },
    'GET /clock': (admin) => toClockJson(admin.session),
    'PUT /clock': async (admin) => {
      await moveClock(parts, admin.session, await admin.readJson())
      return toClockJson(admin.session)
    },
    'DELETE /clock': async (admin) => {
      const { session } = admin
      await store.write(session.name, () => session.clock.reset())
      publish(session.name)
      return toClockJson(session)
    },
    'GET /sessions': () => toJson({ sessions: Array.from(sessions.all(), toSessionJson) }),
    // The next request recreates the default session, like any other.
    'DELETE /sessions/:name': async (admin, param) => {
      const name = param('name')
      const isFinal = readSwitch(admin.query, 'final')
      if (!isFinal && sessions.find(name) === undefined) {
        const known = Array.from(sessions.all(), (one) => one.name)
        throw problem.notFound(
          `The session ${JSON.stringify(name.slice(0, 100))} does not exist.${didYouMean(name, known)} GET /__admin/sessions lists all sessions.`,
        )
      }
      if (isFinal) expectEndable(name)
      await endSession(parts, name, isFinal)
      return toJson({})
    },
  }
}
