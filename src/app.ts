import { Hono } from 'hono'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { Authenticator } from './auth/authenticate.ts'
import { admits, toFullScopes } from './auth/scopes.ts'
import { createDecoder } from './contract/decode.ts'
import type { Decoded, Decoder } from './contract/decode.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { endpoints } from './contract/endpoints.ts'
import type { OperationId } from './contract/endpoints.ts'
import type { Answer, Input } from './contract/handler.ts'
import { findPath, paths } from './contract/paths.ts'
import type { Path } from './contract/paths.ts'
import { problem } from './errors.ts'
import { createWarn, expectCorrelationId } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { toBaseUrlName } from './http/address.ts'
import { isPreflight, toPreflightHeaders } from './http/cors.ts'
import type { CorsPolicy } from './http/cors.ts'
import { parseDelayHeader, wait } from './http/delay.ts'
import { operations } from './operations/operations.ts'
import type { Context, Operation } from './operations/operation.ts'
import type { Delay, Identity } from './options.ts'
import { toFaultResponse, toResponse, withCommonHeaders } from './respond.ts'
import type { Sessions } from './sessions.ts'
import type { Fixtures } from './state/fixtures.ts'
import type { Store } from './state/store.ts'

export interface Env {
  Bindings: { exchange: Exchange }
}

/** A sub-app, and the path that all of its own begin with. */
export interface Mounted {
  readonly path: `/${string}`
  readonly app: Hono<Env>
}

/** Every method that a path may have. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What the app is built from. */
export interface AppParts {
  readonly fixtures: Fixtures
  readonly store: Store
  readonly sessions: Sessions
  readonly authenticate: Authenticator
  /** Sub-apps beside the endpoint table: the token endpoints, the admin API. */
  readonly mounted: readonly Mounted[]
  readonly strict: boolean
  readonly identity: Identity
  readonly delay: Delay | undefined
  readonly cors: CorsPolicy
  readonly maxBody: number
  readonly now: () => string
  readonly newId: () => string
  /** A number of at least 0 and less than 1. */
  readonly random: () => number
  readonly onFault: (fault: unknown, correlationId: string) => void
}

interface Served {
  readonly id: OperationId
  readonly endpoint: Endpoint
  readonly decode: Decoder
  readonly handle: (input: Decoded & { path: Readonly<Record<string, string>> }, context: Context) => Answer
}

/** The app of the mock: every endpoint of the table, and what is mounted beside them. */
export function createApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>({ getPath: (_request, options) => options?.env?.exchange.address.path ?? '/' })

  /** What every request must bring before anything looks at it. */
  function admit(exchange: Exchange): void {
    expectCorrelationId(exchange.request)
    exchange.session = parts.sessions.enter(exchange.session).name
  }

  function createContext(exchange: Exchange, projectKey: string): Context {
    const { address, preferences } = exchange
    const prefix = `${address.prefix}/${encodeURIComponent(projectKey)}/resource/`
    return {
      project: parts.store.project(exchange.session, { baseUrl: toBaseUrlName(address.baseUrl), projectKey }),
      projectKey,
      fixtures: parts.fixtures,
      identity: preferences.get('identity') === 'body' ? 'body' : parts.identity,
      preferences,
      now: parts.now,
      newId: parts.newId,
      warn: createWarn(exchange, parts.strict),
      locate: ({ id }) => prefix + id,
    }
  }

  /** The walk of one request, from its arrival to its answer. */
  async function walk(served: Served, path: Path, c: HonoContext<Env>): Promise<Response> {
    const { exchange } = c.env
    const { request } = exchange
    exchange.operation = served.id
    admit(exchange)
    const parameters = readPath(path, c.req.param())
    const { projectKey = '' } = parameters
    await delay(exchange)

    const grant = await parts.authenticate(request.headers.get('Authorization') ?? undefined, projectKey)
    if (!admits(grant, served.endpoint.scopes, projectKey) && served.endpoint.scopes !== 'anyToken') {
      throw problem.insufficientScope(projectKey, toFullScopes(served.endpoint.scopes, projectKey))
    }

    const context = createContext(exchange, projectKey)
    const decoded = await served.decode(request, exchange.address.search, context.warn)
    const answer = served.handle({ ...decoded, path: parameters }, context)
    await parts.store.commit()
    return toResponse(exchange, withPreferences(answer, exchange), parts.cors)
  }

  async function delay({ request }: Exchange): Promise<void> {
    const asked = request.headers.get('X-Mock-Delay')
    const span = asked === null ? parts.delay : parseDelayHeader(asked)
    if (span !== undefined) await wait(span.from + (span.to - span.from) * parts.random(), request.signal)
  }

  for (const path of paths) {
    const served = new Map([...path.operations].map(([method, id]) => [method, createServed(id, parts)]))
    for (const [method, one] of served) {
      if (method === 'HEAD') continue
      // Hono dispatches HEAD to GET; the table may know better.
      const head = method === 'GET' ? (served.get('HEAD') ?? one) : one
      app.on(method, path.pattern, (c) => walk(c.req.method === 'HEAD' ? head : one, path, c))
    }
    // D24: a literal segment never falls through to a parameter, so each path answers for all methods.
    for (const method of METHODS) {
      if (path.allowed.includes(method) || method === 'HEAD') continue
      app.on(method, path.pattern, (c) => {
        throw problem.methodNotAllowed(c.req.method, c.env.exchange.address.path, path.allowed)
      })
    }
  }

  /** What is mounted beside the table takes its own walk, between the same door and the same exit. */
  const surround: MiddlewareHandler<Env> = async (c, next) => {
    admit(c.env.exchange)
    await next()
    c.res = withCommonHeaders(c.env.exchange, c.res, parts.cors)
  }
  for (const { path, app: mounted } of parts.mounted) {
    app.use(`${path}/*`, surround)
    app.route('/', mounted)
  }

  app.notFound((c) => toResponse(c.env.exchange, answerUnmatched(c.env.exchange, parts.cors), parts.cors))
  app.onError((fault, c) => toFaultResponse(c.env.exchange, fault, parts))
  return app
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

function createServed(id: OperationId, { strict, maxBody }: AppParts): Served {
  const endpoint: Endpoint = endpoints[id]
  const handle = operations[id] as Operation<OperationId>
  return {
    id,
    endpoint,
    decode: createDecoder(endpoint, { strict, maxBody }),
    // The decoder has held the input to the very entry of the table that its type is made from.
    handle: (input, context) => handle(input as unknown as Input<never>, context),
  }
}

/** Path parameters, without the literal text that stands before one in its segment. */
function readPath({ prefixes }: Path, raw: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = {}
  for (const name in raw) parameters[name] = (raw[name] ?? '').slice(prefixes[name]?.length ?? 0)
  return parameters
}

/** Names `identity=body` among the preferences that were applied (RFC 7240, section 3). */
function withPreferences(answer: Answer, { preferences }: Exchange): Answer {
  if (preferences.get('identity') !== 'body') return answer
  const applied = [answer.headers?.['Preference-Applied'], 'identity=body'].filter((one) => one !== undefined).join(', ')
  return { ...answer, headers: { ...answer.headers, 'Preference-Applied': applied } }
}
