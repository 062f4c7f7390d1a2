import { Hono } from 'hono'
import type { Context, Handler } from 'hono'
import type { HonoOptions } from 'hono/hono-base'
import type { Authenticator, Grant } from '../service/auth/authenticate.ts'
import { authorize } from '../service/auth/authenticate.ts'
import { createDecoder } from '../service/contract/decode.ts'
import type { Decoded, DecodeOptions } from '../service/contract/decode.ts'
import { decision } from '../service/contract/decisions.ts'
import type { Endpoint } from '../service/contract/endpoint.ts'
import { endpoints, TOKEN_OPERATION } from '../service/contract/endpoints.ts'
import type { OperationId } from '../service/contract/endpoints.ts'
import type { Answer } from '../service/contract/types.ts'
import { findServicePath, paths } from '../service/contract/paths.ts'
import type { Path } from '../service/contract/paths.ts'
import type { Warn } from '../service/contract/check.ts'
import type { Problem } from '../errors.ts'
import { ADMIN_PATH, SETUP_PATH, isTokenPath } from '../service/http/request-head.ts'
import { faultsAfterOperation } from '../service/http/connection.ts'
import { isPreflight } from '../service/http/cors.ts'
import type { EnterAtOnce, EnterSession, Env, Exchange } from './pipeline/exchange.ts'
import { createWarn } from './pipeline/exchange.ts'
import {
  replyToOtherMethod,
  replyToPreflight,
  replyToUnknownPath,
  addCommonHeaders,
  noteResponse,
  reply,
  replyWithError,
} from './pipeline/reply.ts'
import { applyBothStages, pauseRequest } from './pipeline/perform.ts'
import type { Performer, ChooseScenarios, DelayRequest } from './pipeline/perform.ts'
import type { Recorder, ReportError } from './pipeline/reply.ts'
import { NO_EFFECTS } from '../service/scenarios/effects.ts'
import type { Effects, ScenarioOutcome } from '../service/scenarios/effects.ts'
import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { memoize } from '../util/collections.ts'

/** The parts of the app. */
export interface AppParts extends DecodeOptions {
  /** Absent if requests have to wait before they enter a session, or are delayed. */
  readonly enterAtOnce: EnterAtOnce | undefined
  readonly enterSession: EnterSession
  readonly chooseScenarios: ChooseScenarios
  readonly delay: DelayRequest
  readonly authenticate: Authenticator['authenticate']
  readonly findGrant: Authenticator['findGrant']
  readonly performer: Performer
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
  const { authenticate, findGrant, enterAtOnce, enterSession, performer, recorder, reportError, strict, maxBody } =
    parts
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

  /** Responds with a scenario's outcome, after its other writers have run. */
  async function replaceAnswer(exchange: Exchange, warn: Warn, effects: Effects, outcome: ScenarioOutcome) {
    if (effects.otherWriters.length > 0) await performer.advanceVersion(exchange, effects, warn)
    return outcome.kind === 'answer' ? reply(exchange, outcome.answer) : recorder.breakOff(exchange, outcome)
  }

  const respond = (exchange: Exchange, found: Answer): Response => check(exchange, reply(exchange, found))

  function serve(id: OperationId): (c: Context<Env>) => Response | Promise<Response> {
    const endpoint: Endpoint = endpoints[id]
    const { decodeHead, decodeBody } = createDecoder(endpoint, { strict, maxBody })

    /** Checks a request but for its body. */
    function checkHead(exchange: Exchange, grant: Grant, warn: Warn, gateway: Effects): Decoded {
      if (grant.kind === 'scopes') exchange.scopes = grant.scopes
      authorize(grant, endpoint, exchange.projectKey ?? '', gateway)
      if (grant.kind === 'everything' && grant.warning !== undefined) warn(decision('D32'), grant.warning)
      return decodeHead(exchange.address.search, warn, exchange.header)
    }

    /**
     * Responds to a GET that has nothing to wait for, without a promise on its way: 5 % fewer instructions
     * (docs/benchmarks.md). Undefined for any other request.
     */
    function answerAtOnce(exchange: Exchange): Response | Promise<Response> | undefined {
      const { header, preferences } = exchange
      if (enterAtOnce === undefined || endpoint.method !== 'GET') return undefined
      if (preferences.size > 0 || header('x-mock-delay') !== undefined) return undefined
      const session = enterAtOnce(exchange)
      if (parts.chooseScenarios(exchange, session, endpoint) !== undefined) return undefined
      const grant = findGrant(header('authorization'), exchange.projectKey ?? '', session.clock.now())
      if (grant === undefined) return undefined
      const warn = createWarn(exchange, strict)
      const decoded = checkHead(exchange, grant, warn, NO_EFFECTS)
      const found = performer.perform({ id, exchange, decoded, warn })
      return found instanceof Promise ? found.then((one) => respond(exchange, one)) : respond(exchange, found)
    }

    /** Serves any request, from top to bottom. */
    async function serveInTurn(exchange: Exchange): Promise<Response> {
      const session = await enterSession(exchange)
      const warn = createWarn(exchange, strict)
      const applyScenarios = parts.chooseScenarios(exchange, session, endpoint)
      // The gateway stage comes before any checks: outages, delays, rate limits.
      const gateway = applyScenarios === undefined ? NO_EFFECTS : await applyScenarios('gateway')
      if (gateway !== NO_EFFECTS) exchange.additions = gateway
      const delayed = parts.delay(exchange, gateway.delay)
      if (delayed !== undefined) await delayed
      if (gateway.outcome !== undefined) return replaceAnswer(exchange, warn, gateway, gateway.outcome)

      const project = exchange.projectKey ?? ''
      const grant = await authenticate(exchange.header('authorization'), project, session.clock.now())
      const head = checkHead(exchange, grant, warn, gateway)
      const decoded = decodeBody === undefined ? head : await decodeBody(head, warn, exchange)

      const request = { id, exchange, decoded, warn }
      const isPlain = applyScenarios === undefined && exchange.preferences.size === 0
      if (isPlain) return respond(exchange, await performer.perform(request))
      const effects = applyScenarios === undefined ? NO_EFFECTS : await applyScenarios('operation', decoded.body)
      const { outcome } = effects
      if (outcome?.kind === 'answer') return replaceAnswer(exchange, warn, effects, outcome)
      const found = await performer.performSpecially(request, effects)
      if (outcome !== undefined) return recorder.breakOff(exchange, { ...outcome, answer: found })
      return respond(exchange, found)
    }

    return function serveOperation({ env: { exchange } }) {
      exchange.operation = id
      exchange.parameters = toPathValues(exchange.address.path)
      return answerAtOnce(exchange) ?? serveInTurn(exchange)
    }
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
    const applyScenarios = isToken ? parts.chooseScenarios(exchange, session) : undefined
    const { outcome } = await applyBothStages(exchange, applyScenarios, (time) => pauseRequest(exchange, time))
    if (outcome?.kind === 'answer') return reply(exchange, outcome.answer)
    const isCut = outcome !== undefined && faultsAfterOperation.has(outcome.fault)
    if (outcome !== undefined && !isCut) return recorder.breakOff(exchange, outcome)
    await next()
    if (isCut)
      return recorder.breakOff(exchange, { ...outcome, answer: { status: c.res.status, body: await c.res.text() } })
    addCommonHeaders(exchange, c.res)
    await noteResponse(exchange, c.res)
  })
  app.route('/', parts.oauth)

  app.notFound(replyToNoRoute)
  app.onError((error, { env: { exchange } }) => check(exchange, replyWithError(exchange, error, reportError)))
  return app
}
