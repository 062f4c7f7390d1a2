import { Problem } from '../errors.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { Hono } from 'hono'
import { listPaths, toTokenCookie } from '../admin/admin.ts'
import { addAdminRoutes, toCookiePaths } from '../admin/request.ts'
import type { AdminEnv, AdminRequest } from '../admin/request.ts'
import { wantsPage, ADMIN_PATH } from '../http/request-head.ts'
import { toJson } from '../http/envelope.ts'
import type { Dashboard } from './open.tsx'
import type { DashboardParts } from './view-context.ts'

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0f766e" stroke-width="2" stroke-linejoin="round"><path d="M4 7.5L12 3l8 4.5v9L12 21l-8-4.5z"/><path d="M4 7.5l8 4.5 8-4.5M12 12v9"/></svg>'

const toFile = (type: string, text: string): Response => new Response(text, { headers: { 'Content-Type': type } })

const loadClient = () => import('./built-client.ts')

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

/** Creates the dashboard's routes. Its pages and files are loaded when they are first asked for. */
export function createDashboard(parts: DashboardParts & { readonly token?: string | undefined }): Hono<AdminEnv> {
  const paths = listPaths(parts.api)
  let opened: Promise<Dashboard> | undefined
  const open = (): Promise<Dashboard> =>
    (opened ??= import('./open.tsx').then(({ openDashboard }) => openDashboard(parts)))

  const dashboard = new Hono<AdminEnv>()
  addAdminRoutes(dashboard, {
    'GET /': async (admin) => {
      if (admin.query.has('token')) return keepToken(admin, parts.token)
      if (wantsPage(admin.headers)) return (await open()).show(admin)
      return toJson({ paths: paths.map((path) => `${admin.prefix}${ADMIN_PATH}${path}`) })
    },
    'POST /': async (admin) => (await open()).act(admin),
    'GET /dashboard.js': async () => toFile('text/javascript; charset=utf-8', (await loadClient()).clientScript),
    'GET /dashboard.css': async () => toFile('text/css; charset=utf-8', (await loadClient()).viewStyle),
    'GET /dashboard.svg': () => toFile('image/svg+xml', MARK),
    'GET /dashboard.json': async (admin) => (await open()).listRows(admin),
    'GET /dashboard.har': async (admin) => (await open()).toHar(admin),
  })
  return dashboard
}

/**
 * Renders an error as a page, which asks for the token if that would help. Undefined for a client that wants JSON.
 */
export async function refusePage(fault: unknown, exchange: Exchange): Promise<Response | undefined> {
  if (!(fault instanceof Problem) || !wantsPage(exchange.request.headers)) return undefined
  const { renderFault } = await import('./fault-page.tsx')
  return renderFault(fault, exchange)
}
