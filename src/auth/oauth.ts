import { Hono } from 'hono'
import type { Context, Env } from 'hono'
import { problem } from '../errors.ts'
import { isPreflight } from '../http/cors.ts'
import type { AuthMode } from './judge.ts'
import { createClientAuthenticator } from './clients.ts'
import { createGrantTypes } from './grants.ts'
import type { GrantType } from './grants.ts'
import { createIntrospection } from './introspection.ts'
import { expectParameter, readOAuthParameters } from './oauth-parameters.ts'
import type { Tokens } from './tokens.ts'

interface OAuthInit<E extends Env> {
  readonly tokens: Tokens
  /** Epoch milliseconds, at the request of a context. */
  readonly clock: (c: Context<E>) => number
  /** `id:secret` each; default: any client is admitted. */
  readonly clients?: readonly string[] | undefined
  /** What introspection judges tokens by. Default `lenient`. */
  readonly mode?: AuthMode
}

/** What answers with tokens, or of them, is kept by no cache (RFC 6749, section 5.1). */
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
}

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
 * Creates the token endpoints (D31), to be mounted at the root. What is wrong with a request is thrown, for the app to render.
 *
 * @throws {SetupError} for a client that is not written `id:secret`.
 * @example app.route('/', createOAuth({ tokens, clock, clients: ['shop:s3cret'] }))
 */
export function createOAuth<E extends Env>({ tokens, clock, clients, mode = 'lenient' }: OAuthInit<E>): Hono<E> {
  const app = new Hono<E>()
  const authenticateClient = createClientAuthenticator(clients)
  const introspect = createIntrospection({ mode, tokens })
  const { clientCredentials, refreshToken, anonymous, password } = createGrantTypes(tokens)

  async function readRequest(c: Context<E>) {
    const { raw } = c.req
    const parameters = await readOAuthParameters(raw)
    return { parameters, clientId: authenticateClient(raw, parameters), now: clock(c) }
  }

  const routes = new Map<string, (c: Context<E>) => Promise<object>>()
  function offer(path: string, grantTypes: GrantTypes): void {
    routes.set(path, async (c) => {
      const request = await readRequest(c)
      return expectGrantType(grantTypes, expectParameter(request.parameters, 'grant_type'), c.req.path)(request)
    })
  }

  offer('/oauth/token', { client_credentials: clientCredentials, refresh_token: refreshToken })
  offer('/oauth/:projectKey/anonymous/token', { client_credentials: anonymous })
  offer('/oauth/:projectKey/customers/token', { password })
  routes.set('/oauth/introspect', async (c) => {
    const { parameters, now } = await readRequest(c)
    return introspect(expectParameter(parameters, 'token'), now)
  })

  for (const [path, answer] of routes) {
    app.post(path, async (c) => c.body(JSON.stringify(await answer(c)), 200, HEADERS))
    app.all(path, (c, next) => {
      // A preflight is the app's to answer, as for every other path.
      if (isPreflight(c.req.raw)) return next()
      throw problem.methodNotAllowed(c.req.method, c.req.path, ['POST'])
    })
  }
  return app
}
