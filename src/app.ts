import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import type { Authenticator } from './auth/authenticate.ts'
import { admits, toFullScopes } from './auth/scopes.ts'
import type { Grant } from './auth/scopes.ts'
import type { OpenContext } from './context.ts'
import type { DecodeOptions } from './contract/decode.ts'
import type { Endpoint } from './contract/endpoint.ts'
import type { Answer } from './contract/handler.ts'
import { findPath, paths } from './contract/paths.ts'
import type { Path } from './contract/paths.ts'
import type { Direct } from './direct.ts'
import { problem } from './errors.ts'
import { createWarn, expectCorrelationId } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { isPreflight, toPreflightHeaders } from './http/cors.ts'
import type { CorsPolicy } from './http/cors.ts'
import type { Perform } from './perform.ts'
import { endExchange, toFaultResponse, toResponse, withCommonHeaders } from './respond.ts'
import { UNBENT } from './scenarios/effects.ts'
import type { Bending } from './scenarios/effects.ts'
import { createServedMethods, readPath } from './served.ts'
import type { PathParameters, Served } from './served.ts'
import type { Session, Sessions } from './sessions.ts'


export interface Env {
  Bindings: { exchange: Exchange }
}

/** A sub-app, and the path that all of its own begin with. */
export interface Mounted {
  readonly path: `/${string}`
  readonly app: Hono<Env>
}

/** What the app is built from. */
export interface AppParts extends DecodeOptions {
  readonly sessions: Sessions
  readonly direct: Direct
  /** Waits as long as the request, the scenarios and the command line want. */
  readonly delay: (exchange: Exchange, milliseconds: number) => Promise<void>
  readonly authenticate: Authenticator
  readonly openContext: OpenContext
  readonly perform: Perform
  /** Beside the endpoint table: the token endpoints, the admin API. */
  readonly mounted: readonly Mounted[]
  readonly cors: CorsPolicy
  readonly onFault: (fault: unknown, correlationId: string) => void
}

/** Every method that a path may have. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The app of the mock: every endpoint of the table, and what is mounted beside them. */
export function createApp(parts: AppParts): Hono<Env> {
  const { cors } = parts
  const app = new Hono<Env>({ getPath: (_request, options) => options?.env?.exchange.address.path ?? '/' })

  /** The door: what every request must bring before anything else looks at it. */
  function admit(exchange: Exchange): Session {
    expectCorrelationId(exchange.request)
    return parts.sessions.enter(exchange.session)
  }

  /** The walk of one request, from its arrival to its answer. */
  async function walk(served: Served, exchange: Exchange, path: PathParameters): Promise<Response> {
    const { request, preferences } = exchange
    const { projectKey = '' } = path
    exchange.operation = served.id
    const session = admit(exchange)

    const cue = parts.direct(exchange, session, served, projectKey)
    const before = cue === undefined ? UNBENT : await cue('gateway')
    await parts.delay(exchange, before.delay)
    if (before.ending !== undefined) return endExchange(exchange, before.ending, before, cors)

    const grant = await parts.authenticate(request.headers.get('Authorization') ?? undefined, projectKey)
    authorize(grant, served.endpoint, projectKey, before)

    const warn = createWarn(exchange, parts.strict)
    const decoded = await served.decode(request, exchange.address.search, warn)
    const bending = cue === undefined ? UNBENT : await cue('operation', decoded.body)
    if (bending.ending?.kind === 'answer') return endExchange(exchange, bending.ending, before, cors)

    const context = await parts.openContext(exchange, projectKey, warn, bending)
    const { versionsAhead } = bending
    const answer = await parts.perform({ served, decoded, path, context, preferences, versionsAhead })
    const ending = bending.ending === undefined ? { kind: 'answer' as const, answer } : { ...bending.ending, answer }
    return endExchange(exchange, ending, before, cors)
  }

  function serve(path: Path): void {
    const served = createServedMethods(path, parts)
    // D24: a literal segment never falls through to a parameter, so each path answers for every method.
    for (const method of METHODS.filter((one) => one !== 'HEAD' && one !== 'OPTIONS')) {
      app.on(method, path.pattern, (c) => {
        // Hono dispatches HEAD to GET; the table may have an entry of its own for it.
        const one = served.get(c.req.method)
        if (one === undefined) throw problem.methodNotAllowed(c.req.method, c.env.exchange.address.path, path.allowed)
        return walk(one, c.env.exchange, readPath(path, c.req.param()))
      })
    }
  }

  /** What is mounted beside the table takes its own walk, between the same door and the same exit. */
  const surround: MiddlewareHandler<Env> = async (c, next) => {
    admit(c.env.exchange)
    await next()
    c.res = withCommonHeaders(c.env.exchange, c.res, cors)
  }

  for (const path of paths) serve(path)
  for (const { path, app: mounted } of parts.mounted) {
    app.use(`${path}/*`, surround)
    app.route('/', mounted)
  }
  app.notFound((c) => toResponse(c.env.exchange, answerUnmatched(c.env.exchange, cors), cors))
  app.onError((fault, c) => toFaultResponse(c.env.exchange, fault, parts))
  return app
}

/** Holds a grant to the scopes that the endpoint accepts, less those that a scenario dropped. */
function authorize(grant: Grant, { scopes }: Endpoint, projectKey: string, { isTokenExpired, droppedScopes }: Bending) {
  if (isTokenExpired) {
    throw problem.invalidToken(projectKey, 'The token has expired. Get a new one from /oauth/token and send the request again.')
  }
  if (scopes === 'anyToken') return
  const isDropped = (scope: string) => droppedScopes.has('*') || droppedScopes.has(scope)
  const accepted = droppedScopes.size === 0 ? scopes : scopes.filter((scope) => !isDropped(scope))
  const [first, ...others] = accepted
  if (first !== undefined && admits(grant, [first, ...others], projectKey)) return
  throw problem.insufficientScope(projectKey, toFullScopes(scopes, projectKey))
}

/** A preflight, a method that the path does not have, or a path that the service does not have (D24). */
function answerUnmatched({ request, address }: Exchange, cors: CorsPolicy): Answer {
  const path = findPath(address.path)
  const methods = path?.allowed ?? METHODS
  if (isPreflight(request)) return { status: 204, headers: toPreflightHeaders(cors, request, methods) }
  if (path === undefined) {
    throw problem.notFound(
      `The path ${address.path.slice(0, 500)} is none of this service. Its paths begin with /{projectKey}/resource; tokens come from /oauth/token.`,
    )
  }
  if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: methods.join(', ') } }
  throw problem.methodNotAllowed(request.method, address.path, methods)
}
