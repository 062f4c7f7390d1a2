import { html } from 'hono/html'
import type { Answer } from '../contract/handler.ts'
import { findNearPath } from '../contract/paths.ts'
import { problem } from '../errors.ts'
import { wantsPage } from '../http/headers.ts'
import type { Address } from '../http/address.ts'
import { toPreflightHeaders } from '../http/cors.ts'
import type { Exchange } from './exchange.ts'
import { reply } from './reply.ts'

/** Methods that a preflight allows where no endpoint says which ones there are. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A longer path is cut in a sentence, in characters. */
const LONGEST_PATH = 500

/** Responds to a browser's preflight, which is not the client's own request and is not recorded. */
export function replyToPreflight(exchange: Exchange, methods: readonly string[] = METHODS): Response {
  exchange.isRecorded = true
  return reply(exchange, { status: 204, headers: toPreflightHeaders(exchange.cors, exchange.request, methods) })
}

/**
 * Responds to OPTIONS on a path with these methods.
 *
 * @throws {Problem} 405 for every other method.
 */
export function replyToOtherMethod(exchange: Exchange, methods: readonly string[]): Response {
  const { method, address } = exchange
  if (method === 'OPTIONS') return reply(exchange, { status: 204, headers: { Allow: methods.join(', ') } })
  throw problem.methodNotAllowed(method, address.path, methods)
}

function toNoSuchPath({ path: asked, prefix }: Address, hasDashboard: boolean): string {
  const path = asked.slice(0, LONGEST_PATH)
  const near = findNearPath(path)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  const dashboard = hasDashboard ? ` The dashboard is at ${prefix}/__admin.` : ''
  return `No endpoint matches ${path}.${hint} Paths start with /{projectKey}/resource, tokens come from /oauth/token.${dashboard}`
}

/** The page for a person who opens the mock's address in a browser. */
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
 * Shows a browser that opens the mock's address where to go.
 *
 * @throws {Problem} 404 for every other path that no route matches.
 */
export async function replyToUnknownPath(exchange: Exchange, hasDashboard: boolean): Promise<Response> {
  const { method, address, request } = exchange
  const isRead = method === 'GET' || method === 'HEAD'
  if (address.path !== '/' || !isRead || !wantsPage(request.headers)) {
    throw problem.notFound(toNoSuchPath(address, hasDashboard))
  }
  exchange.isRecorded = true
  return reply(exchange, await toWelcomePage(address, hasDashboard))
}
