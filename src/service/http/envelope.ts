import { parseAccept } from 'hono/utils/accept'
import { stringifyJson } from './json.ts'
import type { ErrorItem, Problem } from '../../errors.ts'

/** The error envelope (decisions, "Errors"). */
export interface ErrorEnvelope {
  readonly statusCode: number
  readonly message: string
  readonly errors: readonly ErrorItem[]
  readonly [member: string]: unknown
}

/** Maximum length of a text in an error; longer texts from the client are truncated. */
const LONGEST_TEXT = 1000

const abridgeText = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)

function abridgeMember([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (typeof value === 'string') return [name, abridgeText(value)]
  if (name !== 'invalidValue' || typeof value !== 'object') return [name, value]
  const text = stringifyJson(value)
  return [name, text.length > LONGEST_TEXT ? abridgeText(text) : value]
}

const abridgeTexts = <Members extends object>(members: Members): Members =>
  // Every member keeps its type: text stays text, and values sent by the client have type unknown.
  Object.fromEntries(Object.entries(members).map(abridgeMember)) as Members

/** Converts a problem to the envelope that all error responses use. */
export function toEnvelope({ status, message, members, errors }: Problem): ErrorEnvelope {
  const envelope = abridgeTexts({ statusCode: status, message, ...members })
  return { ...envelope, errors: errors.map(abridgeTexts) }
}

/** The media type of all JSON responses. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Creates a response from JSON text. */
export const toJsonText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'Content-Type': JSON_TYPE } })

/** Creates a JSON response from a value; `Response.json` and `c.json` would round integers beyond 2^53. */
export const toJson = (value: unknown, status = 200): Response => toJsonText(stringifyJson(value), status)

/** Whether an `Accept` header allows a media type; the most specific range decides (RFC 9110, section 12.5.1). */
export function admitsType(accept: string, type: string): boolean {
  const [main = ''] = type.split('/')
  let best = { close: 0, quality: 0 }
  for (const { type: sent, q } of parseAccept(accept)) {
    const range = sent.toLowerCase()
    const close = range === type ? 3 : range === `${main}/*` ? 2 : range === '*/*' || range === '*' ? 1 : 0
    if (close > best.close) best = { close, quality: q }
  }
  return best.quality > 0
}

/** Whether the client requests an HTML page. Clients that accept anything, as most do, get JSON (D88). */
export function wantsPage(headers: Headers): boolean {
  const accept = headers.get('Accept') ?? ''
  return accept.includes('text/html') && admitsType(accept, 'text/html')
}
