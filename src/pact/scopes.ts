import { endpoints } from '../contract/endpoints.ts'
import type { Endpoint, ScopeName } from '../contract/endpoint.ts'
import type { ReadExchange } from './exchange.ts'

/** Whether the request was refused for its token, rather than by a scenario. */
export const isRefusedFor = (status: 401 | 403, { entry }: ReadExchange): boolean =>
  entry.response.status === status && entry.scenarios.length === 0

function chooseScope({ scopes }: Endpoint, isRefused: boolean): ScopeName {
  if (scopes === 'anyToken') return 'view_test'
  const isRead = scopes.includes('view_test')
  if (isRefused) return isRead ? 'manage_products' : 'view_test'
  return isRead ? 'view_test' : scopes[0]
}

/**
 * The scopes of the token that an exchange has to be sent with: the least that suffices, or, where it was answered with 403,
 * one that does not. Where it was answered with 401, no token does.
 */
export function toTokenScopes(exchange: ReadExchange): readonly string[] {
  if (isRefusedFor(401, exchange)) return []
  const { projectKey = '' } = exchange.parameters
  return [`${chooseScope(endpoints[exchange.operation], isRefusedFor(403, exchange))}:${projectKey}`]
}
