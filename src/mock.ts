import { createAdmin } from './admin/admin.ts'
import { createGuard } from './admin/guard.ts'
import { ADMIN_PATH } from './admin/route.ts'
import { createApp } from './app.ts'
import { refusePage } from './dashboard/refuse.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { createOAuth } from './auth/oauth.ts'
import { createTokens } from './auth/tokens.ts'
import { createChance, toUuid } from './util/chance.ts'
import { createAdvanceVersion } from './walk/advance-version.ts'
import { createContextOpener } from './walk/context.ts'
import { createDirect } from './walk/direct.ts'
import { createDoor } from './walk/door.ts'
import { createEvents } from './sessions/events.ts'
import { toFingerprint } from './admin/fingerprint.ts'
import { toMountedArrival } from './http/arrival.ts'
import { toResponse } from './walk/exchange.ts'
import type { Exchange } from './walk/exchange.ts'
import { createJournals } from './journal/journal.ts'
import { createMetrics } from './journal/metrics.ts'
import { createRedactor } from './journal/redact.ts'
import { createRecorder } from './walk/recorder.ts'
import { createDelay } from './walk/delay.ts'
import type { Mock } from './mock-type.ts'
import type { MockOptions } from './options.ts'
import { parseOptions } from './options/parse-options.ts'
import { loadInspect } from './walk/load-inspect.ts'
import { SETUP_PATH, createPactSetup } from './pact/setup.ts'
import { createPerform } from './walk/perform.ts'
import { createServe } from './walk/serve.ts'
import type { Surround } from './walk/surround.ts'
import { createScenarioEngine } from './scenarios/engine.ts'
import { toDefaults } from './scenarios/load.ts'
import { createRuleRunner } from './scenarios/rule-runner.ts'
import { createScenarioState } from './scenarios/scenario-state.ts'
import { createSessionOpener } from './sessions/opener.ts'
import { createSessions } from './sessions/sessions.ts'
import { openSources } from './sources.ts'
import { createGenerator } from './state/generator.ts'
import { createSnapshotOpener } from './state/snapshots.ts'
import { createStateAdapter } from './state/state-adapter.ts'
import { openStore } from './state/store.ts'
import { toStateLimits } from './state/usage.ts'

export type { Mock } from './mock-type.ts'

/** Milliseconds of a clock that never stands still. */
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
  return assembleMock(options, ({ app }) => app)
}

/** As {@link createMock}, with something around its app that may answer in its place. */
export async function assembleMock(given: MockOptions, surround: Surround): Promise<Mock> {
  const options = parseOptions(given)
  const { seed, cors, adminOrigins = [], journal: capacity } = options
  const frozen = options.clock === undefined ? undefined : Date.parse(options.clock)
  const clock = frozen === undefined ? Date.now : () => frozen
  const chance = createChance(seed)
  // A frozen clock is for answers that are the same every time, ids included (D51).
  const newId = frozen === undefined ? () => crypto.randomUUID() : () => toUuid(chance)
  const now = () => new Date(clock()).toISOString()
  const onFault = options.onFault ?? ((fault: unknown) => console.error(fault))

  const generator = createGenerator(seed, options.generate)
  const sources = await openSources(options, await generator.first())
  const { catalog, findExample } = sources
  const events = createEvents()
  const store = await openStore({
    seed: sources.seed(),
    // One that went while a request in it was under way begins again, so that no data are without a session.
    enter: (session) => void sessions.enter(session),
    limits: toStateLimits(options.imageBytes, options.persistence !== undefined),
    makeRoom: () => sessions.endIdlest(),
    onWrite: events.noteWrite,
    ...(options.persistence === undefined ? {} : { adapter: createStateAdapter(options.persistence) }),
  })
  const tokens = createTokens({ secret: options.tokenSecret, clock })
  const redactor = createRedactor(options.redact ?? [])
  const journals = createJournals({
    redactor,
    capacity,
    maxBytes: options.journalBytes,
    // What reads a journal must not change what a seed makes.
    newId: () => crypto.randomUUID(),
  })
  const sessions = createSessions({
    max: options.maxSessions,
    ttl: options.sessionTtl,
    // Sessions idle by the real time, however the mock's own stands.
    clock: Date.now,
    known: store.sessions(),
    createScenarioState: () => createScenarioState(() => createRuleRunner({ seed, elapsed })),
    createJournal: () => journals.open(),
    createSnapshots: createSnapshotOpener(),
    hasWritten: (name) => store.written(name).size > 0,
    onEnd(name, isFinal) {
      store.replaceSession(name, undefined)
      events.publish({ kind: 'state', session: name, ended: true, ...(isFinal ? { final: true } : {}) })
      events.end(name)
    },
  })
  const metrics = createMetrics()
  const recorder = createRecorder({ elapsed, metrics, events, isKept: capacity > 0 })
  const decoding = { strict: options.strict, maxBody: options.maxBody }
  const defaults = toDefaults(options.scenario ?? [], catalog)
  const engine = createScenarioEngine({ catalog, defaults, chance, findExample })
  const mode = options.auth
  const adminCors = { only: adminOrigins }
  /** What this process itself asks of the admin API, which stays open to it. */
  const inside = new WeakSet<Exchange>()
  const isHidden = options.admin ? undefined : (exchange: Exchange) => !inside.has(exchange)
  const guard = createGuard({ token: options.adminToken, origins: adminOrigins, host: options.host })
  const own = createApp({
    ...decoding,
    sessions,
    direct: createDirect(engine, decoding),
    delay: createDelay(options.delay, chance),
    authenticate: createAuthenticator({ mode, tokens, clock }),
    openContext: createContextOpener({
      store,
      fixtures: sources.fixtures,
      identity: options.identity,
      now,
      newId,
      generate: generator.more,
    }),
    perform: createPerform({ store, seed, findExample }),
    advanceVersion: createAdvanceVersion(store),
    mounted: [
      {
        path: '/oauth',
        app: createOAuth({ tokens, clock, clients: options.clients, mode }),
        isReserved: false,
        isJournaled: true,
      },
      {
        path: ADMIN_PATH,
        app: createAdmin({
          sessions,
          store,
          catalog,
          defaults,
          fixtures: sources.fixtures,
          problems: sources.problems,
          fingerprint: () => toFingerprint(options, sources.texts()),
          events,
          metrics,
          journals,
          clock,
          elapsed,
          maxBody: decoding.maxBody,
          isJournaling: capacity > 0,
          token: options.adminToken,
          ask: (request) => answer(request),
          onShutdown: options.onShutdown,
        }),
        guard,
        isHidden,
        refuse: refusePage,
        cors: adminCors,
        isReserved: true,
        isJournaled: false,
      },
      {
        path: SETUP_PATH,
        app: createPactSetup({ sessions, store, catalog, fixtures: sources.fixtures, events, ...decoding }),
        guard,
        isHidden,
        cors: adminCors,
        isReserved: false,
        isJournaled: false,
      },
    ],
    recorder,
    cors,
    onFault,
    inspect: options.checkResponses ? await loadInspect({ cors, onFault }) : undefined,
  })
  const app = surround({ app: own, sessions, cors, onFault })

  const door = createDoor({ clock, elapsed, newId, redactor })
  const serve = createServe({ app, door, recorder, cors, onFault, log: options.onRequest })
  let mountedAt = ''
  const answer = async (request: Request): Promise<Response> =>
    toResponse(await serve(toMountedArrival(request, mountedAt)))
  const { fetch, session, setUrl } = createSessionOpener({
    token: options.adminToken,
    send: answer,
    // What a test does is no line of the log, which tells what the app under test does.
    async sendAdmin(request) {
      const exchange = door.open(toMountedArrival(request, mountedAt))
      inside.add(exchange)
      return toResponse(await app(exchange))
    },
    newId: () => crypto.randomUUID(),
    onMount: (path) => {
      mountedAt = path
    },
  })

  return {
    serve,
    fetch,
    session,
    setUrl,
    async reload(texts) {
      try {
        await sources.reload(texts)
      } finally {
        store.reseed(sources.seed())
      }
    },
    endStreams: () => events.end(),
    async close() {
      events.end()
      await store.commit()
    },
  }
}
