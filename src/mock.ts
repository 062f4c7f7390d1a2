import { createAdmin, createAdminApi } from './admin/admin.ts'
import { toFingerprint, toIdentity } from './admin/fingerprint.ts'
import { createGate } from './admin/gate.ts'
import { createApp } from './app.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { createOAuth } from './auth/oauth.ts'
import { createTokens } from './auth/tokens.ts'
import { createChance, createSharedIds, toUuid } from './util/chance.ts'
import { createLocalClient } from './client/local-client.ts'
import { createDashboard, refusePage } from './dashboard/dashboard.ts'
import { createMetrics } from './journal/metrics.ts'
import { createRedactor } from './journal/redact.ts'
import type { Mock } from './mock-type.ts'
import type { MockOptions } from './options/options.ts'
import { parseOptions } from './options/parse-options.ts'
import { createPactSetup } from './pact/setup.ts'
import { createAdvanceVersion } from './pipeline/advance-version.ts'
import { createChooseScenarios, createDelay } from './pipeline/apply-scenarios.ts'
import { createEnterSession } from './pipeline/enter-session.ts'
import { createRequestContexts } from './pipeline/request-context.ts'
import { createLogRequest } from './pipeline/log-request.ts'
import { createOperationContexts, createPerform } from './pipeline/perform.ts'
import { createRecorder, serveAndRecord, serveBy } from './pipeline/record.ts'
import type { Wrap } from './pipeline/wrapped.ts'
import { createScenarioEngine } from './scenarios/engine.ts'
import { toDefaults } from './scenarios/load.ts'
import { openState } from './sessions/open-state.ts'
import { openSources } from './sessions/sources.ts'
import { createGenerator } from './state/generator.ts'

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

/**
 * As {@link createMock}, with a function around its app that may respond in its place.
 *
 * @param hasPassthrough whether it does so for paths that meet no endpoint, so that scenarios may name them
 */
export async function assembleMock(given: MockOptions, wrap: Wrap, hasPassthrough = false): Promise<Mock> {
  const options = parseOptions(given)
  const { seed, cors, adminOrigins = [], journal: capacity } = options
  const frozen = options.clock === undefined ? undefined : Date.parse(options.clock)
  const clock = frozen === undefined ? Date.now : () => frozen
  const chance = createChance(seed)
  // A frozen clock is for answers that are the same every time, ids included (D51).
  const newId = frozen === undefined ? () => crypto.randomUUID() : () => toUuid(chance)
  const onFault = options.onFault ?? ((fault: unknown) => console.error(fault))

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
    onFault,
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
    isToldLater: sharing !== undefined && capacity > 0,
  })
  const decoding = { strict: options.strict, maxBody: options.maxBody }
  const mode = options.auth
  const enterSession = createEnterSession({
    sessions,
    catchUp: ({ session }) => sharing?.catchUp(session),
    onEnter: recorder.begin,
  })
  const advanceVersion = createAdvanceVersion(store)
  const isHidden = !options.admin
  let isDraining = false
  const { fixtures, problems } = sources
  const shown = {
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
    ask: (request: Request) => send(request),
    look: sharing?.look,
  }
  const api = createAdminApi({
    ...shown,
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
      const { serveMcp } = await import('./mcp/serve-http.ts')
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
  const pages = createDashboard({ ...shown, api, token: options.adminToken })
  const gate = createGate({
    enterSession,
    look: shown.look,
    maxBody: decoding.maxBody,
    token: options.adminToken,
    origins: adminOrigins,
    host: options.host,
    isHidden,
  })
  const chooseScenarios = createChooseScenarios(
    createScenarioEngine({ catalog, defaults, chance, findExample }),
    decoding,
  )
  const delay = createDelay(options.delay, chance)
  const app = createApp({
    ...decoding,
    enterSession,
    chooseScenarios,
    delay,
    authenticate: createAuthenticator({ mode, tokens, clock }),
    operationContexts: createOperationContexts({
      store,
      fixtures,
      identity: options.identity,
      elapsed,
      newId,
      generate: generator.more,
    }),
    advanceVersion,
    perform: createPerform({
      store,
      seed,
      findExample,
      advanceVersion,
      createIds:
        sharing && frozen !== undefined
          ? (session) => createSharedIds(seed, session, store.position(session))
          : undefined,
    }),
    recorder,
    onFault,
    admin: createAdmin({ gate, api, pages, renderFault: refusePage }),
    hasDashboard: !isHidden,
    oauth: createOAuth({
      tokens,
      clock: ({ env }) => env.context.entered?.clock.now() ?? clock(),
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

  const createRequestContext = createRequestContexts({
    cors,
    clock,
    elapsed,
    // Mocks that share a store have the same seed, and their requests are in one journal.
    newId: sharing === undefined || frozen === undefined ? newId : createSharedIds(seed, 'requests', sharing.number),
  })
  const log =
    options.onRequest === undefined ? undefined : createLogRequest({ elapsed, redactor, log: options.onRequest })
  const { openTelemetry } = options
  const wrapped = wrap({ serve: serveBy(app), enterSession, chooseScenarios, delay, recorder, onFault })
  const serveRecorded = serveAndRecord({ serve: wrapped, recorder, log })
  const serve =
    openTelemetry === undefined
      ? serveRecorded
      : (await import('./pipeline/spans.ts')).serveInSpans(openTelemetry, serveRecorded)
  let mountedAt = ''
  const send = async (request: Request) => serve(createRequestContext(request, { mountedAt }))
  // The log is for the requests of the app under test, not for those of its tests.
  const sendAdmin = async (request: Request) => serve(createRequestContext(request, { mountedAt, isInternal: true }))
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
    serve: (request, connection) => serve(createRequestContext(request, { connection })),
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
