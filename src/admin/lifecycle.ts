import { Hono } from 'hono'
import { problem } from '../errors.ts'
import { toJson } from '../http/json-response.ts'
import type { Events } from '../sessions/events.ts'
import type { Store } from '../state/store.ts'
import type { AdminEnv } from './request.ts'

interface LifecycleParts {
  readonly store: Store
  readonly events: Events
  /** The command line's scenarios. */
  readonly defaults: readonly string[]
  /** Ends the mock; absent where it cannot end itself. */
  readonly onShutdown?: (() => void) | undefined
}

/** Back to the start, and to the end. */
export function createLifecycleRoutes({ store, events, defaults, onShutdown }: LifecycleParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  // Snapshots stay: they were kept on purpose.
  routes.post('/reset', async ({ env: { admin } }) => {
    const { name, clock, scenarios, journal } = admin.session
    await store.write(name, () => {
      store.change(name, { kind: 'session' })
      store.change(name, { kind: 'active' })
      for (const defined of store.arrangement(name).defined.keys()) {
        store.change(name, { kind: 'scenario', name: defined })
      }
      clock.reset()
    })
    scenarios.runner.reset()
    journal.clear()
    events.publish({ kind: 'state', session: name })
    events.publish({ kind: 'scenario', session: name, active: defaults })
    return toJson({})
  })
  routes.post('/shutdown', () => {
    if (onShutdown === undefined) {
      throw problem.notImplemented(
        'This mock is part of a process that it cannot end. End it there, by closing the mock or what serves it.',
      )
    }
    // The response goes first: a server waits for the requests under way before it ends.
    setTimeout(onShutdown, 0)
    return toJson({})
  })
  return routes
}
