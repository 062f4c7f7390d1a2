import { memoize } from '../../util/collections.ts'
import { parseAddress } from '../../service/http/request-head.ts'

/** A body in the journal: text, or base64 if it is not UTF-8; truncated to 64 KiB. */
export interface KeptBody {
  readonly text: string
  readonly encoding: 'utf-8' | 'base64'
  /** Original size in bytes. */
  readonly size: number
  readonly isCut: boolean
}

/** Replacement for secrets. */
export const REDACTED = '[redacted]'

/** A JSON string, possibly truncated at the end of the text. */
const STRING = /"(?:[^"\\]|\\[^])*"?/

/** Values that are never secret, such as `"hasPassword": true`. */
const HARMLESS = /^(?:null|true|false|""|)$/

function readName(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

/** Finds the end of the value at a position. */
function findValueEnd(text: string, start: number): number {
  const token = new RegExp(`${STRING.source}|[{}[\\]]|[^\\s"{}[\\],:]+|[,:]`, 'g')
  token.lastIndex = start
  let depth = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [first = ''] = found[0]
    if (first === '{' || first === '[') depth += 1
    else if (first === '}' || first === ']') depth -= 1
    if (depth <= 0) return depth < 0 || first === ',' ? found.index : token.lastIndex
  }
  return text.length
}

/**
 * Redacts secret members of JSON, which may be truncated. The JSON is not parsed, so numbers keep their digits and patterns
 * match the text as sent.
 */
function redactJson(text: string, isSecretName: IsSecretName): string {
  const string = new RegExp(STRING, 'g')
  const colon = /\s*:\s*/y
  let redacted = ''
  let from = 0
  for (let found = string.exec(text); found !== null; found = string.exec(text)) {
    colon.lastIndex = string.lastIndex
    if (!colon.test(text) || !isSecretName(readName(found[0]), 'member')) continue
    const start = colon.lastIndex
    const end = findValueEnd(text, start)
    if (!HARMLESS.test(text.slice(start, end))) {
      redacted += `${text.slice(from, start)}"${REDACTED}"`
      from = end
    }
    string.lastIndex = Math.max(end, string.lastIndex)
  }
  return redacted + text.slice(from)
}

/** Redacts secret parts of multipart form data (RFC 7578). */
function redactParts(text: string, isSecretName: IsSecretName): string {
  const [boundary = '--'] = /^--[^\r\n]*/.exec(text) ?? []
  return text
    .split(boundary)
    .map((part) => {
      const end = /\r?\n\r?\n/.exec(part)
      const [, name = ''] = /[;\s]name="?([^";\r\n]*)/i.exec(part.slice(0, end?.index)) ?? []
      if (end === null || !isSecretName(name, 'parameter')) return part
      return `${part.slice(0, end.index)}${end[0]}${REDACTED}\r\n`
    })
    .join(boundary)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim()
  } catch {
    return name
  }
}

/** Redacts the value of `name=value`. */
export const redactPair = (pair: string): string => {
  const end = pair.indexOf('=')
  return end === -1 ? REDACTED : `${pair.slice(0, end)}=${REDACTED}`
}

/** Redacts the secret values of form-encoded text, leaving the rest unchanged. */
export const redactForm = (text: string, isSecretName: IsSecretName): string =>
  text
    .split('&')
    .map((pair) => (isSecretName(decodeName(pair.split('=', 1)[0] ?? ''), 'parameter') ? redactPair(pair) : pair))
    .join('&')

/** Restricts names to characters that occur in forms, because other text may contain `=` too. */
const FORM = /^[\w.%+[\]-]+=[^&]*(?:&[\w.%+[\]-]+=[^&]*)*$/

/** Redacts a body; returns undefined if it is neither JSON nor a form. */
export function findRedacted(text: string, isSecretName: IsSecretName): string | undefined {
  if (/^\s*[{[]/.test(text)) return redactJson(text, isSecretName)
  if (text.startsWith('--')) return redactParts(text, isSecretName)
  return FORM.test(text) ? redactForm(text, isSecretName) : undefined
}

/**
 * Names are secret if they end with one of these. Case, separators, and a plural or number at the end are ignored:
 * `X-Api-Key`, `apiKey` and `api_keys` are the same name. `tokenizer` and `token_type` are not secret.
 */
const ENDINGS = [
  'token',
  'tokenhint',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'credential',
  'assertion',
  'verifier',
  'authorization',
  'authorizationcode',
  'authcode',
  'devicecode',
  'sessionid',
  'apikey',
  'accesskey',
  'authkey',
  'encryptionkey',
  'functionskey',
  'masterkey',
  'privatekey',
  'secretkey',
  'sharedkey',
  'signingkey',
  'subscriptionkey',
]

/** Too short for {@link ENDINGS}, so they have to be a whole word at the end: `user_pwd` is secret, `userpwd` is not. */
const LAST_WORDS = ['csrf', 'cvc', 'cvv', 'jwt', 'otp', 'pwd', 'xsrf']

/** Secret anywhere in a name: `passwordHash`, `password_confirmation`. */
const PARTS = ['password', 'passwd', 'passphrase']

/**
 * Secret in queries and forms only, and only as the whole name: errors have a `code`, and images may have a `signature`.
 */
const SECRET_PARAMETERS = new Set([
  'auth',
  'code',
  'hmac',
  'samlresponse',
  'sig',
  'signature',
  'ticket',
  'xamzsignature',
])

/**
 * Secret in headers only: credentials, personal data (`Baggage`, the address of a client), and headers that may carry either, such as
 * the only one in which browsers can send tokens to a WebSocket.
 */
const HEADERS = new Set([
  'baggage',
  'cfconnectingip',
  'dpop',
  'forwarded',
  'secwebsocketprotocol',
  'tracestate',
  'trueclientip',
  'xamznoidcdata',
  'xauth',
  'xclientip',
  'xforwardedfor',
  'xhubsignature',
  'xmsclientprincipal',
  'xrealip',
])

/** Parameter families of the specification with client-defined names (4.12, 4.4). */
const FAMILY = /^(?:var|text)\./

const isEnding = new RegExp(`(?:${ENDINGS.join('|')})s?$`)
const isLastWord = new RegExp(`(?:^|[^a-z])(?:${LAST_WORDS.join('|')})$`)
const isPart = new RegExp(PARTS.join('|'))

const toWords = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z]+$/, '')

const squash = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Where a name occurs. */
export type NamePlace = 'header' | 'parameter' | 'member'

/** Whether a name is secret in this place. */
export type IsSecretName = (name: string, place: NamePlace) => boolean

/**
 * Creates a function that recognizes secrets by name.
 *
 * @param more additional names that are secret everywhere; an item may list several, separated by commas
 * @example createIsSecretName(['email'])('E-Mail', 'header') // true
 */
export function createIsSecretName(more: readonly string[]): IsSecretName {
  const named = new Set(
    more
      .flatMap((names) => names.split(','))
      .map(squash)
      .filter((name) => name !== ''),
  )
  const others = { header: HEADERS, parameter: SECRET_PARAMETERS, member: new Set<string>() }

  function isSecret(name: string, place: NamePlace): boolean {
    const squashed = squash(name)
    if (named.has(squashed)) return true
    if (FAMILY.test(name)) return false
    const unnumbered = squashed.replace(/\d+$/, '')
    if (others[place].has(unnumbered)) return true
    return isEnding.test(unnumbered) || isPart.test(unnumbered) || isLastWord.test(toWords(name))
  }

  const known = {
    header: memoize((name) => isSecret(name, 'header')),
    parameter: memoize((name) => isSecret(name, 'parameter')),
    member: memoize((name) => isSecret(name, 'member')),
  }
  return (name, place) => known[place](name)
}

/** Redacts secrets in the journal and everything derived from it: the log, the dashboard and recordings. */
export type Redactor = ReturnType<typeof createRedactor>

/** Only known schemes (RFC 9110, section 16.4.1) are kept, because any other first word could be the secret. */
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

/** Attributes after the first `;` are not secret (RFC 6265, section 4.1). */
function redactSetCookie(value: string): string {
  const [pair = '', ...attributes] = value.split(';')
  return [redactPair(pair.trim()), ...attributes].join(';')
}

const redactEach = (value: string, redact: (one: string) => string): string => value.split('\n').map(redact).join('\n')

/** The user and password in a URL (RFC 3986, section 3.2.1). */
const USER = /(\/\/)[^/\s?#"<>\\]+@/g

const withoutUser = (text: string): string => text.replace(USER, `$1${REDACTED}@`)

/** The query and fragment of a URL; both can contain an access token (RFC 6749, section 4.2.2). */
const PARAMETERS = /([?#])([^#]*)/g

/** Whether a URL is a token endpoint, with any prefix. Assumes so if the URL cannot be parsed. */
function isTokenEndpoint(url: string): boolean {
  try {
    return parseAddress(url).path.toLowerCase().split('/').includes('oauth')
  } catch {
    return true
  }
}

/**
 * Creates a redactor.
 *
 * @param names headers, parameters and members that are secret in addition to the {@link createIsSecretName default} ones
 */
export function createRedactor(names: readonly string[]) {
  const isSecretName = createIsSecretName(names)

  /** Redacts the user, password and secret parameters of a URL. */
  function url(text: string): string {
    // Fast path for most requests.
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

  /** Bytes that are not UTF-8 may still be JSON or a form, in another character set or with a file upload. */
  function redactBytes(body: KeptBody): KeptBody {
    const text = atob(body.text)
    const redacted = findRedacted(text, isSecretName)
    return redacted === undefined || redacted === text ? body : { ...body, text: btoa(redacted) }
  }

  return {
    isSecretName,
    url,
    /** Redacts headers by lower-case name; multiple values are separated by `\n`. */
    headers: (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, header(name, value)])),
    /** Redacts a request or response body for a URL. */
    body(address: string, body: KeptBody | undefined): KeptBody | undefined {
      if (body === undefined) return undefined
      const isToken = isTokenEndpoint(address)
      if (body.encoding === 'base64')
        return isToken ? { ...body, encoding: 'utf-8', text: REDACTED } : redactBytes(body)
      const redacted = withoutUser(findRedacted(body.text, isSecretName) ?? (isToken ? REDACTED : body.text))
      return redacted === body.text ? body : { ...body, text: redacted }
    },
  }
}
