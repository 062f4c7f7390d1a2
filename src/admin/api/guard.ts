import { encoder } from '../../service/http/body.ts'
import { generateCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import { problem } from '../../errors.ts'
import { isPreflight } from '../../service/http/cors.ts'
import { ADMIN_PATH } from '../../service/http/request-head.ts'
import type { Exchange } from '../../app/pipeline/exchange.ts'
import { isAdminRoot } from './request.ts'

/** Compares in constant time. */
function isSecret(candidate: string, secret: string): boolean {
  const actual = encoder.encode(candidate)
  const expected = encoder.encode(secret)
  let difference = actual.length ^ expected.length
  for (const [at, byte] of actual.entries()) difference |= byte ^ (expected[at % expected.length] ?? 0)
  return difference === 0
}

const TOKEN_COOKIE = 'mock-admin-token'

/** The cookie that stores the token in a browser, out of reach of scripts and other sites (RFC 6265bis, section 5.6.7). */
export const toTokenCookie = (token: string, path: string, isSecure: boolean): string =>
  generateCookie(TOKEN_COOKIE, token, { path, httpOnly: true, sameSite: 'Strict', secure: isSecure })

/** The bearer token of a request (RFC 6750, section 2.1). */
const findBearer = (headers: Headers): string | undefined =>
  /^Bearer +(\S+)\s*$/i.exec(headers.get('Authorization') ?? '')?.[1]

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address)

const isAddress = (name: string): boolean => name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)

/** Strips port and brackets: `localhost:4010` to `localhost`, `[::1]:4010` to `::1`. */
const toHostname = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** Paths that reveal nothing about the mock's data. */
const HEALTH_PATHS = new Set(['/health', '/health/live', '/health/ready'].map((path) => ADMIN_PATH + path))
const OPEN_PATHS = new Set([...HEALTH_PATHS, ...['/dashboard.css', '/dashboard.svg'].map((path) => ADMIN_PATH + path)])

/** Whether the request comes from a page of another site, for requests without Origin. */
const isForeignSite = (site: string | null): boolean => site === 'cross-site' || site === 'same-site'

/** Whether the request follows a link to the dashboard. The linking page cannot read the response. */
const isDashboardLink = ({ method, headers }: Request, path: string): boolean =>
  method === 'GET' &&
  isAdminRoot(path) &&
  headers.get('Sec-Fetch-Mode') === 'navigate' &&
  headers.get('Sec-Fetch-Dest') === 'document'

/**
 * Creates the guard of the admin API. Browsers let any page send requests to this machine, so it checks the page's origin
 * (`Origin`, Fetch standard, section 3.2) and the host name used for the mock, since DNS rebinding can point any name at
 * this machine.
 */
export function createAdminGuard(parts: {
  readonly token?: string | undefined
  readonly origins: readonly string[]
  readonly host?: string | undefined
}): (exchange: Exchange) => void {
  const { token, origins, host } = parts
  const trusted = new Set(origins.map((origin) => toHostname(new URL(origin).host)))
  if (host !== undefined) trusted.add(toHostname(isAddress(host) ? `[${host}]` : host))
  // A mock that listens on all interfaces can be reached by any address, and addresses cannot be rebound.
  const isAnyAddress = host === '0.0.0.0' || host === '::'

  function isAllowedName(name: string): boolean {
    if (name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)) return true
    return trusted.has(name) || (isAnyAddress && isAddress(name))
  }

  function checkHost({ headers, url }: Request): void {
    const header = headers.get('Host')
    if (header === null) return
    // An absolute-form request target overrides Host (RFC 9112, section 3.2.2), so both are checked.
    const rejected = [header, new URL(url).host].find((name) => !isAllowedName(toHostname(name)))
    if (rejected === undefined) return
    throw problem.forbidden(
      `The admin API does not accept the host name ${JSON.stringify(rejected.slice(0, 200))}. Use localhost or the --host address, or allow this name with --admin-origin.`,
    )
  }

  function checkOrigin(request: Request, path: string): void {
    const origin = request.headers.get('Origin')
    if (origin === null) {
      if (!isForeignSite(request.headers.get('Sec-Fetch-Site')) || isDashboardLink(request, path)) return
      throw problem.forbidden(
        'The admin API does not accept links and images on other sites. Open the URL from the address bar, or use fetch() on a site that --admin-origin allows.',
      )
    }
    if (origin === new URL(request.url).origin || origins.includes(origin)) return
    const shown = origin.slice(0, 200)
    // Sandboxed pages and local files have an opaque origin, which cannot be allowed (HTML standard, section 7.1.1).
    const remedy =
      shown === 'null'
        ? 'Open the page from a web server, and allow its origin with --admin-origin.'
        : `Allow it with --admin-origin ${shown}.`
    throw problem.forbidden(`The admin API does not accept requests from the origin ${shown}. ${remedy}`)
  }

  function checkToken({ request: { headers }, address, connection }: Exchange): void {
    if (token === undefined) {
      if (connection === undefined || isLoopbackAddress(connection.remoteAddress ?? '')) return
      throw problem.forbidden(
        'The admin API accepts requests from this machine only. Start the mock with --admin-token, and send the token as Authorization: Bearer.',
      )
    }
    // The link to the dashboard passes the token once.
    const linkToken = isAdminRoot(address.path) ? new URLSearchParams(address.search).get('token') : null
    const sentToken = linkToken ?? findBearer(headers) ?? parse(headers.get('Cookie') ?? '', TOKEN_COOKIE)[TOKEN_COOKIE]
    if (sentToken !== undefined && isSecret(sentToken, token)) return
    throw problem.invalidToken(
      ADMIN_PATH.slice(1),
      sentToken === undefined
        ? 'The admin API requires a token. Send the --admin-token value as Authorization: Bearer.'
        : 'Wrong admin API token. Send the --admin-token value as Authorization: Bearer.',
    )
  }

  return function guard(exchange) {
    const { request, address } = exchange
    const bearer = findBearer(request.headers)
    // No page of another site knows the token, or can read from the health checks more than that the mock is there.
    const isAuthorized = token !== undefined && bearer !== undefined && isSecret(bearer, token)
    if (!isAuthorized && !HEALTH_PATHS.has(address.path)) checkHost(request)
    checkOrigin(request, address.path)
    // Preflights and health probes cannot send a token, and the page that asks for the token needs its icon.
    if (!isPreflight(request) && !OPEN_PATHS.has(address.path)) checkToken(exchange)
  }
}
