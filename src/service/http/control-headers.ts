import { problem } from '../../errors.ts'
import { MAX_DELAY, findDelay } from './connection.ts'
import type { Delay, RawHeaders } from './connection.ts'
import { NAME_PATTERN } from './request-head.ts'
import type { ReadHeader } from './request-head.ts'

/** A request header that controls how the mock serves the request. */
interface ControlHeader<Value> {
  readonly name: string
  /** Its parameter in the OpenAPI document. */
  readonly description: string
  readonly schema: { readonly type: 'string'; readonly pattern?: string; readonly minLength?: number }
  readonly example: string
  /** @throws {Problem} 400 for an invalid value. */
  readonly parse: (text: string) => Value
}

/** Infers the type of a header's value. */
const control = <Value>(entry: ControlHeader<Value>): ControlHeader<Value> => entry

/** The name that selects no scenario. */
export const NO_SCENARIO = 'none'

/** Parses a list of names such as `conflict, slow`; `none` and an empty list select no scenario. */
export function parseNames(list: string): readonly string[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 1 && names[0] === NO_SCENARIO ? [] : names
}

function parseDelay(text: string): Delay {
  const delay = findDelay(text)
  if (delay !== undefined) return delay
  throw problem.invalidField({
    field: 'X-Mock-Delay',
    invalidValue: text,
    message: `The header X-Mock-Delay: ${JSON.stringify(text)} is not a delay. Use milliseconds, such as 300 or 100-500, up to ${MAX_DELAY}.`,
  })
}

/** The preferences in a `Prefer` header (RFC 7240, with the names that Prism uses), by lower-case name. */
export type Preferences = ReadonlyMap<string, string>

export const NO_PREFERENCES: Preferences = new Map()

/**
 * Parses `Prefer: code=203, example="custom2"`. If a name is repeated, the first one applies (RFC 7240, section 2).
 * Malformed preferences are ignored, because preferences are never rejected.
 */
export function parsePrefer(header: string): Preferences {
  const preferences = new Map<string, string>()
  for (const part of header.split(/[,;]/)) {
    // Not a regular expression, because it would backtrack on long runs of spaces.
    const end = part.includes('=') ? part.indexOf('=') : part.length
    const key = part.slice(0, end).trim().toLowerCase()
    const value = part.slice(end + 1).trim()
    const quoted = /^"([^"]*)"$/.exec(value)?.[1]
    const isPreference = /^[\w-]+$/.test(key) && (quoted !== undefined || !/\s/.test(value))
    if (isPreference && !preferences.has(key)) preferences.set(key, quoted ?? value)
  }
  return preferences
}

/** All headers that control the mock. The parser, OpenAPI and the suggestions for unknown names are derived from this table. */
export const controlHeaders = {
  scenario: control({
    name: 'X-Mock-Scenario',
    description: 'comma-separated scenarios for this request; `none` for no scenario',
    schema: { type: 'string', minLength: 1 },
    example: 'none',
    parse: parseNames,
  }),
  session: control({
    name: 'X-Mock-Session',
    description: 'the session, with its own data, scenarios and journal',
    schema: { type: 'string', pattern: `^${NAME_PATTERN}$` },
    example: 'checkout',
    // Checked when the request enters its session: the path and a cookie may name it, too.
    parse: (text) => text,
  }),
  delay: control({
    name: 'X-Mock-Delay',
    description: `delay in milliseconds, for example \`300\` or \`100-500\`, at most ${MAX_DELAY}`,
    schema: { type: 'string', pattern: String.raw`^\d{1,5}(-\d{1,5})?$` },
    example: '0',
    parse: parseDelay,
  }),
  preferences: control({
    name: 'Prefer',
    description: 'a status or an example of the operation to respond with',
    schema: { type: 'string' },
    example: 'code=200',
    parse: parsePrefer,
  }),
} as const

type ControlName = keyof typeof controlHeaders

/** What a request asks of the mock. */
export type Controls = {
  readonly [Name in ControlName]?: ReturnType<(typeof controlHeaders)[Name]['parse']>
} & {
  /** Headers that begin with `X-Mock-` but are not in the table. */
  readonly unknown?: readonly string[]
}

/** The controls of a request without control headers. */
export const NO_CONTROLS: Controls = {}

const CONTROL_NAME = /^(?:x-mock-|prefer$)/i

const members: ReadonlyMap<string, ControlName> = new Map(
  // `Object.keys` widens the names to `string`.
  (Object.keys(controlHeaders) as readonly ControlName[]).map((member) => [
    controlHeaders[member].name.toLowerCase(),
    member,
  ]),
)

/** Whether a name may be one of a control header, by its first letter: most requests have no other one with it. */
function mayControl(name: string): boolean {
  // Lower case, if it is a letter.
  const first = name.charCodeAt(0) | 32
  return first === 120 || first === 112
}

/**
 * Parses the control headers of a request.
 *
 * @param raw all headers: alternating names and values
 * @throws {Problem} 400 for an invalid value.
 */
export function parseControls(raw: RawHeaders, header: ReadHeader): Controls {
  const found: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ''
    if (mayControl(name) && CONTROL_NAME.test(name)) found.push(name)
  }
  if (found.length === 0) return NO_CONTROLS
  const known = [...new Set(found)].flatMap((name) => {
    const member = members.get(name.toLowerCase())
    // Repeated headers are joined.
    return member === undefined ? [] : [[member, controlHeaders[member].parse(header(name.toLowerCase()) ?? '')]]
  })
  const unknown = found.filter((name) => !members.has(name.toLowerCase()))
  // Each member has the value that its entry parses.
  return { ...(Object.fromEntries(known) as Controls), ...(unknown.length === 0 ? {} : { unknown }) }
}
