import { BoundedMap } from '../../util/collections.ts'
import { isFailedStatus } from './record.ts'
import type { KeptExchange } from './record.ts'
import { toSentPath } from './target.ts'

/** Requests that called the same operation and got the same status. */
export interface SeenResponses {
  /** Undefined if no operation matched the request. */
  readonly operation?: string | undefined
  readonly method: string
  /** 0 for a broken connection. */
  readonly status: number
  readonly count: number
  /** How many of them failed, with a later request of the same method and path. */
  readonly retried: number
}

/** What the mock saw of a session. */
export interface SeenByMock {
  readonly requests: number
  /** Responses with an error, and broken connections. */
  readonly failures: number
  /** The scenarios whose rules fired. */
  readonly scenarios: readonly string[]
  /** In the order of the first request of each; at most 100. */
  readonly responses: readonly SeenResponses[]
}

const MOST_RESPONSES = 100
/** How many failed requests, the latest, are compared with later ones, and how many characters of their paths. */
const MOST_FAILED = 100
const MOST_CHARACTERS = 1000

type SeenExchange = Pick<KeptExchange, 'operation' | 'method' | 'url' | 'status' | 'scenarios'>

/** Creates a summary of exchanges, which are counted as they come. */
export function createSummary() {
  const scenarios = new Set<string>()
  const responses = new Map<string, { -readonly [Member in keyof SeenResponses]: SeenResponses[Member] }>()
  /** The names of the failed responses at each method and path that no request has followed. */
  const open = new BoundedMap<string, string>(MOST_FAILED)
  let failures = 0

  return {
    count({ operation, method, url, status, scenarios: fired }: SeenExchange): void {
      const name = `${operation ?? method} ${status}`
      const known = responses.get(name)
      if (known !== undefined) known.count += 1
      else if (responses.size < MOST_RESPONSES) responses.set(name, { operation, method, status, count: 1, retried: 0 })
      for (const scenario of fired) scenarios.add(scenario)
      const hasFailed = isFailedStatus(status)
      if (open.size === 0 && !hasFailed) return
      const place = `${method} ${toSentPath(url).slice(0, MOST_CHARACTERS)}`
      const retried = responses.get(open.get(place) ?? '')
      if (retried !== undefined) retried.retried += 1
      open.delete(place)
      if (!hasFailed) return
      failures += 1
      open.set(place, name)
    },
    read: (): Omit<SeenByMock, 'requests'> => ({
      failures,
      scenarios: [...scenarios],
      responses: Array.from(responses.values(), (one) => ({ ...one })),
    }),
  }
}
