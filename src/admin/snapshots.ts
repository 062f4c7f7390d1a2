import { Hono } from 'hono'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import type { Events } from '../sessions/events.ts'
import type { Session } from '../sessions/session.ts'
import { expectName } from '../sessions/session-name.ts'
import type { Snapshot } from '../state/state-data.ts'
import { writeSession } from '../state/state-text.ts'
import type { Store } from '../state/store.ts'
import { toJsonStream } from './json-stream.ts'
import type { AdminEnv } from './request.ts'

interface SnapshotParts {
  readonly store: Store
  readonly events: Events
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
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
 * @throws {Problem} 404 where the session has none.
 */
export function expectSnapshot(session: Session, name: string): Snapshot {
  const snapshot = session.snapshots.get(name)
  if (snapshot === undefined) throw toMissing(name, session)
  return snapshot
}

/** Named copies of a session's data. */
export function createSnapshotRoutes({ store, events, clock }: SnapshotParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/snapshots', ({ env: { admin } }) =>
    toJson({ snapshots: Array.from(admin.session.snapshots.values(), toSnapshotJson) }),
  )
  routes.get('/snapshots/:name', ({ req, env: { admin } }) => {
    const snapshot = expectSnapshot(admin.session, req.param('name'))
    return toJsonStream(writeSession(snapshot.data))
  })
  routes.put('/snapshots/:name', async ({ req, env: { admin } }) => {
    const { name: session, snapshots } = admin.session
    const name = req.param('name')
    expectName(name, 'snapshot')
    const isNew = !snapshots.has(name)
    const takenAt = new Date(clock()).toISOString()
    await store.write(session, () => store.change(session, { kind: 'snapshot', name, takenAt }))
    const snapshot = expectSnapshot(admin.session, name)
    events.publish({ kind: 'state', session })
    return toJson(toSnapshotJson(snapshot), isNew ? 201 : 200)
  })
  routes.delete('/snapshots/:name', async ({ req, env: { admin } }) => {
    const { session } = admin
    const name = req.param('name')
    await store.write(session.name, () => {
      expectSnapshot(session, name)
      store.change(session.name, { kind: 'snapshot', name })
    })
    events.publish({ kind: 'state', session: session.name })
    return toJson({})
  })
  routes.post('/snapshots/:name/restore', async ({ req, env: { admin } }) => {
    const { name: session } = admin.session
    const snapshot = await store.write(session, () => {
      const wanted = expectSnapshot(admin.session, req.param('name'))
      store.change(session, { kind: 'restore', name: wanted.name })
      return wanted
    })
    events.publish({ kind: 'state', session })
    return toJson(toSnapshotJson(snapshot))
  })
  return routes
}
