import type { Limited, RateLimit } from './token-bucket.ts'

/** Keeps how far the rules of a session are, and when its scenarios were switched on, where other mocks use it, too. */
export interface RuleCounters {
  /** Counts a match of a rule, and resolves with its number, from 1. */
  count(rule: string): Promise<number>
  /** Takes a token from the bucket of a rule. */
  take(rule: string, limit: RateLimit): Promise<Limited>
  /** Resolves with the milliseconds since a scenario was switched on, which its first request does if nothing else did. */
  elapsed(scenario: string): Promise<number>
  /** How often a rule had matched when the counters were last read. */
  seen(rule: string): number
  /** Notes that a scenario is switched on. */
  start(scenario: string): void
  /** Resets the rules of a scenario, and forgets when it was switched on. */
  forget(scenario: string, rules: readonly string[]): void
  /** Resets all rules, and switches all scenarios on. */
  reset(): void
}
