import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { Events } from '../sessions/events.ts'
import type { Session } from '../sessions/session.ts'
import { expectName } from '../sessions/sessions.ts'
import type { Snapshot } from '../state/snapshots.ts'
import { toSessionText } from '../state/state-text.ts'
import type { Store } from '../state/store.ts'
import { parameterOf, toJson, toJsonText } from './route.ts'
import type { Routes } from './route.ts'

interface SnapshotParts {
  readonly store: Store
  readonly events: Events
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
}

const toSnapshotJson = ({ name, takenAt, size }: Snapshot) => ({ name, takenAt, projects: size })

const toMissing = (name: string, { name: session, snapshots }: Session): Error =>
  problem.notFound(
    `The session ${JSON.stringify(session)} has no snapshot ${JSON.stringify(name.slice(0, 100))}.${didYouMean(
      name,
      snapshots.all().map((one) => one.name),
    )} List them with GET /__admin/snapshots.`,
  )

/**
 * The snapshot of that name.
 *
 * @throws {Problem} 404 where the session has none.
 */
export function expectSnapshot(session: Session, name: string): Snapshot {
  const snapshot = session.snapshots.find(name)
  if (snapshot === undefined) throw toMissing(name, session)
  return snapshot
}

/** Named copies of a session's data. */
export function createSnapshotRoutes({ store, events, clock }: SnapshotParts): Routes {
  return {
    '/snapshots': {
      GET: ({ session: { snapshots } }) => toJson({ snapshots: snapshots.all().map(toSnapshotJson) }),
    },
    '/snapshots/:name': {
      GET(request) {
        const snapshot = expectSnapshot(request.session, parameterOf(request, 'name'))
        return toJsonText(toSessionText(snapshot.copy()))
      },
      PUT(request) {
        const { name: session, snapshots } = request.session
        const name = parameterOf(request, 'name')
        expectName(name, 'snapshot')
        const isNew = snapshots.find(name) === undefined
        const snapshot = snapshots.take(name, store.written(session), new Date(clock()).toISOString())
        events.publish({ kind: 'state', session })
        return toJson(toSnapshotJson(snapshot), isNew ? 201 : 200)
      },
      DELETE(request) {
        const { snapshots } = request.session
        const name = parameterOf(request, 'name')
        if (!snapshots.remove(name)) throw toMissing(name, request.session)
        events.publish({ kind: 'state', session: request.session.name })
        return toJson({})
      },
    },
    '/snapshots/:name/restore': {
      async POST(request) {
        const { name: session } = request.session
        const snapshot = expectSnapshot(request.session, parameterOf(request, 'name'))
        store.replaceSession(session, snapshot.copy())
        await store.commit()
        events.publish({ kind: 'state', session })
        return toJson(toSnapshotJson(snapshot))
      },
    },
  }
}
