import { ADMIN_PATH, isAdminRoot } from '../admin/route.ts'
import { Problem } from '../errors.ts'
import type { Exchange } from '../walk/exchange.ts'
import { wantsPage } from './wants-page.ts'

/**
 * Tells a browser that may not see the dashboard what to do about it: a page that asks for the token, where that would
 * help. Whoever wants no page gets the same in JSON.
 */
export async function refusePage({ request, address }: Exchange, fault: unknown): Promise<Response | undefined> {
  if (!(fault instanceof Problem) || request.method !== 'GET') return undefined
  if (!isAdminRoot(address.path) || !wantsPage(request.headers)) return undefined
  const { renderSignIn } = await import('./sign-in.tsx')
  return renderSignIn(fault, `${address.prefix}${ADMIN_PATH}`)
}
