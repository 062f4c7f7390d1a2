import { toFingerprint, toIdentity } from './admin/api/fingerprint.ts'
import { createGate } from './admin/api/gate.ts'
import { createApp } from './app/app.ts'
import type { AdminParts, MockStatus } from './admin/api/request.ts'
import { SetupError } from './errors.ts'
import type { Problem } from './errors.ts'
import { createAuthenticator } from './service/auth/authenticate.ts'
import { createOAuth } from './service/auth/oauth.ts'
import { createTokens } from './service/auth/tokens.ts'
import { expectFetch } from './util/expect-fetch.ts'
import { createChance, createSharedIds, toUuid } from './util/chance.ts'
import { createLocalClient } from './admin/client/session-client.ts'
import { createMetrics } from './sessions/journal/counts.ts'
import { createRedactor } from './sessions/journal/redact.ts'
import type { Connection } from './service/http/connection.ts'
import type { SessionHandle } from './admin/client/session-handle.ts'
import type { ReadTexts } from './sessions/sources.ts'
import type { MockOptions, ParsedOptions } from './app/options/options.ts'
import { parseOptions } from './app/options/options.ts'
import { createExchanges } from './app/pipeline/exchange.ts'
import { createEnterAtOnce, createEnterSession } from './app/pipeline/enter-session.ts'
import type { Exchange } from './app/pipeline/exchange.ts'
import { createPerformer } from './app/pipeline/perform.ts'
import { createReadFirst } from './app/pipeline/read-first.ts'
import { createScenarioSteps } from './app/pipeline/scenarios.ts'
import { replyWithError } from './app/pipeline/reply.ts'
import { createRecorder } from './app/pipeline/recorder.ts'
import type { ReportError, Serve } from './app/pipeline/reply.ts'
import { createScenarioEngine } from './service/scenarios/engine.ts'
import { toDefaults } from './service/scenarios/load.ts'
import { createFindUseless } from './service/scenarios/match.ts'
import { openState } from './sessions/open-state.ts'
import { openSources } from './sessions/sources.ts'
import { createGenerator } from './service/state/generate.ts'

/** A stateful mock of the service. */
export interface Mock {
  /**
   * Sends a request to the mock, like `fetch`; the host is ignored. Rejects if a scenario breaks the connection or the
   * request is aborted, but never because of an invalid request.
   *
   * @param input any input of `fetch`, or a path of the mock, such as `/acme/resource`
   * @example await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** Serves a request that a server received over a connection. */
  serve(request: Request, connection: Connection): Response | Promise<Response>
  /**
   * Returns a handle of a session, to switch scenarios, read requests and change data. Requests without a session name use
   * the session `default`.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`
   * @throws {SetupError} for an invalid session name.
   * @example
   * const session = mock.session('worker-1')
   * await session.use('conflict-once')
   */
  session(name: string): SessionHandle
  /** Sets the URL at which the mock is served, for the base URLs of its sessions. Default `http://mock`. */
  setUrl(url: string): void
  /**
   * Reloads fixtures and scenarios. Projects with changes keep their data until they are reset.
   *
   * @throws {SetupError} with a list of everything that is invalid; the last valid version stays in use.
   */
  reload(texts: ReadTexts): Promise<void>
  /** From now on, responds to `/__admin/health/ready` with 503; other requests are served as before. */
  drain(): void
  /** Ends the event streams of the admin API, which would otherwise stay open. */
  endStreams(): void
  /** Resolves when all writes are saved. */
  close(): Promise<void>
}

/** The time of the system. Looked up for each reading, because tests replace `Date` by a fake one, and restore it. */
const now = (): number => Date.now()

/** A monotonic clock, in milliseconds. Fake timers of a test start again at 0: a step back counts as no time. */
function createMonotonicClock() {
  let last = performance.now()
  let passed = 0
  return function elapsed(): number {
    const reading = performance.now()
    passed += Math.max(0, reading - last)
    last = reading
    return passed
  }
}

const elapsed = createMonotonicClock()

/**
 * Creates a mock. It needs no sockets or file system, so it runs in Node, workers and browsers.
 *
 * @throws {SetupError} for an invalid option or fixture, with the reason; where there is no `fetch`.
 * @example
 * const mock = await createMock({ auth: 'off' })
 * const response = await mock.fetch(new Request('http://mock/acme/resource'))
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  return assembleMock(options, ({ serve }) => serve)
}

/**
 * Opens the mutable state of the service: fixtures and scenarios, sessions with their data and journals, tokens, counters.
 */
async function openMockState(options: ParsedOptions, hasPassthrough: boolean) {
  const { seed, journal: capacity } = options
  const frozen = options.clock === undefined ? undefined : Date.parse(options.clock)
  const clock = frozen === undefined ? now : () => frozen
  const chance = createChance(seed)
  // With a frozen clock, responses are reproducible, including ids (D51).
  // `toLowerCase` joins the twenty pieces that Node returns, which take ten times the memory.
  const newId = frozen === undefined ? () => crypto.randomUUID().toLowerCase() : () => toUuid(chance)
  const reportError: ReportError = options.onFault ?? ((error: unknown) => console.error(error))

  const generator = createGenerator(seed, options.generate)
  const sources = await openSources(options, await generator.first(), createFindUseless(hasPassthrough))
  const redactor = createRedactor(options.redact ?? [])
  const defaults = toDefaults(options.scenario ?? [], sources.catalog)
  const fingerprint = () => toFingerprint(options, sources.texts())
  const state = await openState(options, {
    sources,
    defaults,
    redactor,
    clock,
    now,
    elapsed,
    identify: async () => toIdentity(await fingerprint(), options, hasPassthrough),
    async identifyFixtures() {
      const { fixtures } = await fingerprint()
      return options.generate === 0 ? fixtures : `${fixtures}, ${options.generate} generated from ${seed}`
    },
    onFault: reportError,
  })
  const { events, sessions, sharing, store } = state
  const metrics = createMetrics()
  const isJournaling = capacity > 0
  const recorder = createRecorder({
    elapsed,
    metrics,
    events,
    redactor,
    isKept: isJournaling,
    isReportedLater: sharing !== undefined && isJournaling,
    refresh: sharing?.look,
    log: options.onRequest,
  })
  const enterAtOnce = createEnterAtOnce(sessions, recorder.begin, options.strict)
  const readFirst =
    sharing &&
    createReadFirst({
      sharing,
      sessions,
      defaults,
      recorder,
      reportError,
      mayRepeat: isJournaling && options.delay.to === 0,
    })
  // Mocks that share a store have the same seed and a common journal.
  const sharesIds = sharing !== undefined && frozen !== undefined
  return {
    ...state,
    redactor,
    sources,
    generator,
    defaults,
    fingerprint,
    clock,
    chance,
    newId,
    newExchangeId: sharesIds ? createSharedIds(seed, 'requests', sharing.number) : newId,
    createIds: sharesIds
      ? (session: string) => createSharedIds(seed, session, store.position(session).position)
      : undefined,
    tokens: createTokens({ secret: options.tokenSecret ?? sharing?.secret, clock }),
    metrics,
    isJournaling,
    recorder,
    reportError,
    enterAtOnce: sharing === undefined ? enterAtOnce : undefined,
    enterSession: createEnterSession(enterAtOnce, readFirst?.catchUp),
    readFirst,
  }
}

type MockState = Awaited<ReturnType<typeof openMockState>>

/** Creates the dashboard, the admin API and their access control. */
function createMockAdmin(
  options: ParsedOptions,
  state: MockState,
  service: {
    readonly status: MockStatus
    /** Sends a request on behalf of a client of the admin API; it cannot reach the admin API. */
    readonly send: (request: Request) => Promise<Response>
    readonly sendAdmin: (request: Request) => Promise<Response>
  },
) {
  const { sharing, enterSession, sessions, runs, store, events, journals, coverage, memory, metrics, clock } = state
  const { sources, redactor, defaults, isJournaling, fingerprint } = state
  const { adminToken: token, maxBody, processGauges, runInTime, onShutdown } = options
  const { status, send, sendAdmin } = service
  const refresh = sharing?.look
  const startedAt = elapsed()
  const gate = createGate({
    enterSession,
    refresh,
    archived: sharing?.archived,
    maxBody,
    token,
    origins: options.adminOrigins ?? [],
    host: options.host,
    isHidden: !options.admin,
  })
  const parts: AdminParts = {
    sources,
    sessions,
    runs,
    store,
    events,
    journals,
    coverage,
    memory,
    metrics,
    redactor,
    defaults,
    isJournaling,
    fingerprint,
    clock,
    elapsed,
    startedAt,
    status,
    maxBody,
    processGauges,
    runInTime,
    onShutdown,
    onNotice: options.onNotice ?? console.warn,
    storeMetrics: sharing?.metrics,
    refresh,
    send,
    async answerMcp(request, message, admin) {
      // Loaded on demand: large, and only needed by agents.
      const { serveMcp } = await import('./admin/mcp/server.ts')
      const baseUrl = admin.origin + status.mountedAt
      return serveMcp(request, message, { baseUrl, session: admin.session.name, token, send, sendAdmin })
    },
  }
  return {
    async createAdmin() {
      // Loaded on demand: few tests of an app call the admin API, which is a third of all code.
      const { createAdminApp } = await import('./admin/dashboard/dashboard.ts')
      return createAdminApp(gate, { ...parts, enterSession, token, sendAdmin })
    },
  }
}

/** Creates the app, and the steps it shares with other ways of serving requests. */
async function createMockApp(options: ParsedOptions, state: MockState, admin: ReturnType<typeof createMockAdmin>) {
  const { sources, generator, tokens, clock, chance, enterSession, recorder, reportError } = state
  const { catalog, findExample } = sources
  const { auth: mode, seed, strict, maxBody } = options
  const engine = createScenarioEngine({ catalog, defaults: state.defaults, chance, findExample })
  const scenarioSteps = createScenarioSteps({ engine, chance, delay: options.delay, maxBody, recorder })
  const { store, newId, createIds } = state
  const { identity } = options
  const app = createApp({
    strict,
    maxBody,
    enterAtOnce: state.enterAtOnce,
    enterSession,
    ...scenarioSteps,
    ...createAuthenticator({ mode, tokens, clock }),
    ...createPerformer({
      store,
      sources,
      identity,
      seed,
      newId,
      createIds,
      generate: generator.more,
    }),
    recorder,
    reportError,
    ...admin,
    hasDashboard: options.admin,
    oauth: createOAuth({
      tokens,
      clock: ({ env }) => env.exchange.session?.clock.now() ?? clock(),
      clients: options.clients,
      mode,
    }),
    checkAnswer: options.checkResponses ? (await import('./app/pipeline/check-answer.ts')).checkAnswer : undefined,
  })
  const serve: Serve = (exchange) => app.fetch(exchange.request, { exchange })
  return { serve, enterSession, ...scenarioSteps, reportError }
}

/** The app's `serve` function, and the pipeline steps for other ways of serving requests. */
export type MockService = Awaited<ReturnType<typeof createMockApp>>

/**
 * Like {@link createMock}, with a wrapper around the app that may respond instead.
 *
 * @param hasPassthrough whether the wrapper serves paths without an endpoint, so that scenarios may match them
 */
export async function assembleMock(
  mockOptions: MockOptions,
  wrap: (service: MockService) => Serve,
  hasPassthrough = false,
): Promise<Mock> {
  expectFetch()
  const options = parseOptions(mockOptions)
  const { adminToken: token } = options
  const status = { isDraining: false, mountedAt: '' }

  const state = await openMockState(options, hasPassthrough)
  const admin = createMockAdmin(options, state, { status, send: sendToService, sendAdmin })
  const app = wrap(await createMockApp(options, state, admin))
  const answer = state.readFirst?.wrap(app) ?? app

  const { sources, recorder, clock, newExchangeId: newId, enterSession, reportError } = state
  const createExchange = createExchanges({ cors: options.cors, clock, elapsed, newId })

  /** Answers a request that the server refuses. It belongs to the default session, whatever it names. */
  async function refuse(exchange: Exchange, refusal: Problem): Promise<Response> {
    await enterSession(exchange, { isForwarded: true })
    return replyWithError(exchange, refusal, reportError)
  }

  const serve: Serve = (exchange) => {
    const refusal = exchange.connection?.refusal
    const answering = refusal === undefined ? answer(exchange) : refuse(exchange, refusal)
    return recorder.end(exchange, answering)
  }

  async function send(request: Request): Promise<Response> {
    return serve(createExchange(request, { mountedAt: status.mountedAt }))
  }

  async function sendToService(request: Request): Promise<Response> {
    return serve(createExchange(request, { mountedAt: status.mountedAt, isForService: true }))
  }

  /** Sends an admin request without logging it: the log is for the app under test, not for the tests. */
  async function sendAdmin(request: Request): Promise<Response> {
    return serve(createExchange(request, { mountedAt: status.mountedAt, isInternal: true }))
  }

  const { fetch, session, setUrl } = createLocalClient({
    token,
    send,
    sendAdmin,
    newId: () => crypto.randomUUID(),
    onMount: (path) => {
      status.mountedAt = path
    },
  })

  return {
    serve: (request, connection) => serve(createExchange(request, { connection })),
    fetch,
    session,
    setUrl,
    async reload(texts) {
      if (state.sharing !== undefined)
        throw new SetupError(
          'Mocks that share a store cannot reload fixtures and scenarios. Restart them with another ?prefix= in --store.',
        )
      await sources.reload(texts)
    },
    drain() {
      status.isDraining = true
    },
    endStreams: () => state.events.end(),
    close: state.close,
  }
}
