import { isJsonObject } from '../http/json.ts'
import type { JournalEntry } from './record.ts'
import type { KeptBody } from './redact.ts'
import { toTarget } from './target.ts'

/** Whether a failed request was retried, and whether any retry succeeded. */
export type RetryState = 'none' | 'failed' | 'succeeded'

/** Whether the response is an error, or the connection broke. */
const isFailed = ({ response: { status } }: JournalEntry): boolean => status === 0 || status >= 400

function parseBody({ encoding, text }: KeptBody): unknown {
  if (encoding !== 'utf-8') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Only this many characters of a body distinguish requests. */
const COMPARED_CHARACTERS = 2000

/** Identifies a body by the actions of an update or the key of a draft, if any; the rest may differ in a retry. */
function toIntent(body: KeptBody | undefined): string {
  if (body === undefined) return ''
  const value = parseBody(body)
  const text = `${body.size} ${body.text.slice(0, COMPARED_CHARACTERS)}`
  if (!isJsonObject(value)) return text
  const { actions, key } = value
  if (Array.isArray(actions)) {
    return JSON.stringify(actions.map((one: unknown) => (isJsonObject(one) ? one['action'] : one)))
  }
  return typeof key === 'string' ? `key ${key}` : text
}

/** A key that a request shares with its retries: the same operation on the same resource, with any version. */
export function toRetryKey({ session, request: { method, url, body } }: JournalEntry): string {
  const { sentPath, search } = toTarget(url)
  const query = new URLSearchParams(search)
  query.delete('version')
  return JSON.stringify([session, method, sentPath, String(query), toIntent(body)])
}

/**
 * Creates a function that finds retries of failed requests. Call it for each entry of a journal, newest first; requests
 * that did not fail have no retry state.
 */
export function createRetryFinder(): (entry: JournalEntry) => RetryState | undefined {
  const later = new Map<string, Exclude<RetryState, 'none'>>()
  return (entry) => {
    const key = toRetryKey(entry)
    const known = later.get(key)
    if (!isFailed(entry)) {
      later.set(key, 'succeeded')
      return undefined
    }
    later.set(key, known ?? 'failed')
    return known ?? 'none'
  }
}
