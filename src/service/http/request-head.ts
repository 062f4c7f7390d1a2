import { problem } from '../../errors.ts'
import { MAX_BYTES } from './sizes.ts'
import type { Problem } from '../../errors.ts'
import type { Connection } from './connection.ts'

/** The path prefix of the admin API and the dashboard. */
export const ADMIN_PATH = '/__admin'

/** Pact's verifier posts provider states to this path. */
export const SETUP_PATH = '/_pactSetup'

export interface SplitUrl {
  /** Scheme and authority, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  /** The path and query, percent-encoded, without a fragment. */
  readonly target: string
  /** Both of them. */
  readonly url: string
}

/** Splits an absolute URL. Fragments are removed, because clients never send them (RFC 9110, section 7.1). */
export function splitUrl(url: string): SplitUrl {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#', start)
  const whole = hash === -1 ? url : url.slice(0, hash)
  return { origin: url.slice(0, start), target: whole.slice(start), url: whole }
}

/** The two variable parts of `{base_url}` in the specification (section 1). */
export interface BaseUrl {
  readonly region: string
  readonly cloudProvider: string
}

/** The parsed address of a request: its base URL, its session if the path includes one, and the remaining path. */
export interface Address extends SplitUrl {
  /** The session name in the prefix `/@name`. */
  readonly session: string | undefined
  readonly baseUrl: BaseUrl | undefined
  /** The text before the service's own path, such as `/@s1/eu/gcp`; empty if there is none. */
  readonly prefix: string
  /** The service's own path, such as `/acme/resource/1`, percent-encoded as received. */
  readonly path: string
  /** The query including the question mark, or the empty string. */
  readonly search: string
}

const UNRESERVED = /^[A-Za-z0-9\-._~]$/
const HOST = /^https?:\/\/api\.([^./:]+)\.([^./:]+)\.localhost(?::\d+)?$/i

/** Whether percent-encoding is valid. The result of decoding is used: bundlers drop a call without one, although it throws. */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text).length >= 0
  } catch {
    return false
  }
}

/** Normalizes equivalent paths (RFC 3986, section 6.2.2.2): `%72` becomes `r`, while `%2F` and `%3D` are left unchanged. */
function normalizePath(path: string): string {
  if (!path.includes('%')) return path
  if (!isDecodable(path))
    throw problem.invalidInput(`The path ${path} has invalid percent-encoding. Percent-encode each segment as UTF-8.`)
  return path.replace(/%([0-9A-Fa-f]{2})/g, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return UNRESERVED.test(character) ? character : encoded
  })
}

/** Decodes percent-encoding; text with malformed encoding is returned unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last segment of a path or URL, decoded: the id in a Location. */
export const lastSegmentOf = (url: string): string => decodePercent(url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '')

// This code runs for every request, so it searches the path in place instead of splitting it.

/** Returns the start of the segment after the one at `start`; 0 if there is none. */
const nextSegment = (path: string, start: number): number => path.indexOf('/', start) + 1

/** Whether the segment at `start` equals the given one. */
const isSegment = (path: string, start: number, segment: string): boolean =>
  path.startsWith(segment, start) && (path.length === start + segment.length || path[start + segment.length] === '/')

/** The token endpoints (D31). */
export const TOKEN_PATHS = [
  '/oauth/token',
  '/oauth/introspect',
  '/oauth/{projectKey}/anonymous/token',
  '/oauth/{projectKey}/customers/token',
] as const

/** A region may also be called `oauth`, so the whole path must match. */
const TOKEN_PATH = new RegExp(`(?:${TOKEN_PATHS.join('|').replaceAll('{projectKey}', '[^/]+')})$`, 'y')

/** Whether the rest of the path, from the slash before `start`, is a token endpoint. */
export function isTokenPath(path: string, start = 1): boolean {
  TOKEN_PATH.lastIndex = start - 1
  return TOKEN_PATH.test(path)
}

/**
 * Whether one of the service's own paths starts there: `{projectKey}/resource…`, a token endpoint, `__admin…` or
 * `_pactSetup`.
 */
function isServicePath(path: string, start: number): boolean {
  const second = nextSegment(path, start)
  if (second > 0 && isSegment(path, second, 'resource')) return true
  return (
    isTokenPath(path, start) ||
    isSegment(path, start, ADMIN_PATH.slice(1)) ||
    isSegment(path, start, SETUP_PATH.slice(1))
  )
}

/**
 * Parses a URL into session, base URL and the service's own path.
 *
 * @throws {Problem} 400 for malformed percent-encoding.
 * @example parseAddress('http://127.0.0.1:4010/@s1/eu/gcp/acme/resource').path // '/acme/resource'
 */
export function parseAddress(url: string): Address {
  const split = splitUrl(url)
  const { origin, target } = split
  const question = target.indexOf('?')
  const search = question === -1 ? '' : target.slice(question)
  let full = normalizePath(question === -1 ? target : target.slice(0, question))

  let path = full
  let session: string | undefined
  if (full.startsWith('/@')) {
    if (!full.includes('/', 2)) full += '/'
    const end = full.indexOf('/', 2)
    session = full.slice(2, end)
    path = full.slice(end)
  }
  const host = HOST.exec(origin)
  let baseUrl: BaseUrl | undefined = host === null ? undefined : { region: host[1] ?? '', cloudProvider: host[2] ?? '' }
  if (baseUrl === undefined && !isServicePath(path, 1)) {
    const second = nextSegment(path, 1)
    const third = second && nextSegment(path, second)
    const isBaseUrl = second > 2 && third > second + 1
    if (isBaseUrl && isServicePath(path, third)) {
      const region = decodeURIComponent(path.slice(1, second - 1))
      const cloudProvider = decodeURIComponent(path.slice(second, third - 1))
      baseUrl = { region, cloudProvider }
      path = path.slice(third - 1)
    }
  }
  // Written out: V8 gives each object that continues a spread a hidden class of its own.
  const prefix = full.slice(0, full.length - path.length)
  return { origin, target, url: split.url, session, baseUrl, prefix, path, search }
}

/** Query parameters as strings: all values of each name, in order. */
export type RawQuery = ReadonlyMap<string, readonly string[]>

const EMPTY: RawQuery = new Map()

/** Parses `?a=1&a=2` into names and values (WHATWG URL, application/x-www-form-urlencoded). */
export function parseRawQuery(search: string): RawQuery {
  if (search.length < 2) return EMPTY
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

/** A percent-encoded character in UTF-8 by its length (RFC 3629, section 4), or a percent sign that starts none. */
const PERCENT_ENCODED =
  /%[0-7][\da-f]|%[cd][\da-f](?:%[89ab][\da-f])|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}|%/gi

/**
 * Checks that a query or form is percent-encoded UTF-8 (D9). `URLSearchParams` would replace invalid bytes.
 *
 * @throws {Problem} 400 with the parameter, the place, and the right encoding.
 */
export function expectEncodedParameters(text: string, where: 'query' | 'form'): void {
  // The decoding of invalid text returns it unchanged.
  const wrong = [...text.matchAll(PERCENT_ENCODED)].find(([encoded]) => decodePercent(encoded) === encoded)
  if (wrong === undefined) return
  const { index } = wrong
  const field = text.slice(0, index).split(/[?&]/).at(-1)?.split('=')[0]?.slice(0, 200)
  const sent = text.slice(index, index + 3)
  const byte = /^%[\da-f]{2}$/i.test(sent) ? Number.parseInt(sent.slice(1), 16) : undefined
  // In Latin-1, bytes below that are control characters.
  const character = byte === undefined ? '%' : byte < 0xa0 ? undefined : String.fromCharCode(byte)
  const remedy = character === undefined ? '' : ` Encode ${character} as ${encodeURIComponent(character)}.`
  throw problem.invalidInput(
    `Malformed parameter: ${field}: ${sent} at character ${index + 1} of the ${where} is not percent-encoded UTF-8.${remedy}`,
    { field },
  )
}

/** How to encode the `+` of a date-time that became a space; empty if the text is not such a date-time. */
export const describeLostPlus = (text: string): string =>
  /\dT[\d:.]+ \d\d:?\d\d$/.test(text) ? ' Encode the plus sign of an offset as %2B: a bare one means a space.' : ''

/** A unique name for a base URL; lower-case, because host names are case-insensitive. */
export const toBaseUrlName = (baseUrl: BaseUrl | undefined): string =>
  baseUrl === undefined ? '' : `${baseUrl.region}/${baseUrl.cloudProvider}`.toLowerCase()

/** The methods that Node's HTTP parser accepts, so that a request with another one cannot be sent (`http.METHODS`). */
const KNOWN_METHODS = new Set(
  `ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS
  PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK
  UNSUBSCRIBE`.split(/\s+/),
)

/** Whether a request with this method can be sent. Methods are case-sensitive (RFC 9110, section 9.1). */
export const isKnownMethod = (text: string): boolean => KNOWN_METHODS.has(text)

/** The request header with the session name. */
export const SESSION_HEADER = 'x-mock-session'
/** The pattern of session and snapshot names, also for HTML's `pattern` attribute. */
export const NAME_PATTERN = String.raw`[A-Za-z0-9._\-]{1,64}`
/** The cookie with the session name, used if there is no header. */
export const SESSION_COOKIE = 'mock-session'

/**
 * Hono's parser would drop a value with characters that are invalid in a cookie. Here, it is kept, so that the session name
 * is rejected as invalid.
 */
const COOKIE = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}="?([^";]*)"?`)

export const findCookie = (cookies: string | undefined): string | undefined =>
  cookies === undefined ? undefined : COOKIE.exec(cookies)?.[1]

/** Finds the session name in the headers of a request. */
export const findSessionName = (header: ReadHeader): string | undefined =>
  header(SESSION_HEADER) ?? findCookie(header('cookie'))

/** Returns a request header by its lower-case name; multiple values are joined. */
export type ReadHeader = (name: string) => string | undefined

/** Creates a reader for headers that the server has already parsed, by lower-case name. */
export const toHeaderReader =
  (known: NonNullable<Connection['headers']>): ReadHeader =>
  (name) => {
    const value = known[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

/** The problem of a request line or headers that are too long; undefined if neither is. */
export const findLengthProblem = (line: string, headers: number): Problem | undefined =>
  line.length > MAX_BYTES.requestLine
    ? problem.uriTooLong()
    : headers > MAX_BYTES.headers
      ? problem.headersTooLarge()
      : undefined

/** The length of a header line without its name and value. */
export const HEADER_EXTRA = ': \r\n'.length

/**
 * Applies the limits of a socket to an in-process request. Code that parses URLs and headers relies on them.
 *
 * @throws {Problem} 414 if the request line is too long, 431 if the headers are.
 */
export function expectShortHead({ method, url, headers }: Request): void {
  let length = 0
  headers.forEach((value, name) => (length += name.length + value.length + HEADER_EXTRA))
  const tooLong = findLengthProblem(`${method} ${splitUrl(url).target} HTTP/1.1`, length)
  if (tooLong !== undefined) throw tooLong
}

/** Creates a header reader. */
export const createHeaderReader =
  ({ headers }: Pick<Request, 'headers'>): ReadHeader =>
  (name) =>
    headers.get(name) ?? undefined

const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/

/**
 * Finds the trace id of a `traceparent` header (W3C Trace Context, section 3.2); undefined if it is malformed. Versions
 * after 00 may have additional fields.
 */
export function findTraceId(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [, version, traceId, more] = TRACE_PARENT.exec(header.trim()) ?? []
  return version === '00' && more !== undefined ? undefined : traceId
}

/** Whether a method is read-only (RFC 9110, section 9.2.1). */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The correlation ids that the mock returns. */
export const CORRELATION_ID = /^[A-Za-z0-9_-]{8,256}$/

/** Whether a client's `X-Correlation-ID` is valid, and so can be echoed. */
export const isCorrelationId = (text: string): boolean => CORRELATION_ID.test(text)

/** What the headers common to all responses depend on. */
interface CommonFacts {
  readonly correlationId: string
  /** The id of the endpoint's operation. */
  readonly operation?: string | undefined
  readonly scenarios?: readonly string[]
  readonly warning?: string | undefined
}

/**
 * The headers common to all responses. This is the only list of them: CORS exposes them and scenarios spell them
 * accordingly.
 */
export function toCommonHeaders({ correlationId, operation, scenarios, warning }: CommonFacts): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Correlation-ID': correlationId,
    'X-Content-Type-Options': 'nosniff',
  }
  if (operation !== undefined) headers['X-Mock-Operation'] = operation
  if (scenarios !== undefined && scenarios.length > 0) headers['X-Mock-Scenario'] = scenarios.join(', ')
  if (warning !== undefined) headers['X-Mock-Warning'] = warning
  return headers
}

/** The names of the common headers. */
export const commonHeaderNames: readonly string[] = Object.keys(
  toCommonHeaders({ correlationId: '', operation: '', scenarios: [''], warning: '' }),
)
