import { problem } from '../errors.ts'
import type { Events } from '../sessions/events.ts'
import type { Store } from '../state/store.ts'
import { toJson } from './route.ts'
import type { Routes } from './route.ts'

interface LifecycleParts {
  readonly store: Store
  readonly events: Events
  /** The command line's scenarios. */
  readonly defaults: readonly string[]
  /** Ends the mock; absent where it cannot end itself. */
  readonly onShutdown?: (() => void) | undefined
}

/** Back to the start, and to the end. */
export function createLifecycleRoutes({ store, events, defaults, onShutdown }: LifecycleParts): Routes {
  return {
    '/reset': {
      /** What was kept on purpose stays: snapshots. */
      async POST({ session }) {
        const { name, scenarios, journal } = session
        store.replaceSession(name, undefined)
        await store.commit()
        scenarios.active = undefined
        scenarios.defined = new Map()
        scenarios.runner.reset()
        journal.clear()
        events.publish({ kind: 'state', session: name })
        events.publish({ kind: 'scenario', session: name, active: defaults })
        return toJson({})
      },
    },
    '/shutdown': {
      POST() {
        if (onShutdown === undefined) {
          throw problem.notImplemented(
            'This mock is part of a process that it cannot end. End it there, by closing the mock or what serves it.',
          )
        }
        // The answer goes first: whoever ends a server waits for what is under way.
        setTimeout(onShutdown, 0)
        return toJson({})
      },
    },
  }
}
