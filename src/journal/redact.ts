import { parseAddress } from '../http/address.ts'
import { parseJson, stringifyJson } from '../http/json.ts'
import type { KeptBody } from './entry.ts'

/** What stands in a secret's place. */
export const REDACTED = '[redacted]'

/** `client_secret`, `password`, `refresh_token`, `client_assertion`; not `token_type`. */
const SECRET_NAME = /(?:secret|password|token|assertion|verifier)$/i

/** Whether what has this name is a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

/** Only a known scheme (RFC 9110, section 16.4.1) is shown: any other first word may be the secret itself. */
const SCHEME = /^\s*(Basic|Bearer|Digest|DPoP|Negotiate)\s/i

const redactCredentials = (value: string): string => {
  const scheme = SCHEME.exec(value)?.[1]
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`
}

/** `name=value` without its value. */
const redactPair = (pair: string): string => {
  const end = pair.indexOf('=')
  return end === -1 ? REDACTED : `${pair.slice(0, end)}=${REDACTED}`
}

const redactCookies = (value: string): string =>
  value
    .split(';')
    .map((pair) => redactPair(pair.trim()))
    .join('; ')

/** The attributes after the first `;` are no secret (RFC 6265, section 4.1). */
function redactSetCookie(value: string): string {
  const [pair = '', ...attributes] = value.split(';')
  return [redactPair(pair.trim()), ...attributes].join(';')
}

const redactions: ReadonlyMap<string, (value: string) => string> = new Map([
  ['authorization', redactCredentials],
  ['proxy-authorization', redactCredentials],
  ['cookie', redactCookies],
  ['set-cookie', (value: string) => value.split('\n').map(redactSetCookie).join('\n')],
  // A page opened with `?token=` is named to whatever it loads.
  ['referer', redactUrl],
  ['location', redactUrl],
])

/** Headers by lower-case name, without credentials and cookies' values. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redactions.get(name)?.(value) ?? value]),
  )
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim()
  } catch {
    return name
  }
}

/** Form-encoded text, every other character as it was. */
const redactForm = (text: string): string =>
  text
    .split('&')
    .map((pair) => (SECRET_NAME.test(decodeName(pair.split('=', 1)[0] ?? '')) ? redactPair(pair) : pair))
    .join('&')

/** What an URL has that holds a secret; its name may be percent-encoded. */
const SUSPECT = /secret|password|token|assertion|verifier|%/i

/** An URL whose query may hold `?token=` (the admin API) or an OAuth form (D31). */
export function redactUrl(url: string): string {
  const start = url.indexOf('?') + 1
  // Every request passes by here: most need no second look.
  if (start === 0 || !SUSPECT.test(url)) return url
  return url.slice(0, start) + redactForm(url.slice(start))
}

/** Whether an URL is one of the token endpoints, whatever prefix it has; in doubt it is. */
function isTokenEndpoint(url: string): boolean {
  try {
    return parseAddress(url).path.toLowerCase().split('/').includes('oauth')
  } catch {
    return true
  }
}

function redactMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, SECRET_NAME.test(name) ? REDACTED : redactMembers(member)]),
  )
}

/** Names as a form has them; what else holds a `=`, such as multipart, is no form. */
const FORM = /^[\w.%+[\]-]+=[^&]*(?:&[\w.%+[\]-]+=[^&]*)*$/

function redactText(text: string): string {
  if (/^\s*[{[]/.test(text)) {
    try {
      return stringifyJson(redactMembers(parseJson(text)))
    } catch {
      return REDACTED
    }
  }
  return FORM.test(text) ? redactForm(text) : REDACTED
}

/** The body of a token endpoint without its secrets; one that is neither form nor JSON is not shown at all. */
export function redactBody(url: string, body: KeptBody | undefined): KeptBody | undefined {
  if (body === undefined || !isTokenEndpoint(url)) return body
  return { ...body, encoding: 'utf-8', text: body.encoding === 'base64' ? REDACTED : redactText(body.text) }
}
