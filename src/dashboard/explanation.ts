import { findFailure } from '../admin/explanation.ts'
import type { Failure } from '../admin/explanation.ts'
import { isJsonObject } from '../http/json.ts'
import type { KeptBody, JournalEntry } from '../journal/entry.ts'
import { toTarget } from '../journal/target.ts'
import { mayBeRetryOf, isFailure, toRow } from './row.ts'
import { isUnmatched } from '../journal/entry.ts'
import { readEntries } from '../journal/read-entries.ts'
import type { KeptExchange } from '../journal/record.ts'
import { findNearMisses } from '../journal/near-misses.ts'
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

function parseBody({ encoding, text }: KeptBody): unknown {
  if (encoding !== 'utf-8') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The actions of an update, the key of a creation, else the whole body. A retry may change the rest. */
function toIntent(body: KeptBody | undefined): string {
  if (body === undefined) return ''
  const value = parseBody(body)
  if (!isJsonObject(value)) return body.text
  const { actions, key } = value
  if (Array.isArray(actions)) {
    return JSON.stringify(actions.map((one: unknown) => (isJsonObject(one) ? one['action'] : one)))
  }
  return typeof key === 'string' ? `key ${key}` : body.text
}

/** The query without `version`, which a retry may change. */
function toQuery(url: string): string {
  const query = new URLSearchParams(toTarget(url).search)
  query.delete('version')
  return String(query)
}

/** Whether two requests do the same to the same resource, whatever the version. */
const isSameRequest = (one: JournalEntry, other: JournalEntry): boolean =>
  mayBeRetryOf(toRow(one), toRow(other)) &&
  toQuery(one.request.url) === toQuery(other.request.url) &&
  toIntent(one.request.body) === toIntent(other.request.body)

/**
 * The retry of a failed request that succeeded.
 *
 * @param exchanges those of its session, oldest first
 * @param elapsed milliseconds of a monotonic clock
 */
export async function findRecovery(
  failed: JournalEntry,
  exchanges: readonly Pick<KeptExchange, 'id' | 'status' | 'entry'>[],
  elapsed: () => number,
): Promise<JournalEntry | undefined> {
  const at = exchanges.findIndex(({ id }) => id === failed.id)
  if (at === -1) return undefined
  const succeeded = exchanges.slice(at + 1).filter((exchange) => !isFailure(exchange))
  for await (const entry of readEntries(succeeded, elapsed)) if (isSameRequest(entry, failed)) return entry
  return undefined
}
