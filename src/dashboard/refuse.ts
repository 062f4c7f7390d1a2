import { Problem } from '../errors.ts'
import type { Exchange } from '../walk/exchange.ts'
import { wantsPage } from './wants-page.ts'

/**
 * Tells a browser what was wrong with a request to the admin API: a page with a way on, which asks for the token where
 * that would help. Other clients get the same in JSON.
 */
export async function refusePage(exchange: Exchange, fault: unknown): Promise<Response | undefined> {
  if (!(fault instanceof Problem) || !wantsPage(exchange.request.headers)) return undefined
  const { renderFault } = await import('./fault-page.tsx')
  return renderFault(fault, exchange)
}
