import type * as z from 'zod'
import type { Endpoint, ResponseSpec } from '../contract/endpoint.ts'
import type { Answer } from '../contract/handler.ts'
import { objectTestType } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import { makeBody } from './dynamic.ts'
import { applyIdentity, findResponse, parseCode } from './preference.ts'
import type { Preferred, PreferredParts } from './preference.ts'

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
