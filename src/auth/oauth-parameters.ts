import { problem } from '../errors.ts'
import { readBytes } from '../http/body.ts'

/** The parameters of a request to a token endpoint, by name. */
export type OAuthParameters = ReadonlyMap<string, string>

/** The largest form in bytes. */
const LIMIT = 65_536

/** The media type that the form of RFC 6749, section 3.2 has. */
const FORM_TYPE = 'application/x-www-form-urlencoded'

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseForm(bytes: Uint8Array): URLSearchParams {
  try {
    return new URLSearchParams(utf8.decode(bytes))
  } catch {
    throw problem.oauth(400, 'invalid_request', `The form is not valid UTF-8. Send it as ${FORM_TYPE}.`)
  }
}

/** Each parameter once, and only where it has a value: without one it counts as omitted (RFC 6749, section 3.2). */
function toParameters(search: URLSearchParams, place: string): OAuthParameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of search) {
    if (parameters.has(name)) {
      throw problem.oauth(
        400,
        'invalid_request',
        `The parameter ${JSON.stringify(name)} occurs more than once in the ${place}. Send it once.`,
      )
    }
    parameters.set(name, value)
  }
  for (const [name, value] of parameters) if (value === '') parameters.delete(name)
  return parameters
}

/**
 * Reads parameters from the query and from the form, whatever its Content-Type (D31); the form wins.
 *
 * @throws {Problem} 400 for one that is given twice, 413 for a form of more than 64 KiB.
 */
export async function readOAuthParameters(request: Request): Promise<OAuthParameters> {
  const form = parseForm(await readBytes(request, LIMIT))
  const query = new URL(request.url).searchParams
  return new Map([...toParameters(query, 'query'), ...toParameters(form, 'form')])
}

/**
 * The value of a parameter that must be there.
 *
 * @throws {Problem} 400 invalid_request if it is not.
 */
export function expectParameter(parameters: OAuthParameters, name: string): string {
  const value = parameters.get(name)
  if (value !== undefined) return value
  throw problem.oauth(
    400,
    'invalid_request',
    `The parameter "${name}" is missing. Send it in the form (${FORM_TYPE}) or in the query.`,
  )
}
