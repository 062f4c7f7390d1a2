import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { parseProjectId } from '../state/store.ts'
import type { Store } from '../state/store.ts'
import { parameterOf, readSwitch, toJson } from './route.ts'
import type { Routes } from './route.ts'

interface SessionsParts {
  readonly sessions: Sessions
  readonly store: Store
  /** The command line's scenarios. */
  readonly defaults: readonly string[]
}

/** Which sessions there are. */
export function createSessionRoutes({ sessions, store, defaults }: SessionsParts): Routes {
  const toSessionJson = ({ name, lastUsedAt, journal, scenarios, snapshots }: Session) => ({
    name,
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    /** As many as the journal still has. */
    requests: journal.size,
    activeScenarios: scenarios.active ?? defaults,
    projects: Array.from(store.written(name).keys(), parseProjectId).filter(({ projectKey }) => projectKey !== ''),
    snapshots: snapshots.all().length,
  })

  return {
    '/sessions': {
      GET: () => toJson({ sessions: Array.from(sessions.all(), toSessionJson) }),
    },
    '/sessions/:name': {
      // The default session begins again at its next mention, as any other does: ended, it is as good as new.
      async DELETE(request) {
        const name = parameterOf(request, 'name')
        if (readSwitch(request.query, 'final')) {
          sessions.retire(name)
        } else if (!sessions.end(name)) {
          const known = Array.from(sessions.all(), (one) => one.name)
          throw problem.notFound(
            `There is no session ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, known)} List them with GET /__admin/sessions.`,
          )
        }
        await store.commit()
        return toJson({})
      },
    },
  }
}
