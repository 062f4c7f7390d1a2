import { auth } from 'hono/utils/basic-auth'
import { Problem, problem, SetupError } from '../errors.ts'
import { readBytes } from '../http/body.ts'
import { covers, EVERY_SCOPE, isFullScope, toExpiry, createJudge } from './authenticate.ts'
import { LIFETIMES } from './tokens.ts'
import type { IssuedToken, Tokens } from './tokens.ts'
import type { AuthMode } from './authenticate.ts'
import { Hono } from 'hono'
import type { Context, Env } from 'hono'
import { isPreflight } from '../http/cors.ts'
import { addRoutes } from '../http/routes.ts'
import type { Routes } from '../http/routes.ts'

/**
 * Returns the id of the client that sends a request to a token endpoint.
 *
 * @throws {Problem} 401 invalid_client without credentials or with wrong ones; 400 for credentials sent in two ways.
 */
export type ClientAuthenticator = (request: Request, parameters: OAuthParameters) => string

interface Credentials {
  readonly id: string
  readonly secret: string
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** HTTP Basic, or else the form (RFC 6749, section 2.3.1). */
function findCredentials(request: Request, parameters: OAuthParameters): Credentials | undefined {
  const id = parameters.get('client_id')
  const secret = parameters.get('client_secret')
  if (!request.headers.has('Authorization')) return id === undefined ? undefined : { id, secret: secret ?? '' }
  if (secret !== undefined) {
    throw problem.oauth(
      400,
      'invalid_request',
      'The client secret is sent twice, by HTTP Basic and as "client_secret". Leave out one of them (RFC 6749, section 2.3).',
    )
  }
  const basic = auth(request)
  return basic === undefined || basic.username === '' ? undefined : { id: basic.username, secret: basic.password }
}

/**
 * Creates the authenticator of clients: any id and secret, or only `clients`, written `id:secret` each (D31).
 *
 * @throws {SetupError} for a client that is not written so.
 */
export function createClientAuthenticator(clients: readonly string[] = []): ClientAuthenticator {
  for (const client of clients) {
    if (client.indexOf(':') > 0) continue
    throw new SetupError(`The client ${JSON.stringify(client)} must be written id:secret, such as shop:s3cret.`)
  }
  const isAdmitted = ({ id, secret }: Credentials): boolean =>
    clients.length === 0 || clients.includes(`${id}:${secret}`)

  return (request, parameters) => {
    const given = findCredentials(request, parameters)
    if (given === undefined) {
      throw problem.oauth(
        401,
        'invalid_client',
        'The client id is missing. Send the client id and secret by HTTP Basic (curl --user id:secret), or as "client_id" and "client_secret" in the form.',
      )
    }
    // RFC 6749, section 2.3.1 has them form-encoded before Basic encodes them; many clients leave that out.
    const decoded = { id: decodeForm(given.id), secret: decodeForm(given.secret) }
    const admitted = [given, decoded].find(isAdmitted)
    if (admitted !== undefined) return admitted.id
    throw problem.oauth(
      401,
      'invalid_client',
      `The client ${JSON.stringify(given.id)} is unknown, or its secret is wrong. Send an id and secret that the mock was started with: --client id:secret.`,
    )
  }
}

/** The parameters of a request to a token endpoint, by name. */
export type OAuthParameters = ReadonlyMap<string, string>

/** The largest form in bytes. */
const LIMIT = 65_536

/** The media type that the form of RFC 6749, section 3.2 has. */
const FORM_TYPE = 'application/x-www-form-urlencoded'

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseForm(bytes: Uint8Array): URLSearchParams {
  try {
    return new URLSearchParams(utf8.decode(bytes))
  } catch {
    throw problem.oauth(400, 'invalid_request', `The form is not valid UTF-8. Send it as ${FORM_TYPE}.`)
  }
}

/** Each parameter once; one without a value counts as omitted (RFC 6749, section 3.2). */
function toParameters(search: URLSearchParams, place: string): OAuthParameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of search) {
    if (parameters.has(name)) {
      throw problem.oauth(
        400,
        'invalid_request',
        `The parameter ${JSON.stringify(name)} occurs more than once in the ${place}. Send it once.`,
      )
    }
    parameters.set(name, value)
  }
  for (const [name, value] of parameters) if (value === '') parameters.delete(name)
  return parameters
}

/**
 * Reads parameters from the query and from the form, whatever its Content-Type (D31); the form wins.
 *
 * @throws {Problem} 400 for one that is given twice, 413 for a form of more than 64 KiB.
 */
export async function readOAuthParameters(request: Request): Promise<OAuthParameters> {
  const form = parseForm(await readBytes(request, LIMIT))
  const query = new URL(request.url).searchParams
  return new Map([...toParameters(query, 'query'), ...toParameters(form, 'form')])
}

/**
 * The value of a parameter that must be there.
 *
 * @throws {Problem} 400 invalid_request if it is not.
 */
export function expectParameter(parameters: OAuthParameters, name: string): string {
  const value = parameters.get(name)
  if (value !== undefined) return value
  throw problem.oauth(
    400,
    'invalid_request',
    `The parameter "${name}" is missing. Send it in the form (${FORM_TYPE}) or in the query.`,
  )
}

/** A successful answer of a token endpoint (RFC 6749, section 5.1). */
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
 * Turns a request of one grant type into tokens.
 *
 * @throws {Problem} 400 with an error code of RFC 6749, section 5.2.
 */
export type GrantType = (request: TokenRequest) => Promise<TokenAnswer>

/** The requested scopes, each once; undefined for none. */
function findAskedScopes(parameters: OAuthParameters): readonly string[] | undefined {
  const asked = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const wrong = asked.find((scope) => !isFullScope(scope))
  if (wrong !== undefined) {
    throw problem.oauth(
      400,
      'invalid_scope',
      `Invalid scope ${JSON.stringify(wrong)}. Write each as name:projectKey, such as view_test:acme or manage_project:*, separated by spaces.`,
    )
  }
  return asked.length === 0 ? undefined : [...new Set(asked)]
}

const toInvalidGrant = (what: string) => problem.oauth(400, 'invalid_grant', `${what} Sign in again for a new one.`)

/** Creates the grant types that the token endpoints offer (D31). */
export function createGrantTypes(tokens: Tokens) {
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

  /** A client's own token. */
  const clientCredentials: GrantType = (request) =>
    issueAccess(findAskedScopes(request.parameters) ?? [EVERY_SCOPE], request)

  /** A token of a returning visitor, with a refresh token. */
  const anonymous: GrantType = async (request) => {
    const { parameters, clientId, now } = request
    const scopes = findAskedScopes(parameters) ?? [EVERY_SCOPE]
    const answer = await issueAccess(scopes, request)
    return { ...answer, refresh_token: await tokens.issue({ scopes, clientId, kind: 'refresh' }, now) }
  }

  /** Any username and password will do: the mock knows no customers. */
  const password: GrantType = async (request) => {
    expectParameter(request.parameters, 'username')
    expectParameter(request.parameters, 'password')
    return anonymous(request)
  }

  async function expectRefreshToken({ parameters, clientId, now }: TokenRequest): Promise<IssuedToken> {
    const verification = await tokens.verify(expectParameter(parameters, 'refresh_token'))
    if (verification.kind !== 'issued' || verification.token.kind !== 'refresh') {
      throw toInvalidGrant('The parameter "refresh_token" is not a refresh token that this mock issued.')
    }
    const { token } = verification
    if (token.clientId !== clientId) throw toInvalidGrant('The refresh token was issued to another client.')
    if (now >= token.expiresAt) {
      throw toInvalidGrant(`The refresh token expired at ${new Date(token.expiresAt).toISOString()}.`)
    }
    return token
  }

  /** The same scopes or fewer (RFC 6749, section 6); the refresh token stays good, so none is answered. */
  const refreshToken: GrantType = async (request) => {
    const { scopes: granted } = await expectRefreshToken(request)
    const asked = findAskedScopes(request.parameters) ?? granted
    const held = new Set(granted)
    const wider = asked.find((scope) => !covers(held, scope))
    if (wider === undefined) return issueAccess(asked, request)
    throw problem.oauth(
      400,
      'invalid_scope',
      `The scope ${JSON.stringify(wider)} was not granted with the refresh token. Ask for some of: ${granted.join(' ')}.`,
    )
  }

  return { clientCredentials, refreshToken, anonymous, password }
}

/** An answer of RFC 7662, section 2.2; of a token that is not good it says no more than that. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly scope: string
      /** Seconds since 1970; absent if the token does not expire. */
      readonly exp?: number
      /** Absent for tokens that the mock did not issue. */
      readonly client_id?: string
      readonly token_type: 'Bearer'
    }

/**
 * Creates token introspection: a token is active if an endpoint would accept it as a bearer token now.
 * So a token that spells scopes is active with them in every mode, a refresh token never is, and an unknown token is
 * active for `manage_project:*` under `lenient` and `off`, but not under `strict`.
 */
export function createIntrospection(mode: AuthMode, tokens: Tokens) {
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

/** Nothing about tokens is cached (RFC 6749, section 5.1). */
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
}

type TokenHandler<E extends Env> = (c: Context<E>) => Promise<object>

type GrantTypes = Readonly<Record<string, GrantType>>

function expectGrantType(grantTypes: GrantTypes, name: string, path: string): GrantType {
  const grantType = Object.hasOwn(grantTypes, name) ? grantTypes[name] : undefined
  if (grantType !== undefined) return grantType
  const offered = Object.keys(grantTypes).join(' or ')
  throw problem.oauth(
    400,
    'unsupported_grant_type',
    `The grant type ${JSON.stringify(name)} is not supported at ${path}. Send grant_type=${offered}.`,
  )
}

/**
 * Creates the token endpoints (D31), to be mounted at the root. Problems are thrown for the app to render.
 *
 * @param options.clock returns epoch milliseconds at the request of a context
 * @param options.clients `id:secret` each; default: any client
 * @param options.mode how introspection judges tokens; default `lenient`
 * @throws {SetupError} for a client that is not written `id:secret`.
 * @example app.route('/', createOAuth({ tokens, clock, clients: ['shop:s3cret'] }))
 */
export function createOAuth<E extends Env>({
  tokens,
  clock,
  clients,
  mode = 'lenient',
}: {
  readonly tokens: Tokens
  readonly clock: (c: Context<E>) => number
  readonly clients?: readonly string[] | undefined
  readonly mode?: AuthMode
}): Hono<E> {
  const app = new Hono<E>()
  const authenticateClient = createClientAuthenticator(clients)
  const introspect = createIntrospection(mode, tokens)
  const { clientCredentials, refreshToken, anonymous, password } = createGrantTypes(tokens)

  async function readRequest(c: Context<E>) {
    const { raw } = c.req
    const parameters = await readOAuthParameters(raw)
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
    async (handle, c) => c.body(JSON.stringify(await handle(c)), 200, HEADERS),
    (c, allowed, next) => {
      // A preflight is the app's to answer, as for every other path.
      if (isPreflight(c.req.raw)) return next()
      throw problem.methodNotAllowed(c.req.method, c.req.path, allowed)
    },
  )
  return app
}

/** An error of a token endpoint, in OAuth's words too (RFC 6749, section 5.2), whatever was wrong with the request (D31). */
export function toOAuthProblem(found: Problem): Problem {
  const { status, errors, headers, members, message } = found
  if (members['error'] !== undefined) return found
  const error = status >= 500 ? 'server_error' : 'invalid_request'
  return new Problem({ status, errors, headers, members: { ...members, error, error_description: message } })
}
