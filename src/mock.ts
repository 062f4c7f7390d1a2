import { createApp } from './app.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { createOAuth } from './auth/oauth.ts'
import { createTokens } from './auth/tokens.ts'
import { createChance, toUuid } from './chance.ts'
import { createContextOpener } from './context.ts'
import { createDirect } from './direct.ts'
import { SetupError } from './errors.ts'
import { createExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { parseAddress } from './http/address.ts'
import type { Address } from './http/address.ts'
import type { Connection } from './http/connection.ts'
import { createDelay } from './delay.ts'
import type { MockOptions } from './options.ts'
import { createPerform } from './perform.ts'
import { toFaultResponse } from './respond.ts'
import { createCatalog } from './scenarios/catalog.ts'
import { createDirector } from './scenarios/director.ts'
import type { FindExample } from './scenarios/effects.ts'
import { loadAllScenarios, toDefaults } from './scenarios/load.ts'
import { createPlayer } from './scenarios/player.ts'
import { createSessions, toSessionName } from './sessions.ts'
import { loadFixtures } from './state/fixtures.ts'
import { createGenerator } from './state/generator.ts'
import { createProjectData } from './state/project-data.ts'
import { createStateAdapter } from './state/state-adapter.ts'
import { openStore } from './state/store.ts'

/** A mock of the service: real state, reached by requests. */
export interface Mock {
  /**
   * Answers a request; never throws for what a request did.
   *
   * @example await mock.fetch(new Request('http://mock/acme/resource'))
   */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** Resolves when all that was written is kept. */
  close(): Promise<void>
}

const HOUR = 3_600_000
const MEBIBYTE = 1024 * 1024

/** Where a request is aimed whose URL cannot be read. */
const NOWHERE: Address = { session: undefined, baseUrl: undefined, prefix: '', path: '/', search: '' }

function createClock(frozen: string | undefined): () => number {
  if (frozen === undefined) return Date.now
  const at = Date.parse(frozen)
  if (Number.isNaN(at)) {
    throw new SetupError(`The clock ${JSON.stringify(frozen)} is no date-time. Give one such as 2026-01-31T12:00:00Z.`)
  }
  return () => at
}

/**
 * Creates a mock. It needs no socket and no file system: it runs in Node, in workers and in the browser.
 *
 * @throws {SetupError} when an option or a fixture is not what it must be; the sentence says which, and why.
 * @example
 * const mock = await createMock({ auth: 'off' })
 * const response = await mock.fetch(new Request('http://mock/acme/resource'))
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  const { seed = 1, cors = 'any' } = options
  const clock = createClock(options.clock)
  const chance = createChance(seed)
  // A frozen clock is for answers that are the same every time, ids included (D51).
  const newId = options.clock === undefined ? () => crypto.randomUUID() : () => toUuid(chance)
  const now = () => new Date(clock()).toISOString()
  const onFault = options.onFault ?? ((fault: unknown) => console.error(fault))

  const fixtures = await loadFixtures(options.fixtures ?? {})
  const catalog = createCatalog(await loadAllScenarios(options.scenarios ?? {}))
  const generate = createGenerator(seed, options.generate ?? 0)
  const store = await openStore({
    seed: createProjectData([...fixtures.resources, ...(await generate.first())], fixtures.action),
    ...(options.persistence === undefined ? {} : { adapter: createStateAdapter(options.persistence) }),
  })
  const tokens = createTokens({ secret: options.tokenSecret, clock })
  const createStageplay = () => ({
    active: undefined,
    defined: new Map(),
    player: createPlayer({ seed, elapsed: () => performance.now() }),
  })
  const sessions = createSessions({
    max: options.maxSessions ?? 1000,
    ttl: options.sessionTtl ?? HOUR,
    clock,
    createStageplay,
    onEnd: (name) => store.replaceSession(name, undefined),
  })
  const findExample: FindExample = (endpoint, status, name) => {
    const isDocumented = endpoint.responses[status]?.examples?.[name] !== undefined
    return isDocumented ? fixtures.custom[name as keyof typeof fixtures.custom] : undefined
  }
  const decoding = { strict: options.strict ?? false, maxBody: options.maxBody ?? 10 * MEBIBYTE }
  const director = createDirector({
    catalog,
    defaults: toDefaults(options.scenario ?? [], catalog),
    chance,
    findExample,
  })
  const mode = options.auth ?? 'lenient'
  const app = createApp({
    ...decoding,
    sessions,
    direct: createDirect(director, decoding),
    delay: createDelay(options.delay, chance),
    authenticate: createAuthenticator({ mode, tokens, clock }),
    openContext: createContextOpener({
      store,
      fixtures,
      identity: options.identity ?? 'header',
      now,
      newId,
      generate: generate.more,
    }),
    perform: createPerform({ store, seed, findExample }),
    mounted: [{ path: '/oauth', app: createOAuth({ tokens, clock, clients: options.clients, mode }) }],
    cors,
    onFault,
  })

  const correlationPrefix = newId().slice(0, 18)
  let correlations = 0
  const newCorrelationId = () => {
    correlations += 1
    return `${correlationPrefix}-${correlations.toString(36).padStart(6, '0')}`
  }

  function open(request: Request, connection: Connection | undefined): Exchange {
    const at = { request, connection, receivedAt: clock(), startedAt: performance.now() }
    try {
      const address = parseAddress(request.url)
      const session = toSessionName(address.session, request.headers)
      return createExchange({ ...at, address, session }, newCorrelationId)
    } catch (fault) {
      return { ...createExchange({ ...at, address: NOWHERE, session: '' }, newCorrelationId), fault }
    }
  }

  function log(exchange: Exchange, { status }: Response): void {
    const { request, receivedAt, startedAt, correlationId, operation, session, scenarios, warnings } = exchange
    options.onRequest?.({
      time: new Date(receivedAt).toISOString(),
      method: request.method,
      target: request.url.slice(request.url.indexOf('/', request.url.indexOf('//') + 2)),
      status,
      durationMilliseconds: performance.now() - startedAt,
      correlationId,
      ...(operation === undefined ? {} : { operation }),
      session,
      scenarios,
      warnings,
    })
  }

  return {
    async fetch(request, connection) {
      const exchange = open(request, connection)
      const response =
        exchange.fault === undefined
          ? await app.fetch(request, { exchange })
          : toFaultResponse(exchange, exchange.fault, { cors, onFault })
      log(exchange, response)
      return response
    },
    async close() {
      await store.commit()
    },
  }
}
