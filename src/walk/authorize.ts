import { admits, toFullScopes } from '../auth/scopes.ts'
import type { Grant } from '../auth/scopes.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { problem } from '../errors.ts'
import { NO_EFFECTS } from '../scenarios/effects.ts'
import type { Effects } from '../scenarios/effects.ts'

/**
 * Holds a grant to the scopes that the endpoint accepts, less those that a scenario dropped.
 *
 * @throws {Problem} 401 for a token that a scenario let expire, 403 for one that lacks the scopes.
 */
export type Authorize = (grant: Grant, endpoint: Endpoint, projectKey: string, effects: Effects) => void

export function createAuthorize(): Authorize {
  /** What was admitted last: most requests ask for what the one before was given. */
  let latest: { readonly grant: Grant; readonly endpoint: Endpoint; readonly projectKey: string } | undefined

  return function authorize(grant, endpoint, projectKey, effects) {
    const isKnown = grant === latest?.grant && endpoint === latest.endpoint && projectKey === latest.projectKey
    if (isKnown && effects === NO_EFFECTS) return
    hold(grant, endpoint, projectKey, effects)
    if (effects === NO_EFFECTS) latest = { grant, endpoint, projectKey }
  }
}

function hold(
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
  if (scopes === 'anyToken') return
  if (droppedScopes.size === 0) {
    if (admits(grant, scopes, projectKey)) return
  } else if (!droppedScopes.has('*')) {
    const [first, ...others] = scopes.filter((scope) => !droppedScopes.has(scope))
    if (first !== undefined && admits(grant, [first, ...others], projectKey)) return
  }
  throw problem.insufficientScope(projectKey, toFullScopes(scopes, projectKey))
}
