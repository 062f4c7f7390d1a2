import { problem } from '../errors.ts'
import { ADMIN_PATH } from '../http/address.ts'
import { isPreflight } from '../http/cors.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { isAdminRoot } from './request.ts'
import { findToken, isSecret } from './token.ts'
import { createWrongTokens } from './wrong-tokens.ts'

interface GuardParts {
  /** Absent: only this machine may ask. */
  readonly token?: string | undefined
  /** Further browser origins that may call. */
  readonly origins: readonly string[]
  /** The address that the mock listens on. */
  readonly host?: string | undefined
}

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address)

const isAddress = (name: string): boolean => name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)

/** `localhost` of `localhost:4010`, `::1` of `[::1]:4010`. */
const toHostname = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** What tells nothing of what the mock holds. */
const OPEN = new Set(['/health', '/health/live', '/health/ready', '/dashboard.svg'].map((path) => ADMIN_PATH + path))

/** What a browser says of a page that is not the mock's own, where it does not name the page's origin. */
const isForeignSite = (site: string | null): boolean => site === 'cross-site' || site === 'same-site'

/** A link that leads to the dashboard: it shows itself and nothing to the page that it was on. */
const isVisit = ({ method, headers }: Request, path: string): boolean =>
  method === 'GET' &&
  isAdminRoot(path) &&
  headers.get('Sec-Fetch-Mode') === 'navigate' &&
  headers.get('Sec-Fetch-Dest') === 'document'

/**
 * Creates what refuses requests that the admin API is not for. Browsers let any page send requests to this machine, so
 * it asks which page that is (`Origin`, Fetch standard, section 3.2), and by which name the mock was reached, since
 * the page's own name may have been rebound to this machine's address.
 */
export function createGuard({ token, origins, host }: GuardParts): (exchange: Exchange) => void | Promise<void> {
  const wrongTokens = createWrongTokens()
  const trusted = new Set(origins.map((origin) => toHostname(new URL(origin).host)))
  if (host !== undefined) trusted.add(toHostname(isAddress(host) ? `[${host}]` : host))
  // Who listens on every address is reached by all of them; an address cannot be rebound.
  const isAnyAddress = host === '0.0.0.0' || host === '::'

  function isOwnName(name: string): boolean {
    if (name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)) return true
    return trusted.has(name) || (isAnyAddress && isAddress(name))
  }

  function checkHost({ headers, url }: Request): void {
    const named = headers.get('Host')
    if (named === null) return
    // A target in absolute form has a host too, and that is the one that counts (RFC 9112, section 3.2.2).
    const stranger = [named, new URL(url).host].find((host) => !isOwnName(toHostname(host)))
    if (stranger === undefined) return
    throw problem.forbidden(
      `The admin API does not answer as ${JSON.stringify(stranger.slice(0, 200))}. Call it as localhost, as the address given by --host, or name this one with --admin-origin.`,
    )
  }

  function checkOrigin(request: Request, path: string): void {
    const origin = request.headers.get('Origin')
    if (origin === null) {
      if (!isForeignSite(request.headers.get('Sec-Fetch-Site')) || isVisit(request, path)) return
      throw problem.forbidden('The admin API does not answer pages of other sites. Allow one with --admin-origin.')
    }
    if (origin === new URL(request.url).origin || origins.includes(origin)) return
    const shown = origin.slice(0, 200)
    // A page in a sandbox or of a file has none that could be named (HTML standard, section 7.1.1).
    const remedy =
      shown === 'null' ? 'Open the page from a server, and allow that.' : `Allow it with --admin-origin ${shown}.`
    throw problem.forbidden(`The admin API does not answer pages of the origin ${shown}. ${remedy}`)
  }

  function checkToken(exchange: Exchange): void | Promise<void> {
    const { request, address, connection } = exchange
    if (token === undefined) {
      if (connection === undefined || isLoopbackAddress(connection.remoteAddress ?? '')) return
      throw problem.forbidden(
        'The admin API answers this machine only. Start the mock with --admin-token, and send the token as Authorization: Bearer.',
      )
    }
    // The dashboard is given it once, in its link.
    const linked = isAdminRoot(address.path) ? new URLSearchParams(address.search).get('token') : null
    const given = linked ?? findToken(request.headers)
    if (given !== undefined && isSecret(given, token)) return wrongTokens.forgive(exchange)
    const refusal = problem.invalidToken(
      ADMIN_PATH.slice(1),
      given === undefined
        ? 'The admin API asks for a token. Send that of --admin-token as Authorization: Bearer.'
        : 'The token of the admin API is wrong. Send that of --admin-token as Authorization: Bearer.',
    )
    if (given === undefined) throw refusal
    return wrongTokens.delay(exchange).then(() => {
      throw refusal
    })
  }

  return function guard(exchange) {
    const { request, address } = exchange
    checkHost(request)
    checkOrigin(request, address.path)
    // A preflight cannot bring a token, and neither can who probes the mock's health, nor the page that asks for it.
    if (isPreflight(request) || OPEN.has(address.path)) return
    return checkToken(exchange)
  }
}
