import { stringifyJson } from './json.ts'

/** The media type of every JSON response. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** A response of JSON text. */
export const toJsonText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'Content-Type': JSON_TYPE } })

/** A response of a value as JSON; `Response.json` and `c.json` would round integers beyond 2^53. */
export const toJson = (value: unknown, status = 200): Response => toJsonText(stringifyJson(value), status)
