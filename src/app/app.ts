import { Hono } from 'hono'
import type { Context, Handler } from 'hono'
import type { HonoOptions } from 'hono/hono-base'
import type { Authenticator } from '../service/auth/authenticate.ts'
import { authorize } from '../service/auth/authenticate.ts'
import { createDecoder } from '../service/contract/decode.ts'
import type { DecodeOptions } from '../service/contract/decode.ts'
import { decision } from '../service/contract/decisions.ts'
import type { Endpoint } from '../service/contract/endpoint.ts'
import { endpoints, TOKEN_OPERATION } from '../service/contract/endpoints.ts'
import type { OperationId } from '../service/contract/endpoints.ts'
import { findServicePath, paths } from '../service/contract/paths.ts'
import type { Path } from '../service/contract/paths.ts'
import type { Problem } from '../errors.ts'
import { ADMIN_PATH, SETUP_PATH, isTokenPath } from '../service/http/request-head.ts'
import { isPreflight } from '../service/http/cors.ts'
import type { Env, Exchange } from './pipeline/exchange.ts'
import type { EnterAtOnce, EnterSession } from './pipeline/enter-session.ts'
import { createWarn } from './pipeline/enter-session.ts'
import { addCommonHeaders, noteResponse, reply, replyWithError } from './pipeline/reply.ts'
import { replyToOtherMethod, replyToPreflight, replyToUnknownPath } from './pipeline/other-requests.ts'
import type { Performer } from './pipeline/perform.ts'
import type { ScenarioSteps } from './pipeline/scenarios.ts'
import type { ReportError } from './pipeline/reply.ts'
import type { Recorder } from './pipeline/recorder.ts'
import { NO_EFFECTS } from '../service/scenarios/effects.ts'
import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { memoize } from '../util/collections.ts'

/** The parts of the app. */
export interface AppParts extends DecodeOptions, ScenarioSteps, Performer {
  /** Absent if requests have to wait before they enter a session. */
  readonly enterAtOnce: EnterAtOnce | undefined
  readonly enterSession: EnterSession
  readonly authenticate: Authenticator['authenticate']
  readonly findGrant: Authenticator['findGrant']
  readonly recorder: Recorder
  readonly reportError: ReportError
  /** Loads and creates the dashboard, the admin API and the provider states endpoint of Pact's verifier. */
  readonly createAdmin: () => Promise<Hono<Env>>
  /** Whether the dashboard is served; `--no-admin` hides it. */
  readonly hasDashboard: boolean
  readonly oauth: Hono<Env>
  /** Checks each response of an operation against the contract; if absent, none are checked. */
  readonly checkAnswer?: ((exchange: Exchange) => Problem | undefined) | undefined
}

/** A function in steps, which yields each promise that it has to wait for. It runs at once as far as there is none. */
type Steps<Result> = Generator<Promise<unknown>, Result>

/** Waits for a promise within steps, as `await` does. */
function* wait<Value>(promise: Promise<Value>): Steps<Value> {
  // The runner resumes with what the promise resolves to.
  return (yield promise) as Value
}

async function finishSteps<Result>(steps: Steps<Result>, first: Promise<unknown>): Promise<Result> {
  let promise = first
  for (;;) {
    const next = await promise.then(
      (value) => steps.next(value),
      (fault: unknown) => steps.throw(fault),
    )
    if (next.done === true) return next.value
    promise = next.value
  }
}

/**
 * Runs steps, and returns the result without a promise if there was nothing to wait for: a GET takes 13 % fewer
 * instructions than in an `async` function (docs/benchmarks.md).
 */
function runSteps<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const next = steps.next()
  return next.done === true ? next.value : finishSteps(steps, next.value)
}

/** A handler with its route, as Hono passes it to a router. */
type RouteEntry = [handler: unknown, ...rest: unknown[]]

/** A handler without a `next` parameter ends the request: later handlers never run. */
const isTerminal = (entry: unknown): boolean => {
  const handler: unknown = Array.isArray(entry) ? (entry as RouteEntry)[0] : entry
  return typeof handler === 'function' && handler.length < 2
}

/**
 * Hono's TrieRouter with a cache, and without handlers that never run: Hono calls a single handler directly, but composes
 * several with promises, and a literal path also matches the handlers of parameterized paths (D24).
 */
export class TerminalRouter<T> implements Router<T> {
  readonly name = 'TerminalRouter'
  readonly #routes = new TrieRouter<T>()
  /** Memoized route lookups by method, for methods with routes: clients may send any other. */
  readonly #found = new Map<string, (path: string) => Result<T>>()

  add(method: string, path: string, handler: T): void {
    this.#routes.add(method, path, handler)
    this.#found.set(
      method,
      memoize((one) => this.#find(method, one)),
    )
  }

  match(method: string, path: string): Result<T> {
    const find = this.#found.get(method)
    return find === undefined ? this.#find(method, path) : find(path)
  }

  #find(method: string, path: string): Result<T> {
    const [found, ...rest] = this.#routes.match(method, path)
    const last = found.findIndex(([entry]) => isTerminal(entry))
    const reached = last === -1 ? found : found.slice(0, last + 1)
    // The same handlers, or a prefix of them.
    return [reached, ...rest] as Result<T>
  }
}

/** What to send instead of a method that other services support on such a path. */
function findOtherWay(method: string, template: string): string | undefined {
  const isOfOne = /\{(?:id|key)\}$/.test(template)
  if ((method === 'PUT' || method === 'PATCH') && isOfOne) return UPDATE
  return method === 'DELETE' && template.endsWith('/resource') ? DELETE : undefined
}

const DELETE = 'To delete a resource, send DELETE to /{projectKey}/resource/{id}.'
const UPDATE =
  'To update a resource, send POST to /{projectKey}/resource/{id} with its version and actions. To overwrite it, send PUT or PATCH to /{projectKey}/resource, with its key in the body.'

/** The parameters of a path, which all requests to it share. */
const toPathValues = memoize((path) => findServicePath(path)?.parameters ?? {})

/** Removes the trailing slash from `/__admin/`, the path of the dashboard. */
const toRoutePath = (path = '/'): string => (path === `${ADMIN_PATH}/` ? ADMIN_PATH : path)

/** The app and the admin app find routes by the path that the exchange has parsed. */
const getPath: HonoOptions<Env>['getPath'] = (_request, options) => toRoutePath(options?.env?.exchange.address.path)

/**
 * Creates the app with all routes of the mock. The API's routes come from the endpoint table, most specific path first, so
 * that a literal segment never matches as a parameter (D24).
 */
export function createApp(parts: AppParts): Hono<Env> {
  const { authenticate, findGrant, enterAtOnce, enterSession, perform, recorder, reportError, strict, maxBody } = parts
  const { chooseScenarios, passGateway, replyWithOutcome, advanceVersion } = parts
  const app = new Hono<Env>({ router: new TerminalRouter(), getPath })
  let admin: Promise<Hono<Env>> | undefined

  async function createAdmin(): Promise<Hono<Env>> {
    const created = new Hono<Env>({ router: new TrieRouter(), getPath })
    created.route('/', await parts.createAdmin())
    created.notFound(replyToNoRoute)
    created.onError((error) => {
      throw error
    })
    return created
  }

  /** Returns the response, or an error if it violates the contract (`--check-responses`). */
  function check(exchange: Exchange, response: Response): Response {
    const violation = parts.checkAnswer?.(exchange)
    if (violation === undefined) return response
    reportError(violation, exchange.correlationId)
    return replyWithError(exchange, violation, reportError)
  }

  function serve(id: OperationId): (c: Context<Env>) => Response | Promise<Response> {
    const endpoint: Endpoint = endpoints[id]
    const { decodeHead, decodeBody } = createDecoder(endpoint, { strict, maxBody })

    /** The way of a request, from top to bottom. A step that has nothing to wait for returns its value. */
    function* serveOperation(exchange: Exchange): Steps<Response> {
      exchange.operation = id
      exchange.parameters = toPathValues(exchange.address.path)
      const project = exchange.projectKey ?? ''
      const session = enterAtOnce?.(exchange) ?? (yield* wait(enterSession(exchange)))
      const warn = createWarn(exchange, strict)

      const applyScenarios = chooseScenarios(exchange, session, endpoint)
      const passing = passGateway(exchange, applyScenarios)
      const gateway = passing === undefined ? NO_EFFECTS : yield* wait(passing)
      if (gateway.outcome !== undefined) {
        yield* wait(advanceVersion(exchange, gateway, warn))
        return yield* wait(replyWithOutcome(exchange, gateway.outcome))
      }

      const { authorization } = exchange.headers
      const now = session.clock.now()
      const grant = findGrant(authorization, project, now) ?? (yield* wait(authenticate(authorization, project, now)))
      if (grant.kind === 'scopes') exchange.scopes = grant.scopes
      authorize(grant, endpoint, project, gateway)
      if (grant.kind === 'everything' && grant.warning !== undefined) warn(decision('D32'), grant.warning)

      const head = decodeHead(exchange.address.search, warn, exchange.header)
      const decoded = decodeBody === undefined ? head : yield* wait(decodeBody(head, warn, exchange))
      const effects = applyScenarios === undefined ? NO_EFFECTS : yield* wait(applyScenarios('operation', decoded.body))
      const performing = perform({ id, exchange, decoded, warn }, effects)
      const answer = performing instanceof Promise ? yield* wait(performing) : performing
      if (effects.outcome !== undefined) return yield* wait(replyWithOutcome(exchange, effects.outcome, answer))
      return check(exchange, reply(exchange, answer))
    }

    return ({ env: { exchange } }) => runSteps(serveOperation(exchange))
  }

  /** Responds to methods that a path of the table does not support. */
  const serveOtherMethod =
    ({ allowed, template }: Path): Handler<Env> =>
    async ({ env: { exchange } }) => {
      if (isPreflight(exchange.request)) return replyToPreflight(exchange, allowed)
      await enterSession(exchange)
      return replyToOtherMethod(exchange, allowed, findOtherWay(exchange.method, template))
    }

  /** Responds to paths that the mock does not have. */
  async function replyToNoRoute({ env: { exchange } }: Context<Env>): Promise<Response> {
    if (isPreflight(exchange.request)) return replyToPreflight(exchange)
    await enterSession(exchange)
    if (exchange.urlProblem !== undefined) throw exchange.urlProblem
    return replyToUnknownPath(exchange, parts.hasDashboard)
  }

  // `__admin` cannot be a project key: everything below it belongs to the dashboard or the admin API.
  // Created for its first request: its routes would take a third of the time that creates a mock.
  for (const path of [`${ADMIN_PATH}/*`, SETUP_PATH])
    app.all(path, async (c) => (await (admin ??= createAdmin())).fetch(c.req.raw, c.env))

  for (const path of paths) {
    const handlers = new Map([...path.operations].map(([method, id]) => [method, serve(id)]))
    const [handleGet, handleHead] = [handlers.get('GET'), handlers.get('HEAD')]
    // Hono routes HEAD requests to the GET routes.
    if (handleGet && handleHead) app.get(path.pattern, (c) => (c.req.method === 'HEAD' ? handleHead : handleGet)(c))
    for (const [method, handle] of handlers) app.on(method, path.pattern, handle)
    app.all(path.pattern, serveOtherMethod(path))
  }

  // Serves token requests like operations, except that their handlers authenticate and decode (D31).
  app.use('/oauth/*', async (c, next) => {
    const { exchange } = c.env
    const isToken = exchange.method === 'POST' && isTokenPath(exchange.address.path)
    if (isToken) exchange.operation = TOKEN_OPERATION
    const session = await enterSession(exchange)
    await recorder.readCopy(exchange)
    const applyScenarios = isToken ? chooseScenarios(exchange, session) : undefined
    const gateway = await passGateway(exchange, applyScenarios)
    if (gateway?.outcome !== undefined) return replyWithOutcome(exchange, gateway.outcome)
    const effects = await applyScenarios?.('operation')
    if (effects?.outcome?.kind === 'answer') return replyWithOutcome(exchange, effects.outcome)
    await next()
    if (effects?.outcome !== undefined)
      return replyWithOutcome(exchange, effects.outcome, { status: c.res.status, body: await c.res.text() })
    addCommonHeaders(exchange, c.res)
    await noteResponse(exchange, c.res)
  })
  app.route('/', parts.oauth)

  app.notFound(replyToNoRoute)
  app.onError((error, { env: { exchange } }) => check(exchange, replyWithError(exchange, error, reportError)))
  return app
}
