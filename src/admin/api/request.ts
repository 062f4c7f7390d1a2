import type { Context, Hono } from 'hono'
import type * as z from 'zod'
import { check } from '../../service/contract/check.ts'
import { problem } from '../../errors.ts'
import type { ErrorItem } from '../../errors.ts'
import { isAborted, onAbort } from '../../service/http/connection.ts'
import { ADMIN_PATH } from '../../service/http/request-head.ts'
import { addRoutes } from '../../service/http/routes.ts'
import type { Routes } from '../../service/http/routes.ts'
import type { Coverage, Metrics, ProcessGauge, StoreMetrics } from '../../sessions/journal/counts.ts'
import type { Journals } from '../../sessions/journal/journal.ts'
import type { KeptExchange } from '../../sessions/journal/kept-exchange.ts'
import type { RunInTime } from '../../sessions/journal/patterns.ts'
import type { Memory } from '../../service/state/memory.ts'
import { readJsonBody } from '../../service/http/body.ts'
import type { Env, Exchange } from '../../app/pipeline/exchange.ts'
import { replyToOtherMethod } from '../../app/pipeline/other-requests.ts'
import type { Events } from '../../sessions/events.ts'
import type { Redactor } from '../../sessions/journal/redact.ts'
import type { Runs } from '../../sessions/runs.ts'
import type { Sessions, Session } from '../../sessions/sessions.ts'
import type { Sources } from '../../sessions/sources.ts'
import type { Store } from '../../service/state/store.ts'
import { didYouMean } from '../../util/did-you-mean.ts'

/** The admin API's path for a request prefix such as `/@worker-1/eu/gcp`, without the session. */
export const toSharedPath = (prefix: string): string => `${prefix.replace(/\/@[^/]*/, '')}${ADMIN_PATH}`

/**
 * The paths of the dashboard's cookie: its own path, and the one shared by all sessions. A cookie's path ends at a `;` (RFC
 * 6265, section 5.2), so it is the last folder before that.
 */
export const toCookiePaths = (prefix: string): Iterable<string> =>
  new Set([`${prefix}${ADMIN_PATH}`, toSharedPath(prefix)].map((path) => path.replace(/[^/]*;.*$/, '')))

/** Whether this is the dashboard's path. */
export const isAdminRoot = (path: string): boolean => path === ADMIN_PATH || path === `${ADMIN_PATH}/`

/** A request to the admin API. */
export type AdminRequest = ReturnType<typeof toAdminRequest>

/** The `c.env` of admin API and dashboard handlers. */
export interface AdminEnv {
  Bindings: Env['Bindings'] & { admin: AdminRequest }
}

/**
 * Creates the request passed to handlers.
 *
 * @param parts.maxBody maximum size of a JSON body, in bytes
 * @param parts.origins browser origins that may call the admin API
 */
export function toAdminRequest(
  exchange: Exchange,
  session: Session,
  { maxBody, origins }: { readonly maxBody: number; readonly origins: readonly string[] },
) {
  const { request, method, address } = exchange
  const { origin } = address
  /**
   * Reads and parses the body.
   *
   * @param limit maximum size in bytes, a row of `MAX_BYTES`
   * @throws {Problem} 400 if it is not JSON, 413 if it has too many bytes.
   */
  const readJsonText = (limit = maxBody) => readJsonBody(request, limit)
  return {
    /** The session to act on. */
    session,
    exchange,
    method,
    headers: request.headers,
    /** Calls a listener if the client disconnects before the response is complete; returns a function that removes it. */
    onAbort: (listener: () => void) => onAbort(request, listener),
    /** Whether the client disconnected, so that nobody needs the response. */
    hasLeft: () => isAborted(request),
    /** The origin of the request URL, such as `http://127.0.0.1:4010`. */
    origin,
    /** The prefix of the admin API's path, such as `/@s1`. */
    prefix: address.prefix,
    /** Whether the client sends its requests over TLS, to the mock or to a proxy in front of it. */
    isSecure:
      origin.startsWith('https:') ||
      /^https\b/i.test(request.headers.get('X-Forwarded-Proto') ?? '') ||
      origins.includes(origin.replace(/^http:/, 'https:')),
    /** The base URL in the request's path. */
    baseUrl: address.baseUrl,
    query: new URLSearchParams(address.search),
    readJsonText,
    /** Like `readJsonText`, but returns only the value. */
    readJson: async (limit?: number) => (await readJsonText(limit)).value,
  }
}

/** Returns items one by one until the client of a request disconnects. */
export async function* untilLeft<Item>(
  { hasLeft }: Pick<AdminRequest, 'hasLeft'>,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item, void> {
  for await (const item of items) {
    if (hasLeft()) return
    yield item
  }
}

/**
 * Checks a body against its schema.
 *
 * @throws {Problem} 400 if the body does not match or has unknown members.
 */
export function expectBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const { problems, unknown } = check(schema, body)
  const [member] = unknown
  if (member !== undefined) {
    throw problem.invalidInput(`${member}: unknown member.${didYouMean(member, Object.keys(schema.shape))}`, {
      field: member,
    })
  }
  const [first, ...others] = problems
  if (first !== undefined) throw problem.invalidRequest([first, ...others] as [ErrorItem, ...ErrorItem[]])
  return body as z.output<Schema>
}

/**
 * Reads a non-negative integer from the query; undefined if absent.
 *
 * @throws {Problem} 400 for any other value.
 */
export function findCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw problem.invalidField({
    field: name,
    invalidValue: text,
    message: `Malformed parameter: ${name}: ${JSON.stringify(text)} is not a whole number of at least 0, such as 100.`,
  })
}

/**
 * Reads `true` or `false` from the query; false if absent.
 *
 * @throws {Problem} 400 for any other value.
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

/**
 * The index of the request that a parameter names; undefined without the parameter.
 *
 * @throws {Problem} 404 if the list does not have it.
 */
export function findPosition(
  found: readonly KeptExchange[],
  query: URLSearchParams,
  parameter: 'before' | 'around',
): number | undefined {
  const named = query.get(parameter)
  if (named === null) return undefined
  const at = found.findIndex(({ id }) => id === named)
  if (at !== -1) return at
  throw problem.notFound(
    `The list has no request ${JSON.stringify(named.slice(0, 100))} (parameter ${parameter}). Start again from the first page.`,
  )
}

/** What changes while a mock runs. */
export interface MockStatus {
  /** Whether the mock is shutting down. */
  readonly isDraining: boolean
  /** The path that an in-process mock is mounted at, such as `/mock`. */
  readonly mountedAt: string
}

/** What the admin API controls and reports. */
export interface AdminParts {
  readonly redactor: Redactor
  readonly sessions: Sessions
  readonly runs: Runs
  readonly store: Store
  /** The fixtures and scenarios, which may be reloaded at any time. */
  readonly sources: Sources
  /** The scenarios activated on the command line. */
  readonly defaults: readonly string[]
  /** The mock's time in epoch milliseconds. */
  readonly clock: () => number
  /** Monotonic time in milliseconds. */
  readonly elapsed: () => number
  /** When the mock started, by `elapsed`. */
  readonly startedAt: number
  /** Whether journals record requests. */
  readonly isJournaling: boolean
  readonly events: Events
  readonly metrics: Metrics
  readonly coverage: Coverage
  readonly journals: Journals
  readonly memory: Memory
  /** Maximum size of a JSON body, in bytes. */
  readonly maxBody: number
  /** Everything that affects the mock's responses. */
  readonly fingerprint: () => Promise<object>
  readonly status: MockStatus
  /** Metrics of a shared store; absent without one. */
  readonly storeMetrics?: StoreMetrics | undefined
  /** Metrics of the process; absent if the mock does not control one. */
  readonly processGauges?: (() => readonly ProcessGauge[]) | undefined
  /** Limits the time that request patterns take; absent without a limit. */
  readonly runInTime?: RunInTime | undefined
  /** Shuts down the mock; absent if it cannot shut itself down. */
  readonly onShutdown?: (() => void) | undefined
  readonly onNotice: (sentence: string) => void
  /** Answers a Model Context Protocol request whose body is already parsed. */
  readonly answerMcp: (request: Request, message: unknown, admin: AdminRequest) => Promise<Response>
  /** Sends a request to the mock itself. */
  readonly send: (request: Request) => Promise<Response>
  /** Loads a session's journal entries from the shared store, including this mock's own. Absent without a store. */
  readonly refresh: ((session: string) => Promise<void>) | undefined
}

/** @param param returns a path parameter */
export type AdminHandler = (
  admin: AdminRequest,
  param: (name: string) => string,
  c: Context<AdminEnv>,
) => Response | Promise<Response>

export type AdminRoutes = Routes<AdminHandler>

/** Adds routes of the admin API or the dashboard to an app. */
export const addAdminRoutes = (app: Hono<AdminEnv>, routes: AdminRoutes): void =>
  addRoutes(
    app,
    routes,
    (handle, c) => handle(c.env.admin, (name) => c.req.param(name) ?? '', c),
    ({ env }, methods) =>
      replyToOtherMethod(
        env.exchange,
        [...methods, ...(methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'])],
        `GET ${ADMIN_PATH} lists all paths.`,
      ),
  )
