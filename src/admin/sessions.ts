import { Hono } from 'hono'
import { didYouMean } from '../util/did-you-mean.ts'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import { expectRetirable } from '../sessions/session-name.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { parseProjectId } from '../state/project-name.ts'
import type { Store } from '../state/store.ts'
import { readSwitch } from './request.ts'
import type { AdminEnv } from './request.ts'

interface SessionRouteParts {
  readonly sessions: Sessions
  readonly store: Store
  /** The command line's scenarios. */
  readonly defaults: readonly string[]
}

/** Which sessions there are. */
export function createSessionRoutes({ sessions, store, defaults }: SessionRouteParts): Hono<AdminEnv> {
  const toSessionJson = ({ name, lastUsedAt, journal, scenarios, snapshots }: Session) => ({
    name,
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    /** As many as the journal still has. */
    requests: journal.size,
    activeScenarios: scenarios.active ?? defaults,
    projects: Array.from(store.written(name).keys(), parseProjectId).filter(({ projectKey }) => projectKey !== ''),
    snapshots: snapshots.size,
  })

  const routes = new Hono<AdminEnv>()
  routes.get('/sessions', () => toJson({ sessions: Array.from(sessions.all(), toSessionJson) }))
  // The default session starts again with the next request in it, like any other.
  routes.delete('/sessions/:name', async ({ req, env: { admin } }) => {
    const name = req.param('name')
    const isFinal = readSwitch(admin.query, 'final')
    if (!isFinal && sessions.find(name) === undefined) {
      const known = Array.from(sessions.all(), (one) => one.name)
      throw problem.notFound(
        `No session is named ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, known)} GET /__admin/sessions lists all sessions.`,
      )
    }
    if (isFinal) expectRetirable(name)
    await store.write(name, () => store.change(name, { kind: 'end', ...(isFinal ? { isFinal } : {}) }))
    if (isFinal) sessions.retire(name)
    else sessions.end(name)
    return toJson({})
  })
  return routes
}
