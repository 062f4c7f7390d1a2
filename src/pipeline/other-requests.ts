import { findNearPath } from '../contract/near-path.ts'
import { problem } from '../errors.ts'
import { wantsPage } from '../http/accept.ts'
import type { Address } from '../http/address.ts'
import { toPreflightHeaders } from '../http/cors.ts'
import type { RequestContext } from './request-context.ts'
import { respond } from './respond.ts'
import { toWelcomePage } from './welcome.ts'

/** Methods that a preflight allows where no endpoint says which ones there are. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A longer path is cut in a sentence, in characters. */
const LONGEST_PATH = 500

/** Responds to a browser's preflight, which is not the client's own request and is not recorded. */
export function respondToPreflight(context: RequestContext, methods: readonly string[] = METHODS): Response {
  context.isRecorded = true
  return respond(context, { status: 204, headers: toPreflightHeaders(context.cors, context.request, methods) })
}

/**
 * Responds to OPTIONS on a path with these methods.
 *
 * @throws {Problem} 405 for every other method.
 */
export function respondToOtherMethod(context: RequestContext, methods: readonly string[]): Response {
  const { method, address } = context
  if (method === 'OPTIONS') return respond(context, { status: 204, headers: { Allow: methods.join(', ') } })
  throw problem.methodNotAllowed(method, address.path, methods)
}

function toNoSuchPath({ path: asked, prefix }: Address, hasDashboard: boolean): string {
  const path = asked.slice(0, LONGEST_PATH)
  const near = findNearPath(path)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  const dashboard = hasDashboard ? ` The dashboard is at ${prefix}/__admin.` : ''
  return `No endpoint matches ${path}.${hint} Paths start with /{projectKey}/resource, tokens come from /oauth/token.${dashboard}`
}

/**
 * Shows a browser that opens the mock's address where to go.
 *
 * @throws {Problem} 404 for every other path that no route matches.
 */
export async function respondToUnknownPath(context: RequestContext, hasDashboard: boolean): Promise<Response> {
  const { method, origin, address, request } = context
  const isRead = method === 'GET' || method === 'HEAD'
  if (address.path !== '/' || !isRead || !wantsPage(request.headers)) {
    throw problem.notFound(toNoSuchPath(address, hasDashboard))
  }
  context.isRecorded = true
  return respond(context, await toWelcomePage({ origin, prefix: address.prefix, hasDashboard }))
}
