import { stringifyJson } from './json.ts'
import type { ErrorItem, Problem } from '../errors.ts'

/** The parts of the one error envelope (decisions, "Errors"). */
export interface ErrorEnvelope {
  readonly statusCode: number
  readonly message: string
  readonly errors: readonly ErrorItem[]
  readonly [member: string]: unknown
}

/** The longest text that an error holds: what a client sent is repeated only as far as it helps. */
const LONGEST_TEXT = 1000

const abridgeText = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)

function abridge([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (typeof value === 'string') return [name, abridgeText(value)]
  if (name !== 'invalidValue' || typeof value !== 'object') return [name, value]
  const text = stringifyJson(value)
  return [name, text.length > LONGEST_TEXT ? abridgeText(text) : value]
}

const abridgeTexts = <Members extends object>(members: Members): Members =>
  // A text stays a text, and what a client sent was of unknown type: every member keeps its type.
  Object.fromEntries(Object.entries(members).map(abridge)) as Members

/** Renders a problem as the envelope that every error answer carries. */
export function toEnvelope({ status, message, members, errors }: Problem): ErrorEnvelope {
  const envelope = abridgeTexts({ statusCode: status, message, ...members })
  return { ...envelope, errors: errors.map(abridgeTexts) }
}

/** The media type of every JSON response. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** A response of JSON text. */
export const toJsonText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'Content-Type': JSON_TYPE } })

/** A response of a value as JSON; `Response.json` and `c.json` would round integers beyond 2^53. */
export const toJson = (value: unknown, status = 200): Response => toJsonText(stringifyJson(value), status)
