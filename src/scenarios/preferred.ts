import type * as z from 'zod'
import { decision } from '../contract/decisions.ts'
import { objectTestType } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import { makeBody } from './dynamic.ts'
import { findErrorExample } from '../contract/error-responses.ts'
import { toEnvelope } from '../http/envelope.ts'
import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import type { Answer } from '../contract/handler.ts'
import type { Preferences } from '../http/headers.ts'
import type { FindExample } from './effects.ts'

/** Whether a resource's id and key are returned in headers or in the body (D5). */
export const identities = ['header', 'body'] as const
export type Identity = (typeof identities)[number]

/** An answer that a request preferred, and the preferences that it honours (RFC 7240, section 3). */
export interface Preferred {
  readonly answer: Answer
  readonly applied: readonly string[]
}

/** What a preference is weighed with. */
export interface PreferredParts {
  readonly endpoint: Endpoint
  readonly preferences: Preferences
  readonly identity: Identity
  readonly seed: number
  /** The operation, and its path parameters: the same ones get the same made body. */
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  /** The path at which a resource is found. */
  readonly locate: (resource: { readonly id: string }) => string
  readonly findExample: FindExample
}

export const findResponse = ({ responses }: Endpoint, status: number) => responses[status]

/** The status that is asked for, where it is one of an answer. */
export function parseCode(preferences: Preferences): number | undefined {
  const code = preferences.get('code')
  return code !== undefined && /^[2-5]\d\d$/.test(code) ? Number(code) : undefined
}

/** The preference for bodies with identity, where it is honoured: only what answers with a resource can (D5). */
export const applyIdentity = ({ decisions }: Endpoint, preferences: Preferences): readonly string[] =>
  preferences.get('identity') === 'body' && decisions.includes(decision('D5')) ? ['identity=body'] : []

/** The first documented status of success. */
const successOf = ({ responses }: Endpoint): number => Number(Object.keys(responses)[0] ?? 200)

/** The headers that a response documents, of a resource that was made. */
function toHeaders(
  { headers = [] }: ResponseSpec,
  id: string,
  version: number,
  locate: PreferredParts['locate'],
): Answer['headers'] {
  // The id of a path may be any text.
  const at = locate({ id: encodeURIComponent(id) })
  const values: Readonly<Record<string, string>> = { ETag: `"${version}"`, Location: at, 'Content-Location': at }
  return Object.fromEntries(headers.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/** A made resource: the one that the path asks for, and with the documented members only, unless its identity was asked for (D5). */
function toResourceAnswer(
  made: z.output<typeof objectTestType>,
  response: ResponseSpec,
  parts: PreferredParts,
): Omit<Answer, 'status'> {
  const { path, identity, locate } = parts
  const resource = {
    ...made,
    ...(path.id === undefined ? {} : { id: path.id }),
    ...(path.key === undefined ? {} : { key: path.key }),
  }
  const { version, objectTypeProperty, id = '' } = resource
  const body = stringifyJson(identity === 'body' ? resource : { version, objectTypeProperty })
  return { body, headers: toHeaders(response, id, version, locate) }
}

/** A made answer of a documented status of success; undefined for any other. */
export async function makeDynamic(parts: PreferredParts): Promise<Preferred | undefined> {
  const { endpoint, preferences, seed, operation, path } = parts
  const code = parseCode(preferences)
  const status = code ?? successOf(endpoint)
  const response = status < 400 ? findResponse(endpoint, status) : undefined
  if (response?.schema === undefined) return undefined
  const about = [operation, status, ...Object.values(path)].join('/')
  const answer =
    response.schema === objectTestType
      ? toResourceAnswer(await makeBody(objectTestType, seed, about), response, parts)
      : { body: stringifyJson(await makeBody(response.schema, seed, about)) }
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    'dynamic=true',
    ...applyIdentity(endpoint, preferences),
  ]
  return { answer: { status, ...answer }, applied }
}

/** The status that documents an example of that name. */
const statusOfExample = ({ responses }: Endpoint, name: string): number | undefined =>
  Object.entries(responses).flatMap(([status, { examples }]) =>
    examples !== undefined && Object.hasOwn(examples, name) ? [Number(status)] : [],
  )[0]

function takeExample({ endpoint, preferences, findExample }: PreferredParts): Preferred | undefined {
  const name = preferences.get('example')
  const code = parseCode(preferences)
  const asked = code ?? (name === undefined ? undefined : statusOfExample(endpoint, name))
  const examples = asked === undefined ? undefined : findResponse(endpoint, asked)?.examples
  if (asked === undefined || examples === undefined) return undefined
  const isKnown = name !== undefined && Object.hasOwn(examples, name)
  const body = findExample(endpoint, asked, isKnown ? name : (Object.keys(examples)[0] ?? ''))
  const applied = [...(code === undefined ? [] : [`code=${code}`]), ...(isKnown ? [`example=${name}`] : [])]
  return { answer: { status: asked, ...(body === undefined ? {} : { body }) }, applied }
}

/** A documented status that has no body, such as those of HEAD. */
function takeBodiless({ endpoint, preferences }: PreferredParts): Preferred | undefined {
  const code = parseCode(preferences)
  const response = code === undefined ? undefined : findResponse(endpoint, code)
  if (code === undefined || response === undefined || response.schema !== undefined) return undefined
  return { answer: { status: code }, applied: [`code=${code}`] }
}

function takeError({ endpoint, preferences, path }: PreferredParts): Preferred | undefined {
  const code = parseCode(preferences)
  const fault = code === undefined || code < 400 ? undefined : findErrorExample(endpoint, code, path)
  if (fault === undefined) return undefined
  const body = stringifyJson(toEnvelope(fault))
  return { answer: { status: fault.status, body, headers: fault.headers }, applied: [`code=${fault.status}`] }
}

/**
 * The answer that `Prefer: code=…, example=…, dynamic=true` asks for; undefined where the real processing is to answer,
 * because nothing was asked for, or nothing that the contract documents.
 */
export async function findPreferred(parts: PreferredParts): Promise<Preferred | undefined> {
  if (parts.preferences.size === 0) return undefined
  const dynamic = parts.preferences.get('dynamic') === 'true' ? await makeDynamic(parts) : undefined
  return dynamic ?? takeExample(parts) ?? takeBodiless(parts) ?? takeError(parts)
}

/**
 * Gives a real answer the documented status that was asked for, where that status answers with the same shape
 * (the 200 and 201 of the complex POST).
 */
export function preferStatus({ answer, applied }: Preferred, endpoint: Endpoint, preferences: Preferences): Preferred {
  const code = parseCode(preferences)
  if (code === undefined || answer.status >= 400) return { answer, applied }
  const asked = findResponse(endpoint, code)
  const isSame = asked !== undefined && asked.schema === findResponse(endpoint, answer.status)?.schema
  return isSame ? { answer: { ...answer, status: code }, applied: [...applied, `code=${code}`] } : { answer, applied }
}
