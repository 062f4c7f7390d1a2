import type { Endpoint, ScopeName } from '../contract/endpoint.ts'
import { problem } from '../errors.ts'

/**
 * The permissions of a token: everything, or its full scopes (`manage_test:acme`).
 * `expiresAt` is in epoch milliseconds; absent, the grant does not end.
 */
export type Grant =
  | { readonly kind: 'everything' }
  | { readonly kind: 'scopes'; readonly scopes: ReadonlySet<string>; readonly expiresAt?: number }

/** The first moment, in epoch milliseconds, at which a grant admits to nothing (RFC 7519, section 4.1.4); Infinity for none. */
export const toExpiry = (grant: Grant): number => (grant.kind === 'scopes' ? (grant.expiresAt ?? Infinity) : Infinity)

/** The grant of a client that is not held to scopes (D32). */
export const EVERYTHING: Grant = { kind: 'everything' }

/** The scope of a token for which none was asked: every scope of every project (D31). */
export const EVERY_SCOPE = 'manage_project:*'

/** A name, a colon, and a project key or `*`: what a scope-token may hold (RFC 6749, section 3.3), less comma and colon. */
const FULL_SCOPE = /^[\w-]+:[!#-+\--9;-[\]-~]+$/

/** Whether a text is a full scope, such as `view_test:acme` or `view_test:*`. */
export const isFullScope = (text: string): boolean => FULL_SCOPE.test(text)

/** The scopes that a token spells out, such as `view_test:acme,manage_products:acme` (D32); undefined for other tokens. */
export function findSpelledScopes(token: string): ReadonlySet<string> | undefined {
  const scopes = token.split(',')
  return scopes.every(isFullScope) ? new Set(scopes) : undefined
}

const holds = (held: ReadonlySet<string>, name: string, projectKey: string): boolean =>
  held.has(`${name}:${projectKey}`) || held.has(`${name}:*`)

/** Whether scopes imply all of a project (D30). */
const holdsProject = (held: ReadonlySet<string>, projectKey: string): boolean =>
  holds(held, 'manage_project', projectKey)

/**
 * Whether a grant admits to an endpoint of a project: by one of the endpoint's scopes, or by `manage_project` (D30).
 * When the grant ends is the authenticator's concern, not asked here.
 *
 * @example admits({ kind: 'scopes', scopes: new Set(['view_test:acme']) }, ['manage_test', 'view_test'], 'acme') // true
 */
export function admits(grant: Grant, scopes: Endpoint['scopes'], projectKey: string): boolean {
  if (grant.kind === 'everything' || scopes === 'anyToken' || holdsProject(grant.scopes, projectKey)) return true
  for (const name of scopes) if (holds(grant.scopes, name, projectKey)) return true
  return false
}

/** Whether scopes held include a full scope, be it by a wider one: `manage_project:*` covers `view_test:acme`. */
export function covers(held: ReadonlySet<string>, scope: string): boolean {
  const colon = scope.indexOf(':')
  const projectKey = scope.slice(colon + 1)
  return holds(held, scope.slice(0, colon), projectKey) || holdsProject(held, projectKey)
}

/** Binds scopes to a project, as the specification's section 5 writes them: `manage_test:{projectKey}`. */
export const toFullScopes = (scopes: readonly ScopeName[], projectKey: string): string[] =>
  scopes.map((name) => `${name}:${projectKey}`)

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

/** Effects of scenarios on the token of a request. */
interface TokenEffects {
  readonly isTokenExpired: boolean
  readonly droppedScopes: ReadonlySet<string>
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
  { isTokenExpired, droppedScopes }: TokenEffects,
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
