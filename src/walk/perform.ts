import { after } from '../after.ts'
import type { Decoded } from '../contract/decode.ts'
import type { Answer } from '../contract/handler.ts'
import type { Preferences } from '../http/prefer.ts'
import type { Context } from '../operations/operation.ts'
import { createAdvanceVersion } from './advance-version.ts'
import type { PathParameters } from './router.ts'
import type { FindExample } from '../scenarios/answer.ts'
import { applyIdentity } from '../scenarios/preference.ts'
import type { Preferred } from '../scenarios/preference.ts'
import { findPreferred, preferStatus } from '../scenarios/preferred.ts'
import type { Served } from './served.ts'
import type { Store } from '../state/store.ts'

interface PerformParts {
  readonly store: Store
  readonly seed: number
  readonly findExample: FindExample
}

/** One operation, about to be performed. */
export interface Performance {
  readonly served: Served
  readonly decoded: Decoded
  readonly path: PathParameters
  readonly context: Context
  readonly preferences: Preferences
  /** How many versions another writer comes first by. */
  readonly versionsAhead: number
}

export type Perform = (performance: Performance) => Answer | Promise<Answer>

/** The answer as it was preferred, and `Preference-Applied` for what of it was honoured (RFC 7240, section 3). */
function toAnswer({ answer, applied }: Preferred): Answer {
  if (applied.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'Preference-Applied': applied.join(', ') } }
}

/** Performs operations: what the request prefers, else the real processing, kept before it is answered. */
export function createPerform({ store, seed, findExample }: PerformParts): Perform {
  const advanceVersion = createAdvanceVersion(store)

  function process({ served, decoded, path, context }: Performance): Answer | Promise<Answer> {
    return after(served.handle(decoded, path, context), (answer) => {
      const keeping = served.endpoint.method === 'GET' ? undefined : store.commit()
      return after(keeping, () => answer)
    })
  }

  async function bend(performance: Performance): Promise<Answer> {
    const { served, path, preferences, context, versionsAhead } = performance
    const { endpoint, id } = served
    const { identity, locate } = context
    const preferred = await findPreferred({
      endpoint,
      preferences,
      identity,
      seed,
      operation: id,
      path,
      locate,
      findExample,
    })
    if (preferred !== undefined) return toAnswer(preferred)
    if (versionsAhead > 0) await advanceVersion(versionsAhead, path, context)
    const applied = applyIdentity(endpoint, preferences)
    return toAnswer(preferStatus({ answer: await process(performance), applied }, endpoint, preferences))
  }

  return function perform(performance) {
    const isPlain = performance.preferences.size === 0 && performance.versionsAhead === 0
    return isPlain ? process(performance) : bend(performance)
  }
}
