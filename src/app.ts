import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { after } from './after.ts'
import type { Authenticator } from './auth/authenticate.ts'
import { authorize } from './walk/authorize.ts'
import type { OpenContext } from './walk/context.ts'
import type { DecodeOptions } from './contract/decode.ts'
import type { Answer } from './contract/handler.ts'
import { findPath } from './contract/paths.ts'
import type { Path } from './contract/paths.ts'
import type { Direct } from './walk/direct.ts'
import { problem } from './errors.ts'
import { createWarn, expectCorrelationId } from './walk/exchange.ts'
import type { Exchange } from './walk/exchange.ts'
import { isPreflight, toPreflightHeaders } from './http/cors.ts'
import type { CorsPolicy } from './http/cors.ts'
import type { Perform } from './walk/perform.ts'
import type { Recorder } from './walk/recorder.ts'
import type { Inspect } from './walk/inspect.ts'
import { endExchange, noteSent, toFaultResponse, toResponse, withCommonHeaders } from './walk/respond.ts'
import { UNBENT } from './scenarios/effects.ts'
import type { Bending, Ending } from './scenarios/effects.ts'
import type { Stage } from './scenarios/player.ts'
import { createTableRouter } from './walk/router.ts'
import type { Found, PathParameters } from './walk/router.ts'
import { createServedMethods } from './walk/served.ts'
import type { Served } from './walk/served.ts'
import type { Session } from './sessions/session.ts'
import type { Sessions } from './sessions/sessions.ts'

export interface Env {
  Bindings: { exchange: Exchange }
}

/** A sub-app, and the path that all of its own begin with. */
export interface Mounted {
  readonly path: `/${string}`
  readonly app: Hono<Env>
  /** Refuses a request by throwing, before anything is done for it. */
  readonly guard?: (exchange: Exchange) => void
  /** Answers who was refused in words of its own; undefined: as any other fault is. */
  readonly refuse?: (exchange: Exchange, fault: unknown) => Promise<Response | undefined>
  /** In place of the app's own. */
  readonly cors?: CorsPolicy
  /** Whether its path is no project key: `/__admin/resource` is its own, while `/oauth/resource` is a project's. */
  readonly isReserved: boolean
  /** Whether its exchanges are kept in the journal. */
  readonly isJournaled: boolean
}

/** What the app is built from. */
export interface AppParts extends DecodeOptions {
  readonly sessions: Sessions
  readonly direct: Direct
  /** Waits as long as the request, the scenarios and the command line want. */
  readonly delay: (exchange: Exchange, milliseconds: number) => Promise<void> | undefined
  readonly authenticate: Authenticator
  readonly openContext: OpenContext
  readonly perform: Perform
  /** Beside the endpoint table: the token endpoints, the admin API. */
  readonly mounted: readonly Mounted[]
  readonly cors: CorsPolicy
  readonly recorder: Recorder
  readonly onFault: (fault: unknown, correlationId: string) => void
  /** Holds every answer of the table's operations to the contract; absent where none is to be. */
  readonly inspect?: Inspect | undefined
}

/** One request on its walk. */
interface Step {
  readonly served: Served
  readonly exchange: Exchange
  readonly path: PathParameters
  readonly projectKey: string
  /** What the scenarios do at a stage. */
  readonly play: (stage: Stage, body?: unknown) => Bending | Promise<Bending>
}

const isUnder = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || path[root.length] === '/')

/** Every method that a path may have. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The methods that paths of the table answer themselves. */
const WALKING = new Set(METHODS.filter((method) => method !== 'OPTIONS'))

/** A path of the table, and what it serves by method. */
interface Place {
  readonly path: Path
  readonly methods: ReadonlyMap<string, Served>
}

/** Answers an exchange. */
export type App = (exchange: Exchange) => Response | Promise<Response>

/** The app of the mock: every endpoint of the table, and a Hono app with what is mounted beside them. */
export function createApp(parts: AppParts): App {
  const { cors, recorder, mounted, inspect } = parts
  const findRoute = createTableRouter<Place>((path) => ({ path, methods: createServedMethods(path, parts) }))
  const reserved = mounted.filter(({ isReserved }) => isReserved)
  const beside = new Hono<Env>({ getPath: (_request, options) => options?.env?.exchange.address.path ?? '/' })

  /** The door: what every request must bring before anything else looks at it. */
  function admit(exchange: Exchange): Session {
    const session = parts.sessions.enter(exchange.session)
    exchange.entered = session
    expectCorrelationId(exchange)
    return session
  }

  /** What browsers of other origins may do with a path. */
  const corsOf = ({ address }: Exchange): CorsPolicy =>
    mounted.find(({ path }) => isUnder(address.path, path))?.cors ?? cors

  const end = (exchange: Exchange, ending: Ending, before: Bending) =>
    endExchange(exchange, ending, before, { cors, record: recorder.record })

  /** The end that a scenario made up. */
  const endFaked = (exchange: Exchange, ending: Ending, before: Bending) => {
    exchange.isFaked = true
    return end(exchange, ending, before)
  }

  /** The walk of one request, from its arrival to its answer. */
  function walk(served: Served, exchange: Exchange, path: PathParameters): Response | Promise<Response> {
    const { projectKey = '' } = path
    exchange.operation = served.id
    exchange.projectKey = projectKey
    const session = admit(exchange)
    const cue = parts.direct(exchange, session, served, projectKey)
    const step: Step = { served, exchange, path, projectKey, play: cue ?? (() => UNBENT) }

    return after(step.play('gateway'), (before) =>
      after(parts.delay(exchange, before.delay), () =>
        before.ending === undefined ? admitBearer(step, before) : endFaked(exchange, before.ending, before),
      ),
    )
  }

  /** Who asks, and whether they may. */
  function admitBearer(step: Step, before: Bending): Response | Promise<Response> {
    const { served, exchange, projectKey } = step
    const authorization = exchange.header('authorization')
    return after(parts.authenticate(authorization, projectKey), (grant) => {
      authorize(grant, served.endpoint, projectKey, before)
      return perform(step, before)
    })
  }

  /** What they ask for, bent by the scenarios, and the answer. */
  function perform({ served, exchange, path, projectKey, play }: Step, before: Bending): Response | Promise<Response> {
    const { request, address, preferences } = exchange
    const warn = createWarn(exchange, parts.strict)
    return after(served.decode(request, address.search, warn, exchange), (decoded) =>
      after(play('operation', decoded.body), (bending) => {
        const { versionsAhead, ending } = bending
        if (ending?.kind === 'answer') return endFaked(exchange, ending, before)
        return after(parts.openContext(exchange, projectKey, warn, bending), (context) =>
          after(parts.perform({ served, decoded, path, context, preferences, versionsAhead }), (answer) =>
            end(exchange, ending === undefined ? { kind: 'answer', answer } : { ...ending, answer }, before),
          ),
        )
      }),
    )
  }

  /** D24: a literal segment never falls through to a parameter, so each path answers for every method. */
  function serve({ target: { path, methods }, parameters }: Found<Place>, exchange: Exchange) {
    const { method } = exchange.request
    const served = methods.get(method)
    if (served !== undefined) return walk(served, exchange, parameters)
    admit(exchange)
    throw problem.methodNotAllowed(method, exchange.address.path, path.allowed)
  }

  /** What is mounted beside the table takes its own walk, between the same door and the same exit. */
  function surround({ guard, refuse, cors: own = cors, isJournaled }: Mounted): MiddlewareHandler<Env> {
    return async function surrounded(c, next) {
      const { exchange } = c.env
      exchange.isRecorded = !isJournaled
      try {
        guard?.(exchange)
      } catch (fault) {
        const refusal = await refuse?.(exchange, fault)
        if (refusal === undefined) throw fault
        c.res = withCommonHeaders(exchange, refusal, own)
        return
      }
      admit(exchange)
      if (isJournaled) await recorder.readCopy(exchange)
      await next()
      c.res = withCommonHeaders(exchange, c.res, own)
      if (isJournaled) await noteSent(exchange, c.res)
    }
  }

  /** A preflight is the browser's own doing, and no exchange of the client's. */
  function answerOther(exchange: Exchange): Response {
    if (isPreflight(exchange.request)) exchange.isRecorded = true
    else admit(exchange)
    const policy = corsOf(exchange)
    return toResponse(exchange, answerUnmatched(exchange, policy), policy)
  }

  for (const one of mounted) {
    beside.use(`${one.path}/*`, surround(one))
    beside.route('/', one.app)
  }
  beside.notFound((c) => answerOther(c.env.exchange))
  const fail = (exchange: Exchange, fault: unknown) =>
    toFaultResponse(exchange, fault, { ...parts, cors: corsOf(exchange) })
  beside.onError((fault, c) => fail(c.env.exchange, fault))

  function answerOperation(found: Found<Place>, exchange: Exchange): Response | Promise<Response> {
    try {
      const answering = serve(found, exchange)
      return answering instanceof Promise ? answering.catch((fault: unknown) => fail(exchange, fault)) : answering
    } catch (fault) {
      return fail(exchange, fault)
    }
  }

  return function answer(exchange) {
    const { request, address } = exchange
    const isOfTable = WALKING.has(request.method) && !reserved.some(({ path }) => isUnder(address.path, path))
    const found = isOfTable ? findRoute(address.path) : undefined
    if (found === undefined) return beside.fetch(request, { exchange })
    const answering = answerOperation(found, exchange)
    return inspect === undefined ? answering : after(answering, (response) => inspect(exchange, response))
  }
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
