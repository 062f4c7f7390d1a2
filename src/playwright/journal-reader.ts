import type { LoggedRequest } from '../journal/logged-request.ts'
import type { PatternSource } from '../journal/pattern-source.ts'
import type { Difference } from '../journal/patterns.ts'
import type { AdminClient } from '../client/admin-client.ts'

/** A request that a pattern nearly matched. */
export interface NearMiss {
  readonly request: LoggedRequest
  readonly differences: readonly Difference[]
}

/** What a session's journal has to say of a pattern; each throws a `SetupError` for one that is none. */
export interface JournalReader {
  /** How many requests match. */
  count(pattern: PatternSource): Promise<number>
  /** At most three that do not match, the nearest first. */
  findNear(pattern: PatternSource): Promise<readonly NearMiss[]>
  /** The whole journal as HAR 1.2. */
  toHar(): Promise<unknown>
}

/** Reads a session's journal over the admin API. */
export function createJournalReader({ ask }: AdminClient): JournalReader {
  // The casts: what the mock itself answers, as src/admin/requests.ts has it.
  return {
    async count(pattern) {
      const { count } = (await ask('POST', '/requests/count', pattern)) as { readonly count: number }
      return count
    },
    async findNear(pattern) {
      const answer = await ask('POST', '/near-misses/request-pattern', pattern)
      return (answer as { readonly nearMisses: readonly NearMiss[] }).nearMisses
    },
    toHar: () => ask('GET', '/requests.har'),
  }
}
