import { problem } from '../errors.ts'
import { parseAccept } from 'hono/utils/accept'
import type { Connection } from './connection.ts'

/** The path that the admin API and the dashboard are under. */
export const ADMIN_PATH = '/__admin'

/** A URL in two parts. */
export interface SplitUrl {
  /** Scheme and authority, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  /** From the path on, percent-encoded, without a fragment. */
  readonly target: string
}

/** Splits an absolute URL; a fragment never leaves a client (RFC 9110, section 7.1). */
export function splitUrl(url: string): SplitUrl {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#', start)
  return { origin: url.slice(0, start), target: hash === -1 ? url.slice(start) : url.slice(start, hash) }
}

/** The two variable parts of the specification's `{base_url}` (section 1). */
export interface BaseUrl {
  readonly region: string
  readonly cloudProvider: string
}

/** Where a request is aimed: its base URL, its session if the path names one, and the path that is left. */
export interface Address extends SplitUrl {
  /** From the prefix `/@name`. */
  readonly session: string | undefined
  readonly baseUrl: BaseUrl | undefined
  /** What stood before the service's own path, such as `/@s1/eu/gcp`; the empty string for none. */
  readonly prefix: string
  /** The service's own path, such as `/acme/resource/1`, percent-encoded as it came. */
  readonly path: string
  /** From the question mark on, or the empty string. */
  readonly search: string
}

const UNRESERVED = /^[A-Za-z0-9\-._~]$/
const HOST = /^https?:\/\/api\.([^./:]+)\.([^./:]+)\.localhost(?::\d+)?$/i

/** Equivalent paths become one (RFC 3986, section 6.2.2.2): `%72` is `r`, while `%2F` and `%3D` stay as they are. */
function normalizePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    decodeURIComponent(path)
  } catch {
    throw problem.invalidInput(`The path ${path} is not valid percent-encoding. Encode each of its segments as UTF-8.`)
  }
  return path.replace(/%([0-9A-Fa-f]{2})/g, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return UNRESERVED.test(character) ? character : encoded
  })
}

/** Decodes percent-encoding; text whose encoding is malformed stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// Every request comes here, so the path is read in place rather than split.

/** Where the segment after the one at `start` starts; 0 if there is none. */
const nextSegment = (path: string, start: number): number => path.indexOf('/', start) + 1

/** Whether the segment at `start` is this one. */
const isSegment = (path: string, start: number, segment: string): boolean =>
  path.startsWith(segment, start) && (path.length === start + segment.length || path[start + segment.length] === '/')

/** The token endpoints (D31). A region may be called `oauth` too, so only a whole path tells. */
const TOKEN_PATH = /\/oauth\/(?:token|introspect|[^/]+\/(?:anonymous|customers)\/token)$/y

/** Whether the path, from the slash before `start` on, is a token endpoint's. */
export function isTokenPath(path: string, start = 1): boolean {
  TOKEN_PATH.lastIndex = start - 1
  return TOKEN_PATH.test(path)
}

/** Whether the service's own paths begin there: `{projectKey}/resource…`, a token endpoint, `__admin…` or `_pactSetup`. */
function isServicePath(path: string, start: number): boolean {
  const second = nextSegment(path, start)
  if (second > 0 && isSegment(path, second, 'resource')) return true
  return isTokenPath(path, start) || isSegment(path, start, ADMIN_PATH.slice(1)) || isSegment(path, start, '_pactSetup')
}

/**
 * Takes an URL apart into session, base URL and the service's own path.
 *
 * @throws {Problem} 400 for malformed percent-encoding.
 * @example parseAddress('http://127.0.0.1:4010/@s1/eu/gcp/acme/resource').path // '/acme/resource'
 */
export function parseAddress(url: string): Address {
  const { origin, target } = splitUrl(url)
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
  return { origin, target, session, baseUrl, prefix: full.slice(0, full.length - path.length), path, search }
}

/** Query parameters as they came: every value of every name, in order. */
export type RawQuery = ReadonlyMap<string, readonly string[]>

const EMPTY: RawQuery = new Map()

/** Reads `?a=1&a=2` into names and values (WHATWG URL, application/x-www-form-urlencoded). */
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

/** One name for one base URL; host names know no case, so it has none either. */
export const toBaseUrlName = (baseUrl: BaseUrl | undefined): string =>
  baseUrl === undefined ? '' : `${baseUrl.region}/${baseUrl.cloudProvider}`.toLowerCase()

/** The header that names the session of a request. */
export const SESSION_HEADER = 'x-mock-session'
/** The cookie that names it where no header does. */
export const SESSION_COOKIE = 'mock-session'

/** Hono's parser drops a value that no cookie may have; here it is a malformed name of a session, and refused. */
const COOKIE = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}="?([^";]*)"?`)

const findCookie = (cookies: string | undefined): string | undefined =>
  cookies === undefined ? undefined : COOKIE.exec(cookies)?.[1]

/** The session that the headers of a request name. */
export const findSessionName = (header: ReadHeader): string | undefined =>
  header(SESSION_HEADER) ?? findCookie(header('cookie'))

/** Headers as a `Headers` object, as a record such as that of Node's `IncomingMessage`, or a request that has them. */
export type HeadersSource =
  | { get(name: string): string | null | undefined }
  | { readonly headers: HeadersSource }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Callers without TypeScript may pass anything; a header may be named `get`, but no text can be called. */
const hasGet = (source: object): source is { get(name: string): string | null | undefined } =>
  'get' in source && typeof source.get === 'function'

const hasHeaders = (source: object): source is { readonly headers: HeadersSource } =>
  'headers' in source && typeof source.headers === 'object' && source.headers !== null

function readHeader(source: HeadersSource, name: string): string | undefined {
  if (hasGet(source)) return source.get(name) ?? undefined
  if (hasHeaders(source)) return readHeader(source.headers, name)
  const [, value] = Object.entries(source).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value?.join('; ')
}

/**
 * The header that sends a server's own request in the session of the page request that it serves. Empty where that request
 * names no session, as in production.
 *
 * @param source the page's request, or its headers
 * @throws {TypeError} for a promise: `headers()` of Next.js has to be awaited.
 * @example await fetch(`${API_URL}/acme/resource`, { headers: { ...forwardSession(request.headers) } })
 */
export function forwardSession(source: HeadersSource): Record<string, string> {
  if ('then' in source)
    throw new TypeError('forwardSession was given a promise. Write forwardSession(await headers()).')
  const session = findSessionName((name) => readHeader(source, name))
  return session === undefined ? {} : { [SESSION_HEADER]: session }
}

/** A header of a request by its lower-case name; several of one name are joined. */
export type ReadHeader = (name: string) => string | undefined

/** Reads headers that a server has by lower-case name already. */
export const toHeaderReader =
  (known: NonNullable<Connection['headers']>): ReadHeader =>
  (name) => {
    const value = known[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

/** The most that Node reads of a request line and headers, in characters. */
export const LONGEST_HEAD = 16 * 1024

/**
 * Holds a request that the mock sends to itself to the limit that a socket has: what reads a URL or a header relies on it.
 *
 * @throws {Problem} 431 if the request line and headers are too long.
 */
export function expectShortHead({ method, url, headers }: Request): void {
  let length = method.length + url.length
  headers.forEach((value, name) => (length += name.length + value.length))
  if (length > LONGEST_HEAD) throw problem.headersTooLarge()
}

/** Headers are asked for by name many times a request, and most are absent: those that are read already are quicker. */
export const createHeaderReader = ({ headers }: Pick<Request, 'headers'>, connection?: Connection): ReadHeader =>
  connection?.headers === undefined ? (name) => headers.get(name) ?? undefined : toHeaderReader(connection.headers)

/** The preferences of a `Prefer` header (RFC 7240, with Prism's names), by lower-case name. */
export type Preferences = ReadonlyMap<string, string>

const NONE: Preferences = new Map()

/**
 * Parses `Prefer: code=203, example="custom2"`. The first of two preferences of one name counts (RFC 7240, section 2);
 * what is not a preference is passed over, since preferences are never refused.
 */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return NONE
  const preferences = new Map<string, string>()
  for (const part of header.split(/[,;]/)) {
    // Taken apart by hand: a regular expression tries every way to part a long run of spaces.
    const end = part.includes('=') ? part.indexOf('=') : part.length
    const key = part.slice(0, end).trim().toLowerCase()
    const value = part.slice(end + 1).trim()
    const quoted = /^"([^"]*)"$/.exec(value)?.[1]
    const isPreference = /^[\w-]+$/.test(key) && (quoted !== undefined || !/\s/.test(value))
    if (isPreference && !preferences.has(key)) preferences.set(key, quoted ?? value)
  }
  return preferences
}

/** How closely a media range names a type: 3 exactly, 2 by its main type, 1 by the full wildcard, 0 not at all. */
function closeness(range: string, type: string): number {
  const [main = ''] = type.split('/')
  return range === type ? 3 : range === `${main}/*` ? 2 : range === '*/*' || range === '*' ? 1 : 0
}

/** Whether an `Accept` header admits a media type; the closest range decides (RFC 9110, section 12.5.1). */
export function admitsType(accept: string, type: string): boolean {
  let best = { close: 0, quality: 0 }
  for (const { type: range, q } of parseAccept(accept)) {
    const close = closeness(range.toLowerCase(), type)
    if (close > best.close) best = { close, quality: q }
  }
  return best.quality > 0
}

/** Whether a page is asked for; a client that accepts anything, as most do, gets JSON (D88). */
export function wantsPage(headers: Headers): boolean {
  const accept = headers.get('Accept') ?? ''
  return accept.includes('text/html') && admitsType(accept, 'text/html')
}

const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/

/**
 * Finds the trace id of a `traceparent` header (W3C Trace Context, section 3.2); undefined for a malformed one. Versions
 * after 00 may have more fields.
 */
export function findTraceId(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [, version, traceId, more] = TRACE_PARENT.exec(header.trim()) ?? []
  return version === '00' && more !== undefined ? undefined : traceId
}

/** Whether a method only reads (RFC 9110, section 9.2.1). */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'
