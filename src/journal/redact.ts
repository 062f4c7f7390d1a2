import { memoize } from '../util/collections.ts'
import { parseAddress } from '../http/request-head.ts'

/** A body as the journal keeps it: text, or base64 of bytes that are no text; cut at 64 KiB. */
export interface KeptBody {
  readonly text: string
  readonly encoding: 'utf-8' | 'base64'
  /** The size before it was cut, in bytes. */
  readonly size: number
  readonly isCut: boolean
}

/** Replaces a secret. */
export const REDACTED = '[redacted]'

/** A string of JSON, which may be cut off at the end of the text. */
const STRING = /"(?:[^"\\]|\\[^])*"?/

/** What holds no secret, whatever its name: `"hasPassword": true`. */
const HARMLESS = /^(?:null|true|false|""|)$/

function readName(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

/** The end of the value that starts at a position. */
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
 * JSON without the values of secret members, every other character as it was; it may be cut off. It is not parsed, so that
 * numbers keep their digits and patterns match the text that was sent.
 */
function redactJson(text: string, isSecretName: IsSecretName): string {
  const string = new RegExp(STRING, 'g')
  const colon = /\s*:\s*/y
  let shown = ''
  let from = 0
  for (let found = string.exec(text); found !== null; found = string.exec(text)) {
    colon.lastIndex = string.lastIndex
    if (!colon.test(text) || !isSecretName(readName(found[0]), 'member')) continue
    const start = colon.lastIndex
    const end = findValueEnd(text, start)
    if (!HARMLESS.test(text.slice(start, end))) {
      shown += `${text.slice(from, start)}"${REDACTED}"`
      from = end
    }
    string.lastIndex = Math.max(end, string.lastIndex)
  }
  return shown + text.slice(from)
}

/** A form of several parts (RFC 7578) without the contents of secret ones. */
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

/** `name=value` without its value. */
export const redactPair = (pair: string): string => {
  const end = pair.indexOf('=')
  return end === -1 ? REDACTED : `${pair.slice(0, end)}=${REDACTED}`
}

/** Form-encoded text without secret values, every other character as it was. */
export const redactForm = (text: string, isSecretName: IsSecretName): string =>
  text
    .split('&')
    .map((pair) => (isSecretName(decodeName(pair.split('=', 1)[0] ?? ''), 'parameter') ? redactPair(pair) : pair))
    .join('&')

/** Names as a form has them; what else holds a `=` is not a form. */
const FORM = /^[\w.%+[\]-]+=[^&]*(?:&[\w.%+[\]-]+=[^&]*)*$/

/** A body's text without its secrets; undefined if it is neither JSON nor a form. */
export function findRedacted(text: string, isSecretName: IsSecretName): string | undefined {
  if (/^\s*[{[]/.test(text)) return redactJson(text, isSecretName)
  if (text.startsWith('--')) return redactParts(text, isSecretName)
  return FORM.test(text) ? redactForm(text, isSecretName) : undefined
}

/**
 * The one list of what is secret by its name. Names are compared without case and separators, and without a plural or a
 * number at their end: `X-Api-Key`, `apiKey` and `api_keys` are one. A name is secret if it ends with one of these, and
 * `tokenizer` or `token_type` do not.
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

/** Too short to end a name: these are secret as a word at its end, so `user_pwd` is, and `laptop` is not. */
const LAST_WORDS = ['csrf', 'cvc', 'cvv', 'jwt', 'otp', 'pwd', 'xsrf']

/** Secret wherever they are in a name: `passwordHash`, `password_confirmation`. */
const PARTS = ['password', 'passwd', 'passphrase']

/** Secret in a query or a form alone, and only as the whole name: errors have a `code`, and images may have a `signature`. */
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
 * Secret in a header alone: credentials; who a person is (`Baggage`, `Forwarded`); and what has room for either, such as the
 * tokens that browsers can send to a WebSocket in no other header.
 */
const HEADERS = new Set([
  'baggage',
  'dpop',
  'forwarded',
  'secwebsocketprotocol',
  'tracestate',
  'xamznoidcdata',
  'xauth',
  'xhubsignature',
  'xmsclientprincipal',
])

/** The specification's own families of parameters, whose names a client chooses (4.12, 4.4). */
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

/** The place of a name. */
export type NamePlace = 'header' | 'parameter' | 'member'

/** Whether what has this name in this place is a secret. */
export type IsSecretName = (name: string, place: NamePlace) => boolean

/**
 * Creates what recognizes secrets by their names.
 *
 * @param more further names, which are secret in every place; one text may hold several with commas between
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

/** Removes secrets from the journal and everything made of it, the log, the dashboard, recordings. */
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
