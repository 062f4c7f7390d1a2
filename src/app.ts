import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { after } from './after.ts'
import type { Answer } from './contract/handler.ts'
import { findPath } from './contract/paths.ts'
import type { Path } from './contract/paths.ts'
import { problem } from './errors.ts'
import { isPreflight, toPreflightHeaders } from './http/cors.ts'
import type { CorsPolicy } from './http/cors.ts'
import type { Sessions } from './sessions/sessions.ts'
import { createAdmit } from './walk/admit.ts'
import { toResponse } from './walk/exchange.ts'
import type { Exchange, Outcome } from './walk/exchange.ts'
import type { Inspect } from './walk/inspect.ts'
import type { Recorder } from './walk/recorder.ts'
import { noteSent, toFaultReply, toReply, withCommonHeaders } from './walk/respond.ts'
import { createTableRouter } from './walk/router.ts'
import type { Found } from './walk/router.ts'
import { createServedMethods } from './walk/served.ts'
import type { Served } from './walk/served.ts'
import { createWalk } from './walk/walk.ts'
import type { WalkParts } from './walk/walk.ts'

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
export interface AppParts extends WalkParts {
  readonly sessions: Sessions
  /** Beside the endpoint table: the token endpoints, the admin API. */
  readonly mounted: readonly Mounted[]
  readonly recorder: Recorder
  readonly onFault: (fault: unknown, correlationId: string) => void
  /** Holds every answer of the table's operations to the contract; absent where none is to be. */
  readonly inspect?: Inspect | undefined
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
export type App = (exchange: Exchange) => Outcome | Promise<Outcome>

/** The app of the mock: every endpoint of the table, and a Hono app with what is mounted beside them. */
export function createApp(parts: AppParts): App {
  const { cors, recorder, mounted, inspect } = parts
  const findRoute = createTableRouter<Place>((path) => ({ path, methods: createServedMethods(path, parts) }))
  const reserved = mounted.filter(({ isReserved }) => isReserved)
  const beside = new Hono<Env>({ getPath: (_request, options) => options?.env?.exchange.address.path ?? '/' })

  const admit = createAdmit(parts.sessions)
  const walk = createWalk(parts, admit)

  /** What browsers of other origins may do with a path. */
  const corsOf = ({ address }: Exchange): CorsPolicy =>
    mounted.find(({ path }) => isUnder(address.path, path))?.cors ?? cors

  /** D24: a literal segment never falls through to a parameter, so each path answers for every method. */
  function serve({ target: { path, methods }, parameters }: Found<Place>, exchange: Exchange) {
    const { method } = exchange
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
        admit(exchange)
      } catch (fault) {
        const refusal = await refuse?.(exchange, fault)
        if (refusal === undefined) throw fault
        c.res = withCommonHeaders(exchange, refusal, own)
        return
      }
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
    return toResponse(toReply(exchange, answerUnmatched(exchange, policy), policy))
  }

  for (const one of mounted) {
    beside.use(`${one.path}/*`, surround(one))
    beside.route('/', one.app)
  }
  beside.notFound((c) => answerOther(c.env.exchange))
  const fail = (exchange: Exchange, fault: unknown) =>
    toFaultReply(exchange, fault, { ...parts, cors: corsOf(exchange) })
  beside.onError((fault, c) => toResponse(fail(c.env.exchange, fault)))

  function answerOperation(found: Found<Place>, exchange: Exchange): Outcome | Promise<Outcome> {
    try {
      const answering = serve(found, exchange)
      return answering instanceof Promise ? answering.catch((fault: unknown) => fail(exchange, fault)) : answering
    } catch (fault) {
      return fail(exchange, fault)
    }
  }

  return function answer(exchange) {
    const { method, address } = exchange
    const isOfTable = WALKING.has(method) && !reserved.some(({ path }) => isUnder(address.path, path))
    const found = isOfTable ? findRoute(address.path) : undefined
    if (found === undefined) return beside.fetch(exchange.request, { exchange })
    const answering = answerOperation(found, exchange)
    return inspect === undefined ? answering : after(answering, (outcome) => inspect(exchange, outcome))
  }
}

/** A preflight, a method that the path does not have, or a path that the service does not have (D24). */
function answerUnmatched(exchange: Exchange, cors: CorsPolicy): Answer {
  const { request, address } = exchange
  const path = findPath(address.path)
  const methods = path?.allowed ?? METHODS
  if (isPreflight(exchange.request)) return { status: 204, headers: toPreflightHeaders(cors, request, methods) }
  if (path === undefined) {
    throw problem.notFound(
      `The path ${address.path.slice(0, 500)} is none of this service. Its paths begin with /{projectKey}/resource; tokens come from /oauth/token.`,
    )
  }
  if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: methods.join(', ') } }
  throw problem.methodNotAllowed(request.method, address.path, methods)
}
