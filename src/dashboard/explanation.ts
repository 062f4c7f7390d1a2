import { findFailure } from '../admin/explanation.ts'
import type { Failure } from '../admin/explanation.ts'
import type { JournalEntry, KeptExchange } from '../journal/record.ts'
import { isFailure, toRow } from './row.ts'
import { isUnmatched } from '../journal/record.ts'
import { findNearMisses } from '../journal/near-misses.ts'
import { findAttempts, findRecovery } from '../journal/retries.ts'
import type { NearOperation } from '../journal/near-misses.ts'

/** Why a request got its response. */
export interface Explanation {
  readonly failure?: Failure
  /** The fault that broke the connection. */
  readonly fault?: string
  readonly warnings: readonly { readonly decision: string; readonly sentence: string }[]
  /** For a request that matches no operation. */
  readonly nearMisses: readonly NearOperation[]
  /** The retry of a failure that succeeded. */
  readonly recovery?: JournalEntry
}

/**
 * Explains why a request got its response.
 *
 * @param findRetry finds the retry of a failed request that succeeded
 */
export async function explain(
  entry: JournalEntry,
  findRetry: (failed: JournalEntry) => Promise<JournalEntry | undefined>,
): Promise<Explanation> {
  const { response, warnings } = entry
  const isFailed = isFailure(toRow(entry))
  const failure = isFailed ? findFailure(entry) : undefined
  const recovery = isFailed ? await findRetry(entry) : undefined
  return {
    ...(failure === undefined ? {} : { failure }),
    ...(response.fault === undefined ? {} : { fault: response.fault }),
    warnings: warnings.map((warning) => {
      const [decision = ''] = warning.split(' ', 1)
      return { decision, sentence: warning.slice(decision.length + 1) }
    }),
    nearMisses: isUnmatched(entry) ? findNearMisses(entry) : [],
    ...(recovery === undefined ? {} : { recovery }),
  }
}

/**
 * The retry of a failed request that succeeded.
 *
 * @param exchanges those of its session, oldest first
 * @param elapsed milliseconds of a monotonic clock
 */
export async function findRecoveryAmong(
  failed: JournalEntry,
  exchanges: readonly KeptExchange[],
  elapsed: () => number,
): Promise<JournalEntry | undefined> {
  const attempt = (await findAttempts(exchanges, elapsed)).get(failed.id)
  return attempt && findRecovery(attempt)
}
