import { encoder } from '../../service/http/body.ts'
import { findJson, stringifyJson } from '../../service/http/json.ts'
import type { LoggedHeaders } from '../../sessions/journal/wiremock-json.ts'

// Answers of tools stay below 4 KB by default, because an agent reads every byte of them.

/** Size of a page of a list, in bytes of JSON. */
const PAGE_SIZE = 3000

/** Maximum size of a body, and of all headers of a message, in bytes. */
const MOST_BODY = 1000
const MOST_HEADER_CHARACTERS = 800

/** Maximum size of any other text, such as a URL, in bytes. */
const MOST_TEXT = 300

/** Maximum number of entries of a list in an explanation or a report. */
const MOST_ENTRIES = 5

const sizeOf = (text: string): number => encoder.encode(text).length

/** Shortens a text to a size in bytes. */
export function cutText(text: string, most = MOST_TEXT): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(most))
  return read < text.length ? `${text.slice(0, read)}…` : text
}

/** A body as JSON if it is. Integers above 2^53 become strings, because clients would round them (D3). */
function parseShownBody(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  const value = findJson(text)
  if (value === undefined) return text
  return JSON.parse(stringifyJson(value, undefined, (_name, one) => (typeof one === 'bigint' ? String(one) : one)))
}

/** The members that describe a body; none without one. */
export function toBriefBody(
  { body, bodySize }: { readonly body: string; readonly bodySize?: number | undefined },
  isWhole: boolean,
) {
  if (body === '') return {}
  const shown = isWhole ? body : cutText(body, MOST_BODY)
  if (shown !== body) return { body: shown, bodySize: bodySize ?? sizeOf(body) }
  return bodySize === undefined ? { body: parseShownBody(body) } : { body, bodySize }
}

/** The headers that the mock adds to every response, and those of the connection. */
const SHOWN_HEADERS = new Set([
  'x-correlation-id',
  'x-content-type-options',
  'x-mock-operation',
  'x-mock-scenario',
  'x-mock-warning',
  'content-length',
  'date',
  'connection',
  'keep-alive',
])

/** The headers that the service documents or a scenario added. */
export const omitOwnHeaders = (headers: LoggedHeaders): LoggedHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !SHOWN_HEADERS.has(name)))

/** The members that describe headers. */
export function toHeaderMembers(headers: LoggedHeaders, isWhole: boolean) {
  if (isWhole) return { headers }
  const entries = Object.entries(headers).map(([name, value]) => [name, cutText(String(value))] as const)
  const kept = takeFitting(entries, MOST_HEADER_CHARACTERS)
  const omitted = entries.length - kept.length
  return { headers: Object.fromEntries(kept), ...(omitted === 0 ? {} : { omittedHeaders: omitted }) }
}

/** Whether a value fits on a page. */
export const isFitting = (value: unknown): boolean => sizeOf(stringifyJson(value)) <= PAGE_SIZE

/** Returns the first entries that fit on a page, and at least one. */
export function takeFitting<Entry>(entries: readonly Entry[], size = PAGE_SIZE): readonly Entry[] {
  let left = size
  const end = entries.findIndex((entry, at) => {
    left -= sizeOf(stringifyJson(entry))
    return left < 0 && at > 0
  })
  return end === -1 ? entries : entries.slice(0, end)
}

/**
 * Shortens long texts and lists at any depth.
 *
 * @returns the shortened value, and the number of entries omitted from each list, by its path
 */
export function toBrief(value: unknown) {
  const omitted: Record<string, number> = {}

  function visit(part: unknown, path: string): unknown {
    if (typeof part === 'string') return cutText(part)
    if (Array.isArray(part)) {
      if (part.length > MOST_ENTRIES) omitted[path] = part.length - MOST_ENTRIES
      return part.slice(0, MOST_ENTRIES).map((one: unknown, at) => visit(one, `${path}[${at}]`))
    }
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, visit(member, path === '' ? name : `${path}.${name}`)]),
    )
  }

  const brief = visit(value, '')
  return { brief, omitted }
}
