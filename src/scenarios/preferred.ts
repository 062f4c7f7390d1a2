import type { Endpoint } from '../contract/endpoint.ts'
import { findErrorExample } from '../contract/error-responses.ts'
import type { Answer } from '../contract/handler.ts'
import { objectTestType, plainObjectTestType } from '../contract/models.ts'
import { toEnvelope } from '../envelope.ts'
import { stringifyJson } from '../http/json.ts'
import type { Preferences } from '../http/prefer.ts'
import type { Identity } from '../options.ts'
import { makeBody } from './dynamic.ts'
import type { FindExample } from './effects.ts'

/** An answer that a request preferred, and the preferences that it honours (RFC 7240, section 3). */
export interface Preferred {
  readonly answer: Answer
  readonly applied: readonly string[]
}

interface PreferredParts {
  readonly endpoint: Endpoint
  readonly preferences: Preferences
  readonly identity: Identity
  readonly seed: number
  /** Operation and path: the same ones get the same made body. */
  readonly about: string
  readonly findExample: FindExample
}

const responseOf = ({ responses }: Endpoint, status: number) => responses[status]

function parseCode(preferences: Preferences): number | undefined {
  const code = preferences.get('code')
  return code !== undefined && /^[2-5]\d\d$/.test(code) ? Number(code) : undefined
}

/** The first documented status of success. */
const successOf = ({ responses }: Endpoint): number => Number(Object.keys(responses)[0] ?? 200)

/** The status that documents an example of that name. */
const statusOfExample = ({ responses }: Endpoint, name: string): number | undefined =>
  Object.entries(responses).flatMap(([status, { examples }]) =>
    examples !== undefined && Object.hasOwn(examples, name) ? [Number(status)] : [],
  )[0]

async function makeDynamic({ endpoint, preferences, identity, seed, about }: PreferredParts): Promise<Preferred | undefined> {
  const code = parseCode(preferences)
  const status = code ?? successOf(endpoint)
  const documented = status < 400 ? responseOf(endpoint, status)?.schema : undefined
  if (documented === undefined) return undefined
  // D5: without identity, bodies hold exactly the documented fields.
  const schema = documented === objectTestType && identity === 'header' ? plainObjectTestType : documented
  const body = stringifyJson(await makeBody(schema, seed, `${about} ${status}`))
  return { answer: { status, body }, applied: [...(code === undefined ? [] : [`code=${code}`]), 'dynamic=true'] }
}

function takeExample({ endpoint, preferences, findExample }: PreferredParts): Preferred | undefined {
  const name = preferences.get('example')
  const code = parseCode(preferences)
  const asked = code ?? (name === undefined ? undefined : statusOfExample(endpoint, name))
  const examples = asked === undefined ? undefined : responseOf(endpoint, asked)?.examples
  if (asked === undefined || examples === undefined) return undefined
  const isKnown = name !== undefined && Object.hasOwn(examples, name)
  const body = findExample(endpoint, asked, isKnown ? name : (Object.keys(examples)[0] ?? ''))
  const applied = [...(code === undefined ? [] : [`code=${code}`]), ...(isKnown ? [`example=${name}`] : [])]
  return { answer: { status: asked, ...(body === undefined ? {} : { body }) }, applied }
}

function takeError({ endpoint, preferences }: PreferredParts): Preferred | undefined {
  const code = parseCode(preferences)
  if (code === undefined || code < 400) return undefined
  const applied = [`code=${code}`]
  if (responseOf(endpoint, code)?.schema === undefined && responseOf(endpoint, code) !== undefined) {
    return { answer: { status: code }, applied }
  }
  const fault = findErrorExample(endpoint, code)
  if (fault === undefined) return undefined
  return { answer: { status: code, body: stringifyJson(toEnvelope(fault)), headers: fault.headers }, applied }
}

/**
 * The answer that `Prefer: code=…, example=…, dynamic=true` asks for; undefined where the real processing is to answer,
 * because nothing was asked for, or nothing that the contract documents.
 */
export async function findPreferred(parts: PreferredParts): Promise<Preferred | undefined> {
  if (parts.preferences.size === 0) return undefined
  const dynamic = parts.preferences.get('dynamic') === 'true' ? await makeDynamic(parts) : undefined
  return dynamic ?? takeExample(parts) ?? takeError(parts)
}

/**
 * Gives a real answer the documented status that was asked for, where that status answers with the same shape
 * (the 200 and 201 of the complex POST).
 */
export function preferStatus({ answer, applied }: Preferred, endpoint: Endpoint, preferences: Preferences): Preferred {
  const code = parseCode(preferences)
  if (code === undefined || answer.status >= 400) return { answer, applied }
  const asked = responseOf(endpoint, code)
  const isSame = asked !== undefined && asked.schema === responseOf(endpoint, answer.status)?.schema
  return isSame ? { answer: { ...answer, status: code }, applied: [...applied, `code=${code}`] } : { answer, applied }
}
