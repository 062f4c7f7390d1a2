import type { Hono } from 'hono'
import type * as z from 'zod'
import { check } from '../contract/check.ts'
import { problem } from '../errors.ts'
import type { ErrorItem } from '../errors.ts'
import { onAbort } from '../http/connection.ts'
import { ADMIN_PATH } from '../http/request-head.ts'
import type { BaseUrl } from '../http/request-head.ts'
import { addRoutes } from '../http/routes.ts'
import type { Routes } from '../http/routes.ts'
import type { Coverage, Metrics, ProcessGauge, StoreMetrics } from '../journal/counts.ts'
import type { Journals } from '../journal/journal.ts'
import { readBytes, readJsonBody } from '../http/body.ts'
import type { JsonText, ReadJsonOptions } from '../http/body.ts'
import { REQUEST_LIMITS } from '../http/json-problems.ts'
import type { JsonLimits } from '../http/json-problems.ts'
import type { Env, Exchange } from '../pipeline/exchange.ts'
import { replyToOtherMethod } from '../pipeline/reply.ts'
import type { Catalog } from '../scenarios/engine.ts'
import type { Events } from '../sessions/events.ts'
import type { Sessions, Session } from '../sessions/sessions.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { Store } from '../state/store.ts'
import { didYouMean } from '../util/did-you-mean.ts'

/** The path of the admin API below a request's prefix, such as `/@worker-1/eu/gcp`, without the session in it. */
export const toSharedPath = (prefix: string): string => `${prefix.replace(/\/@[^/]*/, '')}${ADMIN_PATH}`

/** The paths that a cookie of the dashboard is set for: its own, and that of other sessions. */
export const toCookiePaths = (prefix: string): Iterable<string> =>
  new Set([`${prefix}${ADMIN_PATH}`, toSharedPath(prefix)])

/** Whether a path is that of the dashboard. */
export const isAdminRoot = (path: string): boolean => path === ADMIN_PATH || path === `${ADMIN_PATH}/`

/** A request to the admin API. */
export interface AdminRequest {
  /** The session that it acts on. */
  readonly session: Session
  readonly exchange: Exchange
  readonly method: string
  readonly headers: Headers
  /** Calls a listener when the client disconnects before it has the whole response; returns a function that stops listening. */
  readonly onAbort: (listener: () => void) => () => void
  /** The origin of its URL, such as `http://127.0.0.1:4010`. */
  readonly origin: string
  /** The prefix of the admin API's path, such as `/@s1`. */
  readonly prefix: string
  /** Whether it came over TLS. */
  readonly isSecure: boolean
  /** The base URL in its address. */
  readonly baseUrl: BaseUrl | undefined
  readonly query: URLSearchParams
  /**
   * The parsed body.
   *
   * @param limits of its content; default: those of bodies sent to the service
   * @throws {Problem} 400 if it is not JSON or exceeds the limits, 413 for too many bytes.
   */
  readonly readJson: (limits?: JsonLimits) => Promise<unknown>
  /** As {@link AdminRequest.readJson}, works on it before the next large body is read, and has its text too. */
  readonly useJson: <Result>(
    options: Partial<ReadJsonOptions>,
    use: (body: JsonText) => Result | Promise<Result>,
  ) => Promise<Result>
  /** The bytes of the body, under a limit in bytes. */
  readonly readBytes: (limit: number) => Promise<Uint8Array>
  /**
   * Checked again when a write happens, since the data may have changed after the first check.
   *
   * @throws {Problem} whatever refuses the write.
   */
  readonly precondition?: () => void
}

/** The `c.env` of handlers of the admin API and the dashboard. */
export interface AdminEnv {
  Bindings: Env['Bindings'] & { admin: AdminRequest }
}

/**
 * Creates the request that handlers get.
 *
 * @param maxBody the largest JSON body in bytes
 */
export function toAdminRequest(exchange: Exchange, session: Session, maxBody: number): AdminRequest {
  const { request, method, address } = exchange
  const { origin } = address
  const useJson: AdminRequest['useJson'] = (options, use) =>
    readJsonBody(request, { limit: maxBody, limits: REQUEST_LIMITS, ...options }, use)
  return {
    session,
    exchange,
    method,
    headers: request.headers,
    onAbort: (listener) => onAbort(request, listener),
    origin,
    prefix: address.prefix,
    isSecure: origin.startsWith('https:'),
    baseUrl: address.baseUrl,
    query: new URLSearchParams(address.search),
    useJson,
    readJson: (limits = REQUEST_LIMITS) => useJson({ limits }, ({ value }) => value),
    readBytes: (limit) => readBytes(request, limit),
  }
}

/**
 * Checks a body against its schema.
 *
 * @throws {Problem} 400 for a body that does not match, unknown members included.
 */
export function expectBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const { faults, unknown } = check(schema, body)
  const [member] = unknown
  if (member !== undefined) {
    throw problem.invalidInput(`${member}: unknown member.${didYouMean(member, Object.keys(schema.shape))}`, {
      field: member,
    })
  }
  const [first, ...others] = faults
  if (first !== undefined) throw problem.invalidRequest([first, ...others] as [ErrorItem, ...ErrorItem[]])
  return body as z.output<Schema>
}

/**
 * Returns a whole number of 0 or more from the query; undefined without one.
 *
 * @throws {Problem} 400 for anything else.
 */
export function findCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw problem.invalidField({
    field: name,
    invalidValue: text,
    message: `Malformed parameter: ${name}: ${JSON.stringify(text)} is not a whole number of at least 0.`,
  })
}

/**
 * Returns `true` or `false` from the query; false without one.
 *
 * @throws {Problem} 400 for anything else.
 */
export function readSwitch(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  if (text === null || text === 'false') return false
  if (text === 'true' || text === '') return true
  throw problem.invalidField({
    field: name,
    invalidValue: text,
    allowedValues: ['true', 'false'],
    message: `Malformed parameter: ${name}: ${JSON.stringify(text)} is neither true nor false.`,
  })
}

/** What the admin API controls and reports. */
export interface AdminParts {
  readonly sessions: Sessions
  readonly store: Store
  readonly catalog: Catalog
  /** The scenarios of the command line. */
  readonly defaults: readonly string[]
  readonly fixtures: () => Fixtures
  /** One sentence for each fixture or scenario file that could not be read. */
  readonly problems: () => readonly string[]
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Whether journals keep anything. */
  readonly isJournaling: boolean
  readonly events: Events
  readonly metrics: Metrics
  readonly coverage: Coverage
  readonly journals: Journals
  /** The largest JSON body in bytes. */
  readonly maxBody: number
  /** Whether requests that match no endpoint are forwarded to another service. */
  readonly hasPassthrough: boolean
  /** Whatever distinguishes this mock from others. */
  readonly fingerprint: () => Promise<object>
  /** Whether the mock is shutting down. */
  readonly isDraining: () => boolean
  /** Measurements of a store that mocks share; absent without one. */
  readonly storeMetrics?: StoreMetrics | undefined
  /** Measurements of the process; absent outside one. */
  readonly processGauges?: (() => readonly ProcessGauge[]) | undefined
  /** Ends the mock; absent if it cannot end itself. */
  readonly onShutdown?: (() => void) | undefined
  readonly onNotice: (sentence: string) => void
  /** Answers a request of the Model Context Protocol, whose body has been parsed. */
  readonly answerMcp: (request: Request, message: unknown, admin: AdminRequest) => Promise<Response>
  /** Sends a request to the mock itself. */
  readonly send: (request: Request) => Promise<Response>
  /** Reads what the journal of a session has from other mocks, and from this one through their store; absent without a store. */
  readonly refresh: ((session: string) => Promise<void>) | undefined
}

/** @param param returns a parameter of the path */
type AdminHandler = (admin: AdminRequest, param: (name: string) => string) => Response | Promise<Response>

/** Routes of the admin API. */
export type AdminRoutes = Routes<AdminHandler>

/** Adds routes of the admin API, or of the dashboard, to an app. */
export const addAdminRoutes = (app: Hono<AdminEnv>, routes: AdminRoutes): void =>
  addRoutes(
    app,
    routes,
    (handle, { env, req }) => handle(env.admin, (name) => req.param(name) ?? ''),
    ({ env }, methods) =>
      replyToOtherMethod(env.exchange, [...methods, ...(methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'])]),
  )
