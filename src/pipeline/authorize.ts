import { admits, toFullScopes } from '../auth/scopes.ts'
import type { Grant } from '../auth/scopes.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { problem } from '../errors.ts'
import type { Effects } from '../scenarios/effects.ts'

/** Whether a grant has one of the scopes that an endpoint accepts, less those that a scenario dropped. */
function isAuthorized(
  grant: Grant,
  scopes: Exclude<Endpoint['scopes'], 'anyToken'>,
  projectKey: string,
  droppedScopes: ReadonlySet<string>,
): boolean {
  if (droppedScopes.size === 0) return admits(grant, scopes, projectKey)
  if (droppedScopes.has('*')) return false
  const [first, ...others] = scopes.filter((scope) => !droppedScopes.has(scope))
  return first !== undefined && admits(grant, [first, ...others], projectKey)
}

/**
 * Checks that a grant has one of the scopes that the endpoint accepts, less those that a scenario dropped.
 *
 * @throws {Problem} 401 for a token that a scenario let expire, 403 for one that lacks the scopes.
 */
export function authorize(
  grant: Grant,
  { scopes }: Endpoint,
  projectKey: string,
  { isTokenExpired, droppedScopes }: Effects,
): void {
  if (isTokenExpired) {
    throw problem.invalidToken(
      projectKey,
      'The token has expired. Get a new one from /oauth/token and send the request again.',
    )
  }
  if (scopes === 'anyToken' || isAuthorized(grant, scopes, projectKey, droppedScopes)) return
  throw problem.insufficientScope(projectKey, toFullScopes(scopes, projectKey))
}
