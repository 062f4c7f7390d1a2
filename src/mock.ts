import { createAdmin, createAdminApi, createGate } from './admin/admin.ts'
import { toFingerprint, toIdentity } from './admin/reports.ts'
import { createApp } from './app.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { createOAuth } from './auth/oauth.ts'
import { createTokens } from './auth/tokens.ts'
import { createChance, createSharedIds, toUuid } from './util/chance.ts'
import { createLocalClient } from './client/session-client.ts'
import { createDashboard, refusePage } from './dashboard/dashboard.ts'
import { createMetrics } from './journal/counts.ts'
import { createRedactor } from './journal/redact.ts'
import type { Mock } from './mock-type.ts'
import type { MockOptions } from './options/options.ts'
import { parseOptions } from './options/options.ts'
import { createPactSetup } from './pact/setup.ts'
import { createEnterSession, createExchanges } from './pipeline/exchange.ts'
import type { EnterSession } from './pipeline/exchange.ts'
import { createPerformer, createChooseScenarios, createDelay } from './pipeline/perform.ts'
import { createRecorder } from './pipeline/reply.ts'
import type { Recorder, ReportError, Serve } from './pipeline/reply.ts'
import type { ChooseScenarios, DelayRequest } from './pipeline/perform.ts'
import { createScenarioEngine } from './scenarios/engine.ts'
import { toDefaults } from './scenarios/load.ts'
import { openState } from './sessions/open-state.ts'
import { openSources } from './sessions/sources.ts'
import { createGenerator } from './state/generate.ts'

export type { Mock } from './mock-type.ts'

/** Milliseconds of a monotonic clock. */
const elapsed = (): number => performance.now()

/**
 * Creates a mock. It needs no socket and no file system: it runs in Node, in workers and in the browser.
 *
 * @throws {SetupError} when an option or a fixture is not what it must be; the sentence says which, and why.
 * @example
 * const mock = await createMock({ auth: 'off' })
 * const response = await mock.fetch(new Request('http://mock/acme/resource'))
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  return assembleMock(options, ({ serve }) => serve)
}

/** What another way of serving requests is built from: the mock's own, and the steps that it shares. */
export interface MockService {
  /** Serves a request by the mock's own app. */
  readonly serve: Serve
  readonly enterSession: EnterSession
  readonly chooseScenarios: ChooseScenarios
  readonly delay: DelayRequest
  readonly recorder: Recorder
  readonly reportError: ReportError
}

/**
 * As {@link createMock}, with a function around its app that may respond instead of it.
 *
 * @param hasPassthrough whether it does so for paths that meet no endpoint, so that scenarios may name them
 */
export async function assembleMock(
  given: MockOptions,
  wrap: (service: MockService) => Serve,
  hasPassthrough = false,
): Promise<Mock> {
  const options = parseOptions(given)
  const { seed, cors, adminOrigins = [], journal: capacity } = options
  const frozen = options.clock === undefined ? undefined : Date.parse(options.clock)
  const clock = frozen === undefined ? Date.now : () => frozen
  const chance = createChance(seed)
  // A frozen clock is for answers that are the same every time, ids included (D51).
  const newId = frozen === undefined ? () => crypto.randomUUID() : () => toUuid(chance)
  const reportError: ReportError = options.onFault ?? ((fault: unknown) => console.error(fault))

  const generator = createGenerator(seed, options.generate)
  const sources = await openSources(options, await generator.first(), hasPassthrough)
  const { catalog, findExample } = sources
  const redactor = createRedactor(options.redact ?? [])
  const defaults = toDefaults(options.scenario ?? [], catalog)
  const fingerprint = () => toFingerprint(options, sources.texts())
  const state = await openState(options, {
    seed: sources.seed,
    catalog,
    defaults,
    redactor,
    clock,
    elapsed,
    identify: async () => toIdentity(await fingerprint(), options, hasPassthrough),
    onFault: reportError,
  })
  const { coverage, events, journals, sessions, sharing, store } = state
  const tokens = createTokens({ secret: options.tokenSecret ?? sharing?.secret, clock })
  const metrics = createMetrics()
  const recorder = createRecorder({
    elapsed,
    metrics,
    events,
    redactor,
    isKept: capacity > 0,
    isReportedLater: sharing !== undefined && capacity > 0,
    log: options.onRequest,
  })
  const decoding = { strict: options.strict, maxBody: options.maxBody }
  const mode = options.auth
  const enterSession = createEnterSession(sessions, ({ sessionName }) => sharing?.catchUp(sessionName), recorder.begin)
  const isHidden = !options.admin
  let isDraining = false
  const { fixtures, problems } = sources
  const adminDeps = {
    sessions,
    journals,
    store,
    catalog,
    defaults,
    fixtures,
    problems,
    clock,
    elapsed,
    coverage,
    isJournaling: capacity > 0,
    send: (request: Request) => send(request),
    refresh: sharing?.look,
  }
  const api = createAdminApi({
    ...adminDeps,
    hasPassthrough,
    fingerprint,
    events,
    metrics,
    storeMetrics: sharing?.metrics,
    maxBody: decoding.maxBody,
    isDraining: () => isDraining,
    processGauges: options.processGauges,
    onShutdown: options.onShutdown,
    onNotice: options.onNotice ?? console.warn,
    async answerMcp(request, message, admin) {
      // Large, and for agents alone.
      const { serveMcp } = await import('./mcp/server.ts')
      const baseUrl = admin.origin + mountedAt
      return serveMcp(request, message, {
        baseUrl,
        session: admin.session.name,
        token: options.adminToken,
        send,
        sendAdmin,
      })
    },
  })
  const pages = createDashboard({ ...adminDeps, api, token: options.adminToken })
  const gate = createGate({
    enterSession,
    refresh: sharing?.look,
    maxBody: decoding.maxBody,
    token: options.adminToken,
    origins: adminOrigins,
    host: options.host,
    isHidden,
  })
  const chooseScenarios = createChooseScenarios(
    createScenarioEngine({ catalog, defaults, chance, findExample }),
    options.maxBody,
  )
  const delay = createDelay(options.delay, chance)
  const app = createApp({
    ...decoding,
    enterSession,
    chooseScenarios,
    delay,
    authenticate: createAuthenticator({ mode, tokens, clock }),
    performer: createPerformer({
      store,
      fixtures,
      identity: options.identity,
      seed,
      findExample,
      elapsed,
      newId,
      createIds:
        sharing && frozen !== undefined
          ? (session) => createSharedIds(seed, session, store.position(session))
          : undefined,
      generate: generator.more,
    }),
    recorder,
    reportError,
    admin: createAdmin(gate, { pages, api }, refusePage),
    hasDashboard: !isHidden,
    oauth: createOAuth({
      tokens,
      clock: ({ env }) => env.exchange.session?.clock.now() ?? clock(),
      clients: options.clients,
      mode,
    }),
    pactSetup: createPactSetup({
      gate,
      enterSession,
      sessions,
      store,
      catalog,
      fixtures,
      events,
      maxBody: decoding.maxBody,
    }),
    checkAnswer: options.checkResponses ? (await import('./pipeline/check-answer.ts')).checkAnswer : undefined,
  })

  const createExchange = createExchanges({
    cors,
    clock,
    elapsed,
    // Mocks that share a store have the same seed, and their requests are in one journal.
    newId: sharing === undefined || frozen === undefined ? newId : createSharedIds(seed, 'requests', sharing.number),
  })
  const answer = wrap({
    serve: (exchange) => app.fetch(exchange.request, { exchange }),
    enterSession,
    chooseScenarios,
    delay,
    recorder,
    reportError,
  })
  const serveRecorded: Serve = (exchange) => recorder.end(exchange, answer(exchange))
  const serve =
    options.openTelemetry === undefined
      ? serveRecorded
      : (await import('./pipeline/spans.ts')).serveInSpans(options.openTelemetry, serveRecorded)
  let mountedAt = ''
  const send = async (request: Request) => serve(createExchange(request, { mountedAt }))
  // The log is for the requests of the app under test, not for those of its tests.
  const sendAdmin = async (request: Request) => serve(createExchange(request, { mountedAt, isInternal: true }))
  const { fetch, session, setUrl } = createLocalClient({
    token: options.adminToken,
    send,
    sendAdmin,
    newId: () => crypto.randomUUID(),
    onMount: (path) => {
      mountedAt = path
    },
  })

  return {
    serve: (request, connection) => serve(createExchange(request, { connection })),
    fetch,
    session,
    setUrl,
    async reload(texts) {
      sharing?.refuseReload()
      await sources.reload(texts)
    },
    drain() {
      isDraining = true
    },
    endStreams: () => events.end(),
    close: state.close,
  }
}
