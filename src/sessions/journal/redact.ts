import { parseAddress } from '../../service/http/request-head.ts'
import { hasMemberName, parseJson, stringifyJson } from '../../service/http/json.ts'
import { memoize } from '../../util/collections.ts'

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

/** Where a name occurs. */
export type NamePlace = 'header' | 'parameter' | 'member'

/** Whether a name is secret in this place. */
export type IsSecretName = (name: string, place: NamePlace) => boolean

/**
 * The names of secrets, without case, separators and a number at the end: `X-Api-Key`, `apiKey` and `api_key2` are the same
 * name.
 */
const SECRETS: Readonly<Record<'anywhere' | NamePlace, RegExp>> = {
  anywhere:
    /pass(?:word|wd|phrase|code)|(?:(?<!by|com)pass|authentication|bearer|token|tokenhint|secret|credential|assertion|verifier|authorization|authorizationcode|authcode|devicecode|sessionid|(?:api|access|auth|encryption|functions|master|private|secret|shared|signing|subscription)key|[cx]srf|cv[cv]|jwt|otp|pwd)s?$/,
  /**
   * Credentials and personal data (`Baggage`, the address of a client), and headers that may carry either, such as the only
   * one in which browsers can send tokens to a WebSocket.
   */
  header:
    /^(?:baggage|cfconnectingip|dpop|forwarded|secwebsocketprotocol|tracestate|trueclientip|xamznoidcdata|xauth|xclientip|xforwardedfor|xhubsignature|xmsclientprincipal|xrealip)$/,
  /** Not in JSON: errors have a `code`, and images may have a `signature`. */
  parameter: /^(?:auth|code|hmac|samlresponse|sig|signature|ticket|xamzsignature)$/,
  // None.
  member: /(?!)/,
}

/** Parameter families of the specification with client-defined names (4.12, 4.4). */
const FAMILY = /^(?:var|text)\./

const squash = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * Creates a function that recognizes secrets by name.
 *
 * @param more additional names that are secret everywhere; an item may list several, separated by commas
 * @example createIsSecretName(['email'])('E-Mail', 'header') // true
 */
export function createIsSecretName(more: readonly string[]): IsSecretName {
  const named = new Set(more.flatMap((names) => names.split(',')).map(squash))
  const createTest = (place: NamePlace) =>
    memoize((name) => {
      const squashed = squash(name)
      if (squashed === '' || named.has(squashed)) return squashed !== ''
      const bare = squashed.replace(/\d+$/, '')
      return !FAMILY.test(name) && (SECRETS.anywhere.test(bare) || SECRETS[place].test(bare))
    })
  const tests = { header: createTest('header'), parameter: createTest('parameter'), member: createTest('member') }
  return (name, place) => tests[place](name)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim()
  } catch {
    return name
  }
}

/** Redacts the value of `name=value`. */
const redactPair = (pair: string): string => {
  const end = pair.indexOf('=')
  return end === -1 ? REDACTED : `${pair.slice(0, end)}=${REDACTED}`
}

/** Only known schemes (RFC 9110, section 16.4.1) are kept, because any other first word could be the secret. */
const SCHEME = /^\s*(Basic|Bearer|Digest|DPoP|Negotiate)\s/i

/** A token that only lists scopes (D32): it is not secret, and resending the request needs it to get the same response. */
const SCOPE_LIST = /^\s*Bearer\s+(?:,?(?:view|manage)_(?:test|products|project):[\w.*-]+)+\s*$/i

const redactCredentials = (value: string): string => {
  if (SCOPE_LIST.test(value)) return value
  const scheme = SCHEME.exec(value)?.[1]
  return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`
}

/** Attributes after the first `;` are not secret (RFC 6265, section 4.1). */
function redactSetCookie(value: string): string {
  const [pair = '', ...attributes] = value.split(';')
  return [redactPair(pair.trim()), ...attributes].join(';')
}

const redactEach = (value: string, redact: (one: string) => string): string => value.split('\n').map(redact).join('\n')

/** The user and password in a URL (RFC 3986, section 3.2.1). */
const USER = /(\/\/)[^/\s?#"<>\\]+@/g

/** Removes the user and password from a URL, or from URLs in a text. */
export const withoutUser = (text: string): string => (text.includes('@') ? text.replace(USER, `$1${REDACTED}@`) : text)

/** The query and fragment of a URL; both can contain an access token (RFC 6749, section 4.2.2). */
const PARAMETERS = /([?#])([^#]*)/g

/** Restricts names to characters that occur in forms, because other text may contain `=` too. */
const FORM_BODY = /^[\w.%+[\]-]+=[^&]*(?:&[\w.%+[\]-]+=[^&]*)*$/

/** How data compressed with gzip or zstd start. Other codings are decoded before a body gets here. */
const COMPRESSED = ['\x1f\x8b', '(\xb5/\xfd']

/** Decodes UTF-16 (in bytes as characters): it starts with a byte order mark, or one of each two bytes is mostly zero. */
function findUtf16(bytes: string): string | undefined {
  const zero = bytes.indexOf('\0')
  const isBig = bytes.startsWith('\xfe\xff') || (zero !== -1 && zero % 2 === 0)
  if (!isBig && zero === -1 && !bytes.startsWith('\xff\xfe')) return undefined
  return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)))
}

/** How JSON, multipart and forms start. */
const TEXT = /^(?:\s*[[{]|--|[\w.%+[\]-]+=)/

/** A header on a line of its own, as call logs, curl and messages show it: `    - Authorization: Bearer abc`. */
const HEADER_LINE = /^([^\p{L}\p{N}]*(?:[A-Za-z]*Error: )?)([A-Za-z\d][\w-]*): (.*)$/u

/**
 * A quoted member or header, as in `"authorization": "Bearer abc"`, `password: 'abc'`, `["Cookie", "a=b"]`, and
 * `{"name":"Cookie","value":"a=b"}`, also inside of a JSON string, where quotes are escaped.
 */
const MEMBER_NAME = /(?:(\\*["'])|(?<![\w-]))([\w-]+)\1\s*[:,]\s*(?:\\*["']value\\*["']\s*:\s*)?(?=\\*["'`])/g

/** A quoted value, up to the end of its line if its quote is missing. */
const QUOTED_VALUE = /(\\*["'`]).*?(?:(?<!\\)\1|\1(?<=')(?=\s*[}\])])|$)/y

/** A header as an argument, as in `curl -H 'Authorization: Bearer abc'`. */
const QUOTED_HEADER = /(["'`])([A-Za-z][\w-]*)(:\s*)((?:(?!\1).)+)/g

/** A name and its value without quotes, as in `Authorization: Bearer abc` and `password=abc`. */
const BARE_PAIR = /(?<![\w.%-])([\w.%[\]-]+)(:\s+|=)((?:Basic|Bearer|Digest|DPoP|Negotiate)\s+)?([^\s"'`&,;)}\]]+)/gi

/** The user and password of curl. */
const USER_OPTION = /(\s(?:-u|-U|--user|--proxy-user)[\s=]*["']?)[^\s:"']+:[^\s"']+/g

const SECRET_WORD = /\S+/g

/** A word that may be a URL with a query, a fragment or a user. */
const URL_WORD = /^[^/:]*[/:].*[?#@]./

/** Whether a URL is a token endpoint, with any prefix. Assumes so if the URL cannot be parsed. */
function isTokenEndpoint(url: string): boolean {
  try {
    return parseAddress(url).path.toLowerCase().split('/').includes('oauth')
  } catch {
    return true
  }
}

/** Redacts secrets in the journal and everything derived from it: the log, the dashboard and recordings. */
export type Redactor = ReturnType<typeof createRedactor>

/**
 * Creates a redactor.
 *
 * @param names headers, parameters and members that are secret in addition to the {@link createIsSecretName default} ones
 */
export function createRedactor(names: readonly string[]) {
  const isSecretName = createIsSecretName(names)
  const isForTokens = memoize(isTokenEndpoint)

  /** Redacts the secret values of form-encoded text, leaving the rest unchanged. */
  const redactForm = (text: string): string => text.split('&').map(redactField).join('&')

  function redactField(pair: string): string {
    const [name = ''] = pair.split('=', 1)
    if (isSecretName(decodeName(name), 'parameter')) return redactPair(pair)
    const value = decodeName(pair.slice(name.length + 1))
    const redacted = nested(value)
    return redacted === value ? pair : `${name}=${encodeURIComponent(redacted)}`
  }

  /** Redacts text inside of other text: JSON, a form or a URL. */
  function nested(text: string): string {
    if (/^\s*[[{]/.test(text)) return findRedactedJson(text) ?? (mayHoldSecret(text) ? REDACTED : text)
    // A single pair may be anything, such as a sentence about a parameter.
    if (text.includes('&') && FORM_BODY.test(text)) return redactForm(text)
    return URL_WORD.test(text) ? url(text) : text
  }

  /** Redacts the user, password and secret parameters of a URL. */
  function url(text: string): string {
    // Fast path for most requests.
    if (!/[?#@]/.test(text)) return text
    return withoutUser(text).replace(PARAMETERS, (_all, mark: string, form: string) => mark + redactForm(form))
  }

  function header(name: string, value: string): string {
    if (name === 'cookie')
      return value
        .split(';')
        .map((pair) => redactPair(pair.trim()))
        .join('; ')
    if (name === 'set-cookie') return redactEach(value, redactSetCookie)
    if (name.endsWith('authorization')) return redactEach(value, redactCredentials)
    if (name === 'host') return value.replace(/^.*@/, `${REDACTED}@`)
    if (isSecretName(name, 'header')) return /^(?:true|false|)$/.test(value) ? value : REDACTED
    return url(value)
  }

  const isSecretAnywhere = (name: string): boolean =>
    name.toLowerCase() === 'cookie' || isSecretName(name, 'header') || isSecretName(name, 'member')

  /** Redacts the quoted values after secret names. A value may itself hold names. */
  function redactMembers(text: string): string {
    let shown = ''
    let end = 0
    for (const { index, 0: start, 2: name = '' } of text.matchAll(MEMBER_NAME)) {
      if (index < end || !isSecretAnywhere(name)) continue
      QUOTED_VALUE.lastIndex = index + start.length
      const [value = '', quote = ''] = QUOTED_VALUE.exec(text) ?? []
      shown += `${text.slice(end, index)}${start}${quote}${REDACTED}${quote}`
      end = index + start.length + value.length
    }
    return shown + text.slice(end)
  }

  /** Redacts a line that people or tools wrote. */
  function line(text: string): string {
    const [, start = '', name = '', value = ''] = HEADER_LINE.exec(text) ?? []
    if (isSecretAnywhere(name)) return `${start}${name}: ${header(name.toLowerCase(), value)}`
    return redactMembers(text)
      .replaceAll(QUOTED_HEADER, (all, ...[quote = '', one = '', colon = '', shown = '']: readonly string[]) =>
        isSecretAnywhere(one) ? `${quote}${one}${colon}${header(one.toLowerCase(), shown)}` : all,
      )
      .replaceAll(USER_OPTION, `$1${REDACTED}`)
      .replaceAll(SECRET_WORD, (word) => (URL_WORD.test(word) ? url(word) : word))
      .replaceAll(BARE_PAIR, (all, ...[one = '', separator = '', scheme = '', shown = '']: readonly string[]) =>
        isSecretAnywhere(decodeName(one)) && !shown.startsWith('[')
          ? `${one}${separator}${scheme}${REDACTED}`
          : `${one}${separator}${scheme}${separator === '=' ? redactField(`=${shown}`).slice(1) : shown}`,
      )
  }

  /** Some values are never secret, such as `"hasPassword": true`. */
  const isSecretMember = (name: string, member: unknown): boolean =>
    isSecretName(name, 'member') && !(member === null || member === '' || typeof member === 'boolean')

  /** Whether a JSON value has a secret member. Most have none, so they need no copy. */
  function hasSecret(value: unknown): boolean {
    if (typeof value === 'string') return nested(value) !== value
    if (typeof value !== 'object' || value === null) return false
    if (Array.isArray(value)) return value.some(hasSecret)
    return Object.entries(value).some(([name, member]) => isSecretMember(name, member) || hasSecret(member))
  }

  /** Redacts the secret members of a JSON value. */
  function members(value: unknown): unknown {
    if (typeof value === 'string') return nested(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(members)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, isSecretMember(name, member) ? REDACTED : members(member)]),
    )
  }

  const isSecretMemberName = (name: string): boolean => isSecretName(name, 'member')

  /** Whether text is JSON without secret members: takes a third of the time of looking for them in its exact value. */
  function isPlainJson(text: string): boolean {
    if (/[\\=]/.test(text) || hasMemberName(text, isSecretMemberName)) return false
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }

  /** Redacts JSON text; undefined if it cannot be read. */
  function findRedactedJson(text: string): string | undefined {
    if (isPlainJson(text)) return text
    try {
      const value = parseJson(text)
      return hasSecret(value) ? stringifyJson(members(value)) : text
    } catch {
      return undefined
    }
  }

  const mayHoldSecret = (text: string): boolean => (text.match(/[\p{L}\p{N}_.-]+/gu) ?? []).some(isSecretMemberName)

  /** Redacts a body's text; undefined if it may hold a secret but cannot be read. */
  function findRedacted(text: string, isToken: boolean): string | undefined {
    if (FORM_BODY.test(text)) return redactForm(text)
    const json = findRedactedJson(text)
    if (isToken) return /^\s*[[{]/.test(text) ? json : undefined
    return json ?? (mayHoldSecret(text) ? undefined : text)
  }

  return {
    isSecretName,
    url,
    /** Redacts text such as the error of a test: URLs, header lines and quoted members. */
    text: (text: string): string => text.split('\n').map(line).join('\n'),
    /** Redacts a header with a lower-case name; multiple values are separated by `\n`. */
    header,
    /** Redacts the secret members of a JSON value, and the users in its URLs. */
    json(value: unknown): unknown {
      const redacted = members(value)
      const text = stringifyJson(redacted)
      const shown = withoutUser(text)
      return shown === text ? redacted : parseJson(shown)
    },
    /** Redacts a request or response body for a URL. One that may hold a secret but cannot be read is not kept. */
    body(address: string, body: KeptBody | undefined): KeptBody | undefined {
      if (body === undefined) return undefined
      const isToken = isForTokens(address)
      const read = body.encoding === 'utf-8' ? body.text : atob(body.text)
      if (COMPRESSED.some((start) => read.startsWith(start))) return { ...body, encoding: 'utf-8', text: REDACTED }
      const text = findUtf16(read) ?? read
      // Bytes that are not UTF-8 are an image, or text in another character set.
      if (body.encoding === 'base64' && !isToken && !TEXT.test(text)) return body
      const redacted = findRedacted(text, isToken)
      const shown = redacted === undefined ? REDACTED : withoutUser(redacted)
      return shown === text ? body : { ...body, encoding: 'utf-8', text: shown }
    },
  }
}
