import type { Endpoint } from '../contract/endpoint.ts'
import { findErrorExample } from '../contract/error-responses.ts'
import { toEnvelope } from '../http/envelope.ts'
import { stringifyJson } from '../http/json.ts'
import type { Preferences } from '../http/request-headers.ts'
import { makeDynamic } from './dynamic-answer.ts'
import { findResponse, parseCode } from './preference.ts'
import type { Preferred, PreferredParts } from './preference.ts'

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
