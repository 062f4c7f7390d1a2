import { parseAddress } from '../http/address.ts'
import type { KeptBody } from './entry.ts'
import { REDACTED, findRedacted, redactForm, redactPair } from './redact-body.ts'
import { createIsSecretName } from './secret-names.ts'
import type { IsSecretName } from './secret-names.ts'

export { REDACTED } from './redact-body.ts'

/** Takes secrets out of what is shown: in the journal and whatever is made of it, the log, the dashboard, recordings. */
export interface Redactor {
  readonly isSecretName: IsSecretName
  /** A URL without user, password and secret parameters. */
  url(text: string): string
  /** Headers by lower-case name, the values of one name parted by `\n`. */
  headers(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  /** The body of a request to a URL, or of its answer. */
  body(url: string, body: KeptBody | undefined): KeptBody | undefined
}

/** Only a known scheme (RFC 9110, section 16.4.1) is shown: any other first word may be the secret itself. */
const SCHEME = /^\s*(Basic|Bearer|Digest|DPoP|Negotiate)\s/i

const redactCredentials = (value: string): string => {
  const scheme = SCHEME.exec(value)?.[1]
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`
}

const redactCookies = (value: string): string =>
  value
    .split(';')
    .map((pair) => redactPair(pair.trim()))
    .join('; ')

/** The attributes after the first `;` are not secret (RFC 6265, section 4.1). */
function redactSetCookie(value: string): string {
  const [pair = '', ...attributes] = value.split(';')
  return [redactPair(pair.trim()), ...attributes].join(';')
}

/** Of a header of several values each one. */
const redactEach = (value: string, redact: (one: string) => string): string => value.split('\n').map(redact).join('\n')

/** User and password in a URL (RFC 3986, section 3.2.1). */
const USER = /(\/\/)[^/\s?#"<>\\]+@/g

const withoutUser = (text: string): string => text.replace(USER, `$1${REDACTED}@`)

/** The query and the fragment of a URL, which may hold an access token too (RFC 6749, section 4.2.2). */
const PARAMETERS = /([?#])([^#]*)/g

/** Whether a URL is one of the token endpoints, whatever prefix it has; in doubt it is. */
function isTokenEndpoint(url: string): boolean {
  try {
    return parseAddress(url).path.toLowerCase().split('/').includes('oauth')
  } catch {
    return true
  }
}

/**
 * Creates what redacts secrets.
 *
 * @param names of headers, parameters and members that are secret in addition to the {@link createIsSecretName usual} ones
 */
export function createRedactor(names: readonly string[]): Redactor {
  const isSecretName = createIsSecretName(names)

  function url(text: string): string {
    // Every request passes by here: most need no second look.
    if (!/[?#@]/.test(text)) return text
    return withoutUser(text).replace(
      PARAMETERS,
      (_all, mark: string, form: string) => mark + redactForm(form, isSecretName),
    )
  }

  function header(name: string, value: string): string {
    if (name === 'cookie') return redactCookies(value)
    if (name === 'set-cookie') return redactEach(value, redactSetCookie)
    if (name.endsWith('authorization')) return redactEach(value, redactCredentials)
    if (isSecretName(name, 'header')) return /^(?:true|false|)$/.test(value) ? value : REDACTED
    return url(value)
  }

  /** Bytes that are not UTF-8 may hold JSON or a form as well, in another character set or with a file in it. */
  function redactBytes(body: KeptBody): KeptBody {
    const text = atob(body.text)
    const shown = findRedacted(text, isSecretName)
    return shown === undefined || shown === text ? body : { ...body, text: btoa(shown) }
  }

  return {
    isSecretName,
    url,
    headers: (headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, header(name, value)])),
    body(address, body) {
      if (body === undefined) return undefined
      const isToken = isTokenEndpoint(address)
      if (body.encoding === 'base64')
        return isToken ? { ...body, encoding: 'utf-8', text: REDACTED } : redactBytes(body)
      const shown = withoutUser(findRedacted(body.text, isSecretName) ?? (isToken ? REDACTED : body.text))
      return shown === body.text ? body : { ...body, text: shown }
    },
  }
}
