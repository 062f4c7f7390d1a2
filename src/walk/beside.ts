import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import type { Answer } from '../contract/handler.ts'
import { findNearPath } from '../contract/near-path.ts'
import { findPath } from '../contract/paths.ts'
import { wantsPage } from '../dashboard/wants-page.ts'
import { problem } from '../errors.ts'
import { isPreflight, toPreflightHeaders } from '../http/cors.ts'
import type { CorsPolicy } from '../http/cors.ts'
import type { Admit } from './admit.ts'
import { toResponse } from './exchange.ts'
import type { Exchange, Outcome } from './exchange.ts'
import type { Recorder } from './recorder.ts'
import { noteSent, toReply, withCommonHeaders } from './respond.ts'
import { toWelcomePage } from './welcome.ts'

/** What a mounted app is handed with each request. */
export interface Env {
  Bindings: { exchange: Exchange }
}

/** A sub-app, and the path that all of its own begin with. */
export interface Mounted {
  readonly path: `/${string}`
  readonly app: Hono<Env>
  /** Refuses a request by throwing, before anything is done for it. */
  readonly guard?: (exchange: Exchange) => void | Promise<void>
  /** Whether it is not there for a request, whose path is then as unknown as any other. */
  readonly isHidden?: ((exchange: Exchange) => boolean) | undefined
  /** Answers who was refused in words of its own; undefined: as any other fault is. */
  readonly refuse?: (exchange: Exchange, fault: unknown) => Promise<Response | undefined>
  /** In place of the app's own. */
  readonly cors?: CorsPolicy
  /** Whether its path is no project key: `/__admin/resource` is its own, while `/oauth/resource` is a project's. */
  readonly isReserved: boolean
  /** Whether its exchanges are kept in the journal. */
  readonly isJournaled: boolean
}

/** What stands beside the endpoint table. */
export interface Beside {
  /** Answers what no operation of the table does. */
  answer(exchange: Exchange): Response | Promise<Response>
  /** What browsers of other origins may do with a path. */
  corsOf(exchange: Exchange): CorsPolicy
  /** Whether a path is no project's, whatever follows. */
  isReserved(path: string): boolean
}

interface BesideParts {
  readonly mounted: readonly Mounted[]
  readonly admit: Admit
  readonly recorder: Recorder
  readonly cors: CorsPolicy
  /** Renders what was thrown. */
  readonly fail: (exchange: Exchange, fault: unknown) => Outcome
}

const isUnder = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || path[root.length] === '/')

/** Every method that a path may have. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Creates the Hono app of what is mounted beside the endpoint table, and of what is nowhere. */
export function createBeside({ mounted, admit, recorder, cors, fail }: BesideParts): Beside {
  const app = new Hono<Env>({ getPath: (_request, options) => options?.env?.exchange.address.path ?? '/' })
  const reserved = mounted.filter(({ isReserved }) => isReserved)
  const hasDashboard = mounted.some(({ path, isHidden }) => path === '/__admin' && isHidden === undefined)

  function corsOf(exchange: Exchange): CorsPolicy {
    const found = mounted.find(({ path }) => isUnder(exchange.address.path, path))
    return found === undefined || found.isHidden?.(exchange) === true ? cors : (found.cors ?? cors)
  }

  /** What is mounted beside the table takes its own walk, between the same door and the same exit. */
  function surround({ guard, isHidden, refuse, cors: own = cors, isJournaled }: Mounted): MiddlewareHandler<Env> {
    return async function surrounded(c, next) {
      const { exchange } = c.env
      if (isHidden?.(exchange) === true) {
        c.res = await answerOther(exchange)
        return
      }
      exchange.isRecorded = !isJournaled
      try {
        await guard?.(exchange)
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

  const isReserved = (path: string): boolean => reserved.some((one) => isUnder(path, one.path))

  /** A preflight, a method that the path does not have, or a path that the service does not have (D24). */
  function answerUnmatched(exchange: Exchange, policy: CorsPolicy): Answer {
    const { request, address } = exchange
    const path = isReserved(address.path) ? undefined : findPath(address.path)
    const methods = path?.allowed ?? METHODS
    if (isPreflight(exchange.request)) return { status: 204, headers: toPreflightHeaders(policy, request, methods) }
    if (path === undefined) throw problem.notFound(toNoSuchPath(address.path, hasDashboard))
    if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: methods.join(', ') } }
    throw problem.methodNotAllowed(request.method, address.path, methods)
  }

  /** A preflight is the browser's own doing, and no exchange of the client's. */
  async function answerOther(exchange: Exchange): Promise<Response> {
    if (isPreflight(exchange.request)) exchange.isRecorded = true
    else admit(exchange)
    const policy = corsOf(exchange)
    const welcome = await findWelcomePage(exchange, hasDashboard)
    if (welcome !== undefined) exchange.isRecorded = true
    return toResponse(toReply(exchange, welcome ?? answerUnmatched(exchange, policy), policy))
  }

  for (const one of mounted) {
    app.use(`${one.path}/*`, surround(one))
    app.route('/', one.app)
  }
  app.notFound((c) => answerOther(c.env.exchange))
  app.onError((fault, c) => toResponse(fail(c.env.exchange, fault)))

  return {
    answer: (exchange) => app.fetch(exchange.request, { exchange }),
    corsOf,
    isReserved,
  }
}

/** A browser that is led to the mock's own address is shown where to go; undefined for every other request. */
async function findWelcomePage(exchange: Exchange, hasDashboard: boolean): Promise<Answer | undefined> {
  const { method, origin, address, request } = exchange
  const isRead = method === 'GET' || method === 'HEAD'
  if (address.path !== '/' || !isRead || !wantsPage(request.headers)) return undefined
  return toWelcomePage({ origin, prefix: address.prefix, hasDashboard })
}

/** As far as a sentence repeats a path. */
const LONGEST_PATH = 500

function toNoSuchPath(asked: string, hasDashboard: boolean): string {
  const path = asked.slice(0, LONGEST_PATH)
  const near = findNearPath(path)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  const dashboard = hasDashboard ? ' The dashboard is at /__admin.' : ''
  return `No endpoint matches ${path}.${hint} Paths start with /{projectKey}/resource, tokens come from /oauth/token.${dashboard}`
}
