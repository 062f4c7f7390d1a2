import { problem } from '../errors.ts'
import type { ReadHeader } from './headers.ts'

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
