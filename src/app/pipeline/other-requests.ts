import type { Answer } from '../../service/contract/types.ts'
import { problem } from '../../errors.ts'
import { isRead } from '../../service/http/request-head.ts'
import type { Address } from '../../service/http/request-head.ts'
import { toPreflightHeaders } from '../../service/http/cors.ts'
import { wantsPage } from '../../service/http/envelope.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { findNearPath } from '../../service/contract/paths.ts'
import type { Exchange } from './exchange.ts'
import { html } from 'hono/html'
import { reply } from './reply.ts'

/** Methods that a preflight allows on a path without endpoints. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Longer paths are truncated in messages, in characters. */
const LONGEST_PATH = 500

/** Responds to a CORS preflight. It is not recorded because the browser sends it, not the app. */
export function replyToPreflight(exchange: Exchange, methods: readonly string[] = METHODS): Response {
  exchange.isRecorded = true
  return reply(exchange, { status: 204, headers: toPreflightHeaders(exchange.cors, exchange.request, methods) })
}

/**
 * Responds to OPTIONS on a path, listing its methods.
 *
 * @throws {Problem} 405 for any other method.
 */
export function replyToOtherMethod(exchange: Exchange, methods: readonly string[], remedy?: string): Response {
  const { method, address } = exchange
  if (method === 'OPTIONS') return reply(exchange, { status: 204, headers: { Allow: methods.join(', ') } })
  throw problem.methodNotAllowed(method, address.path, methods, remedy)
}

const describePaths = ({ prefix }: Address, hasDashboard: boolean): string =>
  `Paths start with /{projectKey}/resource; tokens come from /oauth/token.${hasDashboard ? ` The dashboard is at ${prefix}/__admin.` : ''}`

function toNoSuchPath(address: Address, hasDashboard: boolean): string {
  const path = address.path.slice(0, LONGEST_PATH)
  const near = findNearPath(path)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  return `No endpoint matches ${path}.${hint} ${describePaths(address, hasDashboard)}`
}

/** A page for anyone who opens the mock's URL in a browser. */
async function toWelcomePage({ origin, prefix }: Address, hasDashboard: boolean): Promise<Answer> {
  const dashboard = hasDashboard
    ? html`<p><a href="${prefix}/__admin">Open the dashboard</a> to see requests, switch scenarios and edit data.</p>`
    : ''
  const page = await html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>resource-mock</title>
      <style>
        body {
          font:
            1rem/1.5 system-ui,
            sans-serif;
          max-width: 40rem;
          margin: 3rem auto;
          padding: 0 1rem;
        }
      </style>
      <h1>resource-mock is running</h1>
      ${dashboard}
      <p>Paths of the API start with <code>/{projectKey}/resource</code>. Any project key works. Try it:</p>
      <pre><code>curl ${origin}${prefix}/acme/resource -H 'Authorization: Bearer anything'</code></pre>
    </html> `
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept',
  }
  return { status: 200, headers, body: page.toString() }
}

/**
 * Responds to a client that opens the mock's URL: a browser gets the welcome page. Tools that wait for a server, such as
 * Playwright's `webServer`, ask for this URL too, and need a 200.
 *
 * @throws {Problem} 404 for any other path without a route.
 */
export async function replyToUnknownPath(exchange: Exchange, hasDashboard: boolean): Promise<Response> {
  const { method, address, request } = exchange
  if (address.path !== '/' || !isRead(method)) throw problem.notFound(toNoSuchPath(address, hasDashboard))
  exchange.isRecorded = true
  if (wantsPage(request.headers)) return reply(exchange, await toWelcomePage(address, hasDashboard))
  const message = `resource-mock is running. ${describePaths(address, hasDashboard)}`
  return reply(exchange, { status: 200, headers: { Vary: 'Accept' }, body: stringifyJson({ message }) })
}
