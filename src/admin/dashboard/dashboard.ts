import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { html } from 'hono/html'
import { createAdmin, createAdminApi, listPaths } from '../api/admin.ts'
import { toTokenCookie } from '../api/guard.ts'
import { createPactSetup } from '../api/pact-setup.ts'
import { addAdminRoutes, toCookiePaths, toSharedPath } from '../api/request.ts'
import type { AdminEnv, AdminParts, AdminRequest } from '../api/request.ts'
import { Problem } from '../../errors.ts'
import { wantsPage, toJson } from '../../service/http/envelope.ts'
import { ADMIN_PATH, SESSION_HEADER } from '../../service/http/request-head.ts'
import { DEFAULT_SESSION } from '../../sessions/session-names.ts'
import type { Env, Exchange } from '../../app/pipeline/exchange.ts'
import type { EnterSession } from '../../app/pipeline/enter-session.ts'

const PLACEHOLDER =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0f766e" stroke-width="2" stroke-linejoin="round"><path d="M4 7.5L12 3l8 4.5v9L12 21l-8-4.5z"/><path d="M4 7.5l8 4.5 8-4.5M12 12v9"/></svg>'

const loadBuiltClient = () => import('./built-client.ts')

/**
 * The page loads only its own script, style and images, and talks only to the mock. No text can become markup or code:
 * there is no Trusted Types policy.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Accept',
}

/** The URLs of the files change with their content. */
const toFile = (type: string, text: string): Response =>
  new Response(text, {
    headers: { 'Content-Type': type, 'Cache-Control': 'private, max-age=31536000, immutable', Vary: 'Accept-Encoding' },
  })

/** Moves the token of a link into a cookie, and redirects to the same page without it. */
function keepToken({ query, prefix, isSecure }: AdminRequest, token: string | undefined): Response {
  query.delete('token')
  const rest = query.size === 0 ? '' : `?${query}`
  // The token must not leak in a Referer header.
  const headers = new Headers({ Location: `${prefix}${ADMIN_PATH}${rest}`, 'Referrer-Policy': 'no-referrer' })
  if (token !== undefined) {
    for (const path of toCookiePaths(prefix)) headers.append('Set-Cookie', toTokenCookie(token, path, isSecure))
  }
  return new Response(null, { status: 303, headers })
}

type Html = ReturnType<typeof html>

async function toPageResponse(parts: {
  readonly title: string
  readonly home: string
  readonly body: Html
}): Promise<string> {
  const { title, home, body } = parts
  const { clientVersion } = await loadBuiltClient()
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${title}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <link rel="icon" href="${home}/dashboard.svg" />
          <link rel="stylesheet" href="${home}/dashboard.css?v=${clientVersion}" />
        </head>
        ${body}
      </html>`,
  )
}

/** The page of every view; its script renders the view that the address names. */
async function showApp({ prefix, session, query, exchange }: AdminRequest): Promise<Response> {
  const { clientVersion } = await loadBuiltClient()
  const home = toSharedPath(prefix)
  const { address, headers } = exchange
  const isChosen = query.has('session') || address.session !== undefined || headers[SESSION_HEADER] !== undefined
  const isFromCookie = !isChosen && session.name !== DEFAULT_SESSION
  const body = html`<body
    data-session="${session.name}"
    ${session.isArchived ? 'data-archived' : ''}
    ${isFromCookie ? 'data-cookie' : ''}
  >
    <noscript>The dashboard needs JavaScript. Everything it shows is also in the admin API.</noscript>
    <script type="module" src="${home}/dashboard.js?v=${clientVersion}"></script>
  </body>`
  return new Response(await toPageResponse({ title: 'resource-mock', home, body }), { headers: PAGE_HEADERS })
}

/** Creates the dashboard's routes: one page, and the files that it loads. */
function createDashboard(parts: {
  readonly api: Hono<AdminEnv>
  readonly token?: string | undefined
  /** Sends a request to the admin API. */
  readonly sendAdmin: (request: Request) => Promise<Response>
}): Hono<AdminEnv> {
  const paths = listPaths(parts.api)
  const dashboard = new Hono<AdminEnv>()
  for (const file of ['/dashboard.js', '/dashboard.css', '/share.html']) dashboard.use(file, compress())
  addAdminRoutes(dashboard, {
    'GET /': (admin) => {
      if (admin.query.has('token')) return keepToken(admin, parts.token)
      if (wantsPage(admin.headers)) return showApp(admin)
      return toJson({ paths: paths.map((path) => `${admin.prefix}${ADMIN_PATH}${path}`) })
    },
    'GET /dashboard.js': async () => toFile('text/javascript; charset=utf-8', (await loadBuiltClient()).clientScript),
    'GET /dashboard.css': async () => toFile('text/css; charset=utf-8', (await loadBuiltClient()).clientStyle),
    'GET /share.html': async (admin) => (await import('./share.ts')).createSharePage(admin, parts.sendAdmin),
    'GET /dashboard.svg': () => toFile('image/svg+xml', PLACEHOLDER),
  })
  return dashboard
}

/** The heading of an error page, by status. */
const HEADINGS: Readonly<Record<number, string>> = {
  401: 'This mock needs its admin token',
  403: 'The dashboard cannot be opened from here',
  404: 'Page not found',
}

/**
 * Renders an error as a page, which asks for the token if that would help. Undefined for a client that wants JSON.
 */
async function refusePage(fault: unknown, exchange: Exchange): Promise<Response | undefined> {
  const { address, session, request } = exchange
  if (!(fault instanceof Problem) || !wantsPage(request.headers)) return undefined
  const title = HEADINGS[fault.status] ?? 'Something went wrong'
  const target = `${address.prefix}${ADMIN_PATH}`
  const home = toSharedPath(address.prefix)
  // If no session was entered, the one in the path or the cookie may be what is wrong.
  const link = session === undefined ? `${home}?session=${DEFAULT_SESSION}` : target
  const asked = [...new URLSearchParams(address.search)].filter(([name]) => name !== 'token')
  const form = html`<form class="form" method="get" action="${target}">
    ${asked.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label class="field" for="token"><span>Admin token (--admin-token)</span></label>
    <input id="token" type="password" name="token" required autofocus autocomplete="current-password" />
    <button class="button primary">Open the dashboard</button>
  </form>`
  const remedy =
    fault.status === 401
      ? form
      : fault.status === 403
        ? ''
        : html`<p><a class="button" href="${link}">Open the dashboard</a></p>`
  const body = html`<body class="alone">
    <main class="card">
      <h1>${title}</h1>
      ${remedy}
      <p class="quiet">${fault.errors[0].detailedErrorMessage ?? fault.message}</p>
    </main>
  </body>`
  return new Response(await toPageResponse({ title, home, body }), {
    status: fault.status,
    headers: { ...fault.headers, ...PAGE_HEADERS },
  })
}

/** Creates the app with the dashboard, the admin API and the provider states endpoint of Pact's verifier. */
export function createAdminApp(
  gate: MiddlewareHandler<AdminEnv>,
  parts: Omit<Parameters<typeof createDashboard>[0], 'api'> & AdminParts & { readonly enterSession: EnterSession },
): Hono<Env> {
  const api = createAdminApi(parts)
  const app = new Hono<Env>()
  app.route(ADMIN_PATH, createAdmin(gate, { pages: createDashboard({ ...parts, api }), api }, refusePage))
  app.route('/', createPactSetup({ ...parts, gate }))
  return app
}
