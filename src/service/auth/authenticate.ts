import { problem } from '../../errors.ts'
import { BoundedMap, memoize } from '../../util/collections.ts'
import type { Endpoint, ScopeName } from '../contract/endpoint.ts'
import type { TokenService, Verification } from './tokens.ts'

/**
 * The permissions of a token: everything, or certain full scopes such as `manage_test:acme`. `expiresAt` is in epoch
 * milliseconds; if absent, the grant does not expire. `warning` says why the token looks like a mistake.
 */
export type Grant =
  | { readonly kind: 'everything'; readonly warning?: string }
  | { readonly kind: 'scopes'; readonly scopes: ReadonlySet<string>; readonly expiresAt?: number }

/** When a grant expires, in epoch milliseconds (RFC 7519, section 4.1.4); Infinity if it does not. */
export const toExpiry = (grant: Grant): number => (grant.kind === 'scopes' ? (grant.expiresAt ?? Infinity) : Infinity)

/** The grant of a client whose scopes are not checked (D32). */
export const EVERYTHING: Grant = { kind: 'everything' }

/** The default scope of a token: every scope of every project (D31). */
export const EVERY_SCOPE = 'manage_project:*'

/** A name, a colon, and a project key or `*`, using the characters of RFC 6749, section 3.3, except comma and colon. */
const FULL_SCOPE = /^[\w-]+:[!#-+\--9;-[\]-~]+$/

/** Whether a text is a full scope, such as `view_test:acme` or `view_test:*`. */
export const isFullScope = (text: string): boolean => FULL_SCOPE.test(text)

/**
 * Parses a token that lists its scopes, such as `view_test:acme,manage_products:acme` (D32); undefined for other tokens.
 */
export function findSpelledScopes(token: string): ReadonlySet<string> | undefined {
  const scopes = token.split(',')
  return scopes.every(isFullScope) ? new Set(scopes) : undefined
}

/** The full scopes of a project by name. Joining and hashing them for each request would take 1 % of a GET's instructions. */
const toProjectScope = memoize((projectKey) => memoize((name) => `${name}:${projectKey}`))

const holds = (held: ReadonlySet<string>, name: string, projectKey: string): boolean =>
  held.has(toProjectScope(projectKey)(name)) || held.has(toProjectScope('*')(name))

/** Whether scopes include `manage_project` for a project, which implies all others (D30). */
const holdsProject = (held: ReadonlySet<string>, projectKey: string): boolean =>
  holds(held, 'manage_project', projectKey)

/**
 * Whether a grant allows access to an endpoint of a project, by one of the endpoint's scopes or by `manage_project` (D30).
 * Does not check the expiry; the authenticator does.
 *
 * @example admits({ kind: 'scopes', scopes: new Set(['view_test:acme']) }, ['manage_test', 'view_test'], 'acme') // true
 */
export function admits(grant: Grant, scopes: Endpoint['scopes'], projectKey: string): boolean {
  if (grant.kind === 'everything' || scopes === 'anyToken' || holdsProject(grant.scopes, projectKey)) return true
  for (const name of scopes) if (holds(grant.scopes, name, projectKey)) return true
  return false
}

/** Whether scopes include a full scope or imply it: `manage_project:*` covers `view_test:acme`. */
export function covers(held: ReadonlySet<string>, scope: string): boolean {
  const colon = scope.indexOf(':')
  const projectKey = scope.slice(colon + 1)
  return holds(held, scope.slice(0, colon), projectKey) || holdsProject(held, projectKey)
}

/** Binds scopes to a project, as in section 5 of the specification: `manage_test:{projectKey}`. */
export const toFullScopes = (scopes: readonly ScopeName[], projectKey: string): string[] =>
  scopes.map(toProjectScope(projectKey))

/** Whether a grant has one of the endpoint's scopes, not counting those dropped by a scenario. */
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
 * Checks that a grant has one of the endpoint's scopes, not counting those dropped by a scenario.
 *
 * @throws {Problem} 401 if a scenario expired the token, 403 if it lacks the scopes.
 */
export function authorize(
  grant: Grant,
  { scopes }: Endpoint,
  projectKey: string,
  { isTokenExpired, droppedScopes }: { readonly isTokenExpired: boolean; readonly droppedScopes: ReadonlySet<string> },
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

/** How strictly bearer tokens are checked (D32). */
export const authModes = ['off', 'lenient', 'strict'] as const
export type AuthMode = (typeof authModes)[number]

/** The grant of a token, or the reason why it was rejected. The expiry is checked separately. */
export type TokenVerdict =
  | { readonly kind: 'granted'; readonly grant: Grant; readonly clientId?: string }
  | { readonly kind: 'refused'; readonly reason: string }

export type Judge = (token: string) => Promise<TokenVerdict>

const refusedToken = (reason: string): TokenVerdict => ({ kind: 'refused', reason })

const MALFORMED_TOKEN = refusedToken(
  'The bearer token is empty or contains whitespace. Send one token. Separate scopes with commas only: "Authorization: Bearer view_test:acme,manage_products:acme".',
)
const REFRESH = refusedToken(
  'This is a refresh token, which endpoints do not accept. Exchange it for an access token at POST /oauth/token with grant_type=refresh_token.',
)
const FORGED = refusedToken(
  'The token looks like one issued by this mock, but its signature is invalid: it was changed, or signed with another secret. Get a new one from POST /oauth/token. Use --token-secret to keep tokens valid when the mock restarts.',
)
const UNKNOWN = refusedToken(
  'The token was not issued by this mock, and --auth strict is set. Get one from POST /oauth/token, or send a list of scopes as the token: "Authorization: Bearer view_test:{projectKey}".',
)
/** What a variable without a token becomes as text. `[object Promise]` is one that was not awaited. */
const UNSET = /^(?:undefined|null|NaN|None|nil|\[object ?\w+\])$/
/** A placeholder of an example or a template. */
const UNFILLED = /^(?:<.*>|\$?\{.*\}|%7B.*%7D)$/i

/** Describes a token that only a bug sends; undefined for any other token. */
function describeMistake(token: string): string | undefined {
  if (UNSET.test(token)) return `The bearer token is "${token}". Set the token before the request is sent.`
  return UNFILLED.test(token) ? 'The bearer token is a placeholder. Replace it with a token.' : undefined
}

const UNRESTRICTED: TokenVerdict = { kind: 'granted', grant: EVERYTHING }

/**
 * Creates a function that checks bearer tokens (D32). Modes only differ for tokens that were neither issued by the mock nor
 * list scopes: `strict` rejects them, the others grant everything.
 */
export function createJudge(mode: AuthMode, tokens: TokenService): Judge {
  function toVerdict(verification: Verification): TokenVerdict {
    if (verification.kind === 'forged') return FORGED
    if (verification.kind === 'foreign') return mode === 'strict' ? UNKNOWN : UNRESTRICTED
    const { kind, scopes, clientId, expiresAt } = verification.token
    if (kind === 'refresh') return REFRESH
    return { kind: 'granted', clientId, grant: { kind: 'scopes', scopes: new Set(scopes), expiresAt } }
  }

  return async (token) => {
    const warning = mode === 'strict' ? undefined : describeMistake(token)
    if (warning !== undefined) return { kind: 'granted', grant: { kind: 'everything', warning } }
    if (!/^\S+$/.test(token)) return MALFORMED_TOKEN
    const scopes = findSpelledScopes(token)
    if (scopes !== undefined) return { kind: 'granted', grant: { kind: 'scopes', scopes } }
    return toVerdict(await tokens.verify(token))
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/** Maximum number of headers with a cached verdict, so that signatures are verified only once. */
const MOST_VERDICTS = 1000

/** The beginning of a 401 without a usable token: what to send. With `off` there is none. */
const TOKEN_REMEDIES: Readonly<Record<AuthMode, string>> = {
  off: '',
  lenient: 'Any token works here: Authorization: Bearer any.',
  strict: 'Send "Authorization: Bearer <token>" with a token from POST /oauth/token.',
}

/** The scheme name is case-insensitive (RFC 9110, section 11.1). */
const BEARER = /^Bearer(?: +(.*))?$/is

/**
 * Creates an authenticator (D32).
 *
 * @example
 * const { authenticate } = createAuthenticator({ mode: 'lenient', tokens, clock })
 * const grant = await authenticate('Bearer view_test:acme', 'acme')
 */
export function createAuthenticator(parts: {
  readonly mode: AuthMode
  readonly tokens: TokenService
  /** Epoch milliseconds. */
  readonly clock: () => number
}) {
  const { mode, tokens, clock } = parts
  const judge = createJudge(mode, tokens)
  // Does not quote the header, because even a malformed one may contain a secret.
  const notBearer = refusedToken(`${TOKEN_REMEDIES[mode]} The Authorization header does not use the Bearer scheme.`)
  const verdicts = new BoundedMap<string, TokenVerdict>(MOST_VERDICTS)
  /** Most requests have the header of the previous one. A map would hash it for each of them: 2 % of a GET's instructions. */
  let latest: { readonly authorization: string; readonly verdict: TokenVerdict } | undefined

  async function findVerdict(authorization: string): Promise<TokenVerdict> {
    const known = verdicts.get(authorization)
    if (known !== undefined) return known
    const credentials = BEARER.exec(authorization)
    const verdict = credentials === null ? notBearer : await judge(credentials[1] ?? '')
    verdicts.set(authorization, verdict)
    return verdict
  }

  function toGrant(verdict: TokenVerdict, projectKey: string, now: number): Grant {
    if (verdict.kind === 'refused') throw problem.invalidToken(projectKey, verdict.reason)
    const { grant } = verdict
    const expiry = toExpiry(grant)
    if (now >= expiry)
      throw problem.invalidToken(
        projectKey,
        `The token expired at ${new Date(expiry).toISOString()}. Get a new one from POST /oauth/token.`,
      )
    return grant
  }

  /** Returns the grant for a header that the previous request had, too; undefined for any other. */
  function findGrant(authorization: string | undefined, projectKey: string, now: number): Grant | undefined {
    if (mode === 'off') return EVERYTHING
    if (latest === undefined || latest.authorization !== authorization) return undefined
    return toGrant(latest.verdict, projectKey, now)
  }

  /**
   * Returns the grant for an `Authorization` header.
   *
   * @param now epoch milliseconds; default: the authenticator's clock
   * @throws {Problem} 401 with the reason and a remedy.
   */
  async function authenticate(authorization: string | undefined, projectKey: string, now = clock()): Promise<Grant> {
    const known = findGrant(authorization, projectKey, now)
    if (known !== undefined) return known
    if (authorization === undefined)
      throw problem.invalidToken(projectKey, `${TOKEN_REMEDIES[mode]} The request has no Authorization header.`)
    const verdict = await findVerdict(authorization)
    latest = { authorization, verdict }
    return toGrant(verdict, projectKey, now)
  }

  return { authenticate, findGrant }
}
