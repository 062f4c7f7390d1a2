import { isJsonObject } from '../http/json.ts'
import type { JournalEntry, KeptBody } from '../journal/entry.ts'
import { toTarget } from '../journal/target.ts'
import { isFailure, mayBeRetryOf, toRow } from './row.ts'

function parseBody({ encoding, text }: KeptBody): unknown {
  if (encoding !== 'utf-8') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The actions of an update, the key of a creation, else the whole body. A retry may correct anything else. */
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

/** The query without the version, which a retry may change. */
function toQuery(url: string): string {
  const query = new URLSearchParams(toTarget(url).search)
  query.delete('version')
  return String(query)
}

/** Whether two requests ask for the same thing of the same resource, if not from the same version. */
const isSameRequest = (one: JournalEntry, other: JournalEntry): boolean =>
  mayBeRetryOf(toRow(one), toRow(other)) &&
  toQuery(one.request.url) === toQuery(other.request.url) &&
  toIntent(one.request.body) === toIntent(other.request.body)

/**
 * The retry of a failed request that succeeded.
 *
 * @param newest the entries of its session, newest first
 */
export function findRecovery(failed: JournalEntry, newest: Iterable<JournalEntry>): JournalEntry | undefined {
  let recovery: JournalEntry | undefined
  for (const entry of newest) {
    if (entry.id === failed.id) return recovery
    if (!isFailure(toRow(entry)) && isSameRequest(entry, failed)) recovery = entry
  }
  return undefined
}
