import { auth } from 'hono/utils/basic-auth'
import { Problem, problem } from '../../errors.ts'
import type { ErrorItem } from '../../errors.ts'
import { toChoice } from '../../util/did-you-mean.ts'
import { utf8, readBytes } from '../http/body.ts'
import { MAX_BYTES } from '../http/sizes.ts'
import { covers, EVERY_SCOPE, isFullScope, toExpiry, createJudge } from './authenticate.ts'
import { LIFETIMES } from './tokens.ts'
import type { IssuedToken, TokenService } from './tokens.ts'
import type { AuthMode } from './authenticate.ts'
import { Hono } from 'hono'
import type { Context, Env } from 'hono'
import { isPreflight } from '../http/cors.ts'
import { expectEncodedParameters } from '../http/request-head.ts'
import { addRoutes } from '../http/routes.ts'
import type { Routes } from '../http/routes.ts'

/**
 * Authenticates the client of a token endpoint and returns its id.
 *
 * @throws {Problem} 401 invalid_client for missing or wrong credentials; 400 for credentials sent in two ways.
 */
export type ClientAuthenticator = (request: Request, parameters: OAuthParameters) => string

interface Credentials {
  readonly id: string
  readonly secret: string
}

const invalidRequest = (sentence: string): Problem => problem.oauth(400, 'invalid_request', sentence)
const invalidClient = (sentence: string): Problem => problem.oauth(401, 'invalid_client', sentence)

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Reads HTTP Basic credentials, or those of the form (RFC 6749, section 2.3.1). */
function findCredentials(request: Request, parameters: OAuthParameters): Credentials | undefined {
  const id = parameters.get('client_id')
  const secret = parameters.get('client_secret')
  if (!request.headers.has('Authorization')) return id === undefined ? undefined : { id, secret: secret ?? '' }
  if (secret !== undefined) {
    throw invalidRequest(
      'The client secret is sent twice, in HTTP Basic and as "client_secret". Remove one of them (RFC 6749, section 2.3).',
    )
  }
  const basic = auth(request)
  return basic === undefined || basic.username === '' ? undefined : { id: basic.username, secret: basic.password }
}

/** Creates a client authenticator that accepts any id and secret, or only `clients` in the form `id:secret` (D31). */
export function createClientAuthenticator(clients: readonly string[] = []): ClientAuthenticator {
  const isAccepted = ({ id, secret }: Credentials): boolean =>
    clients.length === 0 || clients.includes(`${id}:${secret}`)

  return (request, parameters) => {
    const credentials = findCredentials(request, parameters)
    if (credentials === undefined) {
      throw invalidClient(
        'The client id is missing. Send the client id and secret in HTTP Basic (curl --user id:secret), or as "client_id" and "client_secret" in the form.',
      )
    }
    // RFC 6749, section 2.3.1 requires form-encoding before the Basic encoding, but many clients skip it.
    const decoded = { id: decodeForm(credentials.id), secret: decodeForm(credentials.secret) }
    const accepted = [credentials, decoded].find(isAccepted)
    if (accepted !== undefined) return accepted.id
    throw invalidClient(
      `The client ${JSON.stringify(credentials.id)} is unknown, or its secret is wrong. Use a client that the mock was started with: --client id:secret.`,
    )
  }
}

/** Parameters of a token endpoint, by name. */
export type OAuthParameters = ReadonlyMap<string, string>

/** The media type of forms (RFC 6749, section 3.2). */
const FORM_TYPE = 'application/x-www-form-urlencoded'

function parseForm(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidRequest(`The form is not valid UTF-8. Send it as ${FORM_TYPE}.`)
  }
}

/** Collects parameters. Repeated ones are rejected, and those without a value are omitted (RFC 6749, section 3.2). */
function parseOAuthParameters(text: string, place: 'query' | 'form'): OAuthParameters {
  expectEncodedParameters(text, place)
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name))
      throw invalidRequest(`The parameter ${JSON.stringify(name)} is repeated in the ${place}. Send it once.`)
    parameters.set(name, value)
  }
  for (const [name, value] of parameters) if (value === '') parameters.delete(name)
  return parameters
}

/**
 * Returns a required parameter.
 *
 * @throws {Problem} 400 invalid_request if it is missing.
 */
export function expectParameter(parameters: OAuthParameters, name: string): string {
  const value = parameters.get(name)
  if (value !== undefined) return value
  throw invalidRequest(`The parameter "${name}" is missing. Send it in the form (${FORM_TYPE}) or the query.`)
}

/** A successful response of a token endpoint (RFC 6749, section 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
}

interface TokenRequest {
  readonly parameters: OAuthParameters
  readonly clientId: string
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Handles requests with one grant type.
 *
 * @throws {Problem} 400 with an error code of RFC 6749, section 5.2.
 */
export type GrantType = (request: TokenRequest) => Promise<TokenAnswer>

/** The requested scopes without duplicates; undefined if there are none. */
function findRequestedScopes(parameters: OAuthParameters): readonly string[] | undefined {
  const requested = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const wrong = requested.find((scope) => !isFullScope(scope))
  if (wrong !== undefined) {
    throw problem.oauth(
      400,
      'invalid_scope',
      `Invalid scope ${JSON.stringify(wrong)}. Use the form name:projectKey, such as view_test:acme or manage_project:*, and separate scopes with spaces.`,
    )
  }
  return requested.length === 0 ? undefined : [...new Set(requested)]
}

const toInvalidGrant = (what: string) => problem.oauth(400, 'invalid_grant', `${what} Sign in again to get a new one.`)

/** Creates the supported grant types (D31). */
export function createGrantTypes(tokens: TokenService) {
  async function issueAccess(
    scopes: readonly string[],
    { clientId, now }: Pick<TokenRequest, 'clientId' | 'now'>,
  ): Promise<TokenAnswer> {
    return {
      access_token: await tokens.issue({ scopes, clientId, kind: 'access' }, now),
      token_type: 'Bearer',
      expires_in: LIFETIMES.access,
      scope: scopes.join(' '),
    }
  }

  /** Issues a token to the client itself. */
  const clientCredentials: GrantType = (request) =>
    issueAccess(findRequestedScopes(request.parameters) ?? [EVERY_SCOPE], request)

  /** Issues a token for an anonymous visitor, with a refresh token. */
  const anonymous: GrantType = async (request) => {
    const { parameters, clientId, now } = request
    const scopes = findRequestedScopes(parameters) ?? [EVERY_SCOPE]
    const answer = await issueAccess(scopes, request)
    return { ...answer, refresh_token: await tokens.issue({ scopes, clientId, kind: 'refresh' }, now) }
  }

  /** Accepts any username and password, because the mock has no customers. */
  const password: GrantType = async (request) => {
    expectParameter(request.parameters, 'username')
    expectParameter(request.parameters, 'password')
    return anonymous(request)
  }

  async function expectRefreshToken({ parameters, clientId, now }: TokenRequest): Promise<IssuedToken> {
    const verification = await tokens.verify(expectParameter(parameters, 'refresh_token'))
    if (verification.kind !== 'issued' || verification.token.kind !== 'refresh')
      throw toInvalidGrant('The parameter "refresh_token" is not a refresh token issued by this mock.')
    const { token } = verification
    if (token.clientId !== clientId) throw toInvalidGrant('The refresh token was issued to another client.')
    if (now >= token.expiresAt)
      throw toInvalidGrant(`The refresh token expired at ${new Date(token.expiresAt).toISOString()}.`)
    return token
  }

  /**
   * Issues a token with the same or fewer scopes (RFC 6749, section 6). The refresh token stays valid, so no new one is
   * returned.
   */
  const refreshToken: GrantType = async (request) => {
    const { scopes: granted } = await expectRefreshToken(request)
    const requested = findRequestedScopes(request.parameters) ?? granted
    const held = new Set(granted)
    const wider = requested.find((scope) => !covers(held, scope))
    if (wider === undefined) return issueAccess(requested, request)
    throw problem.oauth(
      400,
      'invalid_scope',
      `The scope ${JSON.stringify(wider)} was not granted with the refresh token. Request some of: ${granted.join(' ')}.`,
    )
  }

  return { clientCredentials, refreshToken, anonymous, password }
}

/** A response of RFC 7662, section 2.2. For invalid tokens, it contains nothing else. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly scope: string
      /** Epoch seconds; absent if the token does not expire. */
      readonly exp?: number
      /** Absent for tokens not issued by the mock. */
      readonly client_id?: string
      readonly token_type: 'Bearer'
    }

/**
 * Creates token introspection. A token is active if an endpoint would currently accept it as a bearer token. Tokens that
 * list scopes are always active with these scopes; refresh tokens never are. Unknown tokens are active with
 * `manage_project:*` under `lenient` and `off`, but not under `strict`.
 */
export function createIntrospection(mode: AuthMode, tokens: TokenService) {
  const judge = createJudge(mode, tokens)

  return async (token: string, now: number): Promise<Introspection> => {
    const verdict = await judge(token)
    if (verdict.kind === 'refused' || now >= toExpiry(verdict.grant)) return { active: false }
    const { grant, clientId } = verdict
    const expiry = toExpiry(grant)
    return {
      active: true,
      scope: grant.kind === 'scopes' ? [...grant.scopes].join(' ') : EVERY_SCOPE,
      ...(expiry === Infinity ? {} : { exp: expiry / 1000 }),
      ...(clientId === undefined ? {} : { client_id: clientId }),
      token_type: 'Bearer',
    }
  }
}

/** Responses with tokens must not be cached (RFC 6749, section 5.1). */
const TOKEN_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
}

type TokenHandler<E extends Env> = (c: Context<E>) => Promise<object>

type GrantTypes = Readonly<Record<string, GrantType>>

function expectGrantType(grantTypes: GrantTypes, name: string, path: string): GrantType {
  const grantType = Object.hasOwn(grantTypes, name) ? grantTypes[name] : undefined
  if (grantType !== undefined) return grantType
  const offered = toChoice(Object.keys(grantTypes))
  throw problem.oauth(
    400,
    'unsupported_grant_type',
    `The grant type ${JSON.stringify(name)} is not supported at ${path}. Use grant_type=${offered}.`,
  )
}

/**
 * Creates the token endpoints (D31), to be mounted at the root. Throws problems for the app to render.
 *
 * @param options.clock returns epoch milliseconds for a request's context
 * @param options.clients in the form `id:secret`; default: any client
 * @param options.mode how introspection checks tokens; default `lenient`
 * @example app.route('/', createOAuth({ tokens, clock, clients: ['shop:s3cret'] }))
 */
export function createOAuth<E extends Env>(parts: {
  readonly tokens: TokenService
  readonly clock: (c: Context<E>) => number
  readonly clients?: readonly string[] | undefined
  readonly mode?: AuthMode
}): Hono<E> {
  const { tokens, clock, clients, mode = 'lenient' } = parts
  const app = new Hono<E>()
  const authenticateClient = createClientAuthenticator(clients)
  const introspect = createIntrospection(mode, tokens)
  const { clientCredentials, refreshToken, anonymous, password } = createGrantTypes(tokens)

  async function readRequest(c: Context<E>) {
    const { raw } = c.req
    // Reads the form whatever its Content-Type (D31); it takes precedence over the query.
    const form = parseForm(await readBytes(raw, MAX_BYTES.form))
    const query = new URL(raw.url).search
    const parameters = new Map([...parseOAuthParameters(query, 'query'), ...parseOAuthParameters(form, 'form')])
    return { parameters, clientId: authenticateClient(raw, parameters), now: clock(c) }
  }

  const offer =
    (grantTypes: GrantTypes): TokenHandler<E> =>
    async (c) => {
      const request = await readRequest(c)
      return expectGrantType(grantTypes, expectParameter(request.parameters, 'grant_type'), c.req.path)(request)
    }

  const routes: Routes<TokenHandler<E>> = {
    'POST /oauth/token': offer({ client_credentials: clientCredentials, refresh_token: refreshToken }),
    'POST /oauth/:projectKey/anonymous/token': offer({ client_credentials: anonymous }),
    'POST /oauth/:projectKey/customers/token': offer({ password }),
    'POST /oauth/introspect': async (c) => {
      const { parameters, now } = await readRequest(c)
      return introspect(expectParameter(parameters, 'token'), now)
    },
  }
  addRoutes(
    app,
    routes,
    async (handle, c) => c.body(JSON.stringify(await handle(c)), 200, TOKEN_HEADERS),
    (c, allowed, next) => {
      // Preflights are handled by the app, as for all other paths.
      if (isPreflight(c.req.raw)) return next()
      throw problem.methodNotAllowed(c.req.method, c.req.path, allowed)
    },
  )
  return app
}

/** Codes of OAuth errors are in lower case, unlike those of the service. */
const OAUTH_CODE = /^[a-z_]+$/

/** The members of an OAuth error (RFC 6749, section 5.2), which errors of the token endpoints also have (D31). */
export const toOAuthMembers = (status: number, { code, message }: Pick<ErrorItem, 'code' | 'message'>) => ({
  error: OAUTH_CODE.test(code) ? code : status >= 500 ? 'server_error' : 'invalid_request',
  error_description: message,
})

/** Adds the members of an OAuth error to any problem at a token endpoint. */
export function toOAuthProblem(found: Problem): Problem {
  const { status, errors, headers, members } = found
  if (members['error'] !== undefined) return found
  return new Problem({ status, errors, headers, members: { ...members, ...toOAuthMembers(status, errors[0]) } })
}
