import { Problem } from '../errors.ts'
import { wantsPage } from '../http/accept.ts'
import type { RequestContext } from '../pipeline/request-context.ts'

/**
 * Shows a browser what was wrong with its request: a page with a way on, which asks for the token where that would help.
 * Undefined for a client that wants JSON.
 */
export async function refusePage(fault: unknown, context: RequestContext): Promise<Response | undefined> {
  if (!(fault instanceof Problem) || !wantsPage(context.request.headers)) return undefined
  const { renderFault } = await import('./fault-page.tsx')
  return renderFault(fault, context)
}
