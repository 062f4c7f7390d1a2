import {
  getAction,
  getActionWithExample,
  getActionWithHeaders,
  postAction,
  postComplex,
  uploadImage,
  updateResource,
  createResource,
  deleteResource,
  overwriteResource,
  putResource,
  revise,
} from '../../service/operations/writes.ts'
import {
  checkResources,
  queryResources,
  searchResources,
  sortedQuery,
  getResourceById,
  getResourceByKey,
} from '../../service/operations/reads.ts'
import type { Operation, Context } from '../../service/operations/reads.ts'
import { parseDelayHeader, wait } from '../../service/http/connection.ts'
import type { Delay } from '../../service/http/connection.ts'
import { readJsonBody } from '../../service/http/body.ts'
import { parseRawQuery, toBaseUrlName, isRead } from '../../service/http/request-head.ts'
import { decision } from '../../service/contract/decisions.ts'
import { endpoints } from '../../service/contract/endpoints.ts'
import type { OperationId } from '../../service/contract/endpoints.ts'
import type { Answer, Input } from '../../service/contract/types.ts'
import { applyIdentity, describeIgnored, findPreferred, preferStatus } from '../../service/scenarios/preferred.ts'
import type { Identity, Preferred } from '../../service/scenarios/preferred.ts'
import type { ResourceList } from '../../service/state/resource.ts'
import { createHiddenProject, ExtendedProject, Project } from '../../service/state/project.ts'
import { memoize } from '../../util/collections.ts'
import { inSlices } from '../../util/time-slices.ts'
import type { Endpoint } from '../../service/contract/endpoint.ts'
import { NO_EFFECTS } from '../../service/scenarios/effects.ts'
import type { Effects, FindExample, OtherWriter } from '../../service/scenarios/effects.ts'
import type { ScenarioEngine } from '../../service/scenarios/engine.ts'
import type { MatchInput } from '../../service/scenarios/match.ts'
import type { Stage } from '../../service/scenarios/effect-table.ts'
import type { Scenario } from '../../service/scenarios/schema.ts'
import type { Session } from '../../sessions/sessions.ts'
import type { Chance } from '../../util/chance.ts'
import { createToTime } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import type { Decoded } from '../../service/contract/decode.ts'
import type { Warn } from '../../service/contract/check.ts'
import type { Fixtures } from '../../service/state/fixtures.ts'
import type { Store } from '../../service/state/store.ts'

/** All operation handlers; a missing one is a compile error. */
export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  queryResources,
  getResourceById,
  getResourceByKey,
  searchResources,
  checkResources,
  createResource,
  overwriteResource,
  putResource,
  postComplex,
  updateResource,
  deleteResource,
  sortedQuery,
  uploadImage,
  postAction,
  getAction,
  getActionWithExample,
  getActionWithHeaders,
}

/** Applies a request's scenarios at a stage. The body is available after it has been decoded. */
export type ApplyScenarios = (stage: Stage, body?: unknown) => Promise<Effects>

/**
 * Selects a request's scenarios and returns a function that applies them; undefined if there are none.
 *
 * @param endpoint undefined for a request that matches none
 */
export type ChooseScenarios = (exchange: Exchange, session: Session, endpoint?: Endpoint) => ApplyScenarios | undefined

/** Reads the JSON body of a request without consuming it; undefined if there is none. */
async function peek(request: Request, limit: number): Promise<unknown> {
  if (isRead(request.method)) return undefined
  try {
    return (await readJsonBody(request.clone(), limit)).value
  } catch {
    // The decoder reports the error.
    return undefined
  }
}

export function createChooseScenarios(engine: ScenarioEngine, maxBody: number): ChooseScenarios {
  function createApply(
    exchange: Exchange,
    session: Session,
    endpoint: Endpoint | undefined,
    scenarios: readonly Scenario[],
  ) {
    const { request, operation } = exchange
    const input: Omit<MatchInput, 'body'> = {
      operation,
      projectKey: exchange.projectKey ?? '',
      method: exchange.method,
      path: exchange.address.path,
      query: parseRawQuery(exchange.address.search),
      headers: request.headers,
    }
    let peeked: Promise<unknown> | undefined
    const readEarly = () => (peeked ??= peek(request, maxBody))
    return async function applyScenarios(stage: Stage, body?: unknown): Promise<Effects> {
      // An image has no members to match.
      const readLate = () => Promise.resolve(endpoint?.body?.kind === 'json' ? body : undefined)
      const matchInput = { ...input, body: stage === 'gateway' || endpoint === undefined ? readEarly : readLate }
      const effects = await engine.apply(stage, scenarios, matchInput, session.scenarios)
      exchange.scenarios = [...new Set([...exchange.scenarios, ...effects.scenarios])]
      if (effects.outcome?.kind === 'answer') exchange.isSimulated = true
      if (effects.changesOperation) exchange.isChangedByScenario = true
      return effects
    }
  }

  return function chooseScenarios(exchange, session, endpoint) {
    const scenarios = engine.choose(exchange.header('x-mock-scenario'), session.scenarios)
    return scenarios.length === 0 ? undefined : createApply(exchange, session, endpoint, scenarios)
  }
}

/** Applies both stages of a request's scenarios and waits for their delay. For requests without an operation. */
export async function applyBothStages(
  exchange: Exchange,
  apply: ApplyScenarios | undefined,
  delay: (milliseconds: number) => Promise<void> | undefined,
): Promise<Effects> {
  const early = (await apply?.('gateway')) ?? NO_EFFECTS
  exchange.additions = early
  await delay(early.delay)
  const late = early.outcome === undefined ? await apply?.('operation') : undefined
  return { ...early, outcome: early.outcome ?? late?.outcome }
}

/**
 * Delays a request, unless its client disconnects.
 *
 * @throws {Problem} 503 if its session is reset or ends meanwhile.
 */
export async function pauseRequest(exchange: Exchange, milliseconds: number): Promise<void> {
  const { request, session } = exchange
  await wait(milliseconds, request, session && ((wake) => session.onInterrupt(exchange, wake)))
  exchange.expectCurrent()
}

/**
 * Waits for the delay in the request's header, or else from the command line, plus the delay of scenarios in milliseconds.
 */
export type DelayRequest = (exchange: Exchange, milliseconds: number) => Promise<void> | undefined

export function createDelay(always: Delay | undefined, chance: Chance): DelayRequest {
  return function delay(exchange, milliseconds) {
    const asked = exchange.header('x-mock-delay')
    const span = asked === undefined ? always : parseDelayHeader(asked)
    const own = span === undefined || span.to === 0 ? 0 : span.from + (span.to - span.from) * chance.next()
    return own + milliseconds > 0 ? pauseRequest(exchange, own + milliseconds) : undefined
  }
}

/** The dependencies of operations. */
interface PerformParts {
  readonly store: Store
  /** Returns the current fixtures, which may be reloaded at any time. */
  readonly fixtures: () => Fixtures
  readonly identity: Identity
  readonly seed: number
  readonly findExample: FindExample
  readonly newId: () => string
  /** Creates the ids for one attempt of a write, if ids depend on the session's position. */
  readonly createIds: ((session: string) => () => string) | undefined
  /** Creates resources that are listed in addition to those of a project. */
  readonly generate: (count: number) => Promise<ResourceList>
}

/** A request that passed all checks. */
export interface CheckedRequest {
  readonly id: OperationId
  readonly exchange: Exchange
  readonly decoded: Decoded
  readonly warn: Warn
}

/** The preferred response, with `Preference-Applied` for the preferences that were honored (RFC 7240, section 3). */
function toPreferredAnswer({ answer, applied }: Preferred): Answer {
  if (applied.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'Preference-Applied': applied.join(', ') } }
}

/** The cast is safe: the decoder validates the input with the same table entry that defines the handler's input type. */
const handlerOf = (id: OperationId) => operations[id] as Operation<OperationId>

/** The other writer's change: visible to a client that reads the resource again. */
const CHANGE_OF_OTHERS = { someProperty: 'Changed by another writer' }

/** Creates the functions that perform operations. */
export function createPerformer({ store, generate, findExample, seed, createIds, ...parts }: PerformParts) {
  const toCollection = memoize((projectKey) => `/${encodeURIComponent(projectKey)}/resource/`)
  const toTime = createToTime()

  const accessOf = ({ sessionName, address, projectKey = '' }: Exchange) =>
    store.access(sessionName, { baseUrl: toBaseUrlName(address.baseUrl), projectKey })

  function createContext(exchange: Exchange, warn: Warn, project = new Project(accessOf(exchange))): Context {
    const { session, sessionName, correlationId, address, preferences, projectKey = '' } = exchange
    return {
      session: sessionName,
      correlationId,
      project,
      projectKey,
      fixtures: parts.fixtures(),
      identity: preferences.get('identity') === 'body' ? 'body' : parts.identity,
      now: () => toTime(session?.clock.now() ?? exchange.time),
      newId: parts.newId,
      warn,
      locate: ({ id }) => address.prefix + toCollection(projectKey) + id,
    }
  }

  /** Returns the project as changed by scenarios. */
  async function findShownProject(exchange: Exchange, effects: Effects): Promise<Project> {
    const access = accessOf(exchange)
    if (effects.areResourcesHidden) return createHiddenProject(access)
    return effects.generated === 0
      ? new Project(access)
      : new ExtendedProject(access, await generate(effects.generated))
  }

  /** Runs the handler of a write. The changes are saved before the response. */
  async function write({ id, exchange }: CheckedRequest, input: Input<OperationId>, context: Context): Promise<Answer> {
    const { session, correlationId } = context
    // After a conflict with another write the operation runs again; its warnings are already reported.
    let hasRun = false
    const warn: Warn = (...warning) => {
      if (!hasRun) context.warn(...warning)
    }
    const operation = () => {
      exchange.expectCurrent()
      try {
        const newId = createIds === undefined ? context.newId : createIds(session)
        // Write operations are synchronous.
        return handlerOf(id)(input, { ...context, warn, newId }) as Answer
      } finally {
        hasRun = true
      }
    }
    return store.write(session, operation, { kind: 'request', correlationId })
  }

  function run(request: CheckedRequest, context: Context): Answer | Promise<Answer> {
    const { id, exchange, decoded } = request
    const { query, families, headers, body, text } = decoded
    // Validated by the decoder and the path pattern.
    const input = { path: exchange.parameters, query, families, headers, body, text } as Input<OperationId>
    return isRead(endpoints[id].method) ? handlerOf(id)(input, context) : write(request, input, context)
  }

  /** Lets other writers update the request's resource first. */
  async function advanceVersion(exchange: Exchange, writers: readonly OtherWriter[], context: Context): Promise<void> {
    exchange.expectCurrent()
    const { id, key = '' } = exchange.parameters
    const { session, correlationId, project } = context
    for await (const { scenario, versions } of inSlices(writers)) {
      const update = () => {
        for (let done = 0; done < versions; done += 1) {
          const resource = id === undefined ? project.findByKey(key) : project.find(id)
          if (resource === undefined) return
          revise(resource, CHANGE_OF_OTHERS, context)
        }
      }
      await store.write(session, update, { kind: 'scenario', scenario, correlationId })
    }
  }

  return {
    /** Performs an operation. */
    perform: (request: CheckedRequest): Answer | Promise<Answer> =>
      run(request, createContext(request.exchange, request.warn)),

    /** Performs an operation with scenarios or preferences, or returns the example requested by `Prefer`. */
    async performSpecially(request: CheckedRequest, effects: Effects): Promise<Answer> {
      const { id, exchange, warn } = request
      const { preferences } = exchange
      const endpoint: Endpoint = endpoints[id]
      const context = createContext(exchange, warn, await findShownProject(exchange, effects))
      const { identity, locate } = context
      const preference = { endpoint, preferences, identity, seed, operation: id, path: exchange.parameters, locate }
      const preferred = await findPreferred({ ...preference, findExample })
      if (preferred !== undefined) return toPreferredAnswer(preferred)
      const ignored = preferences.size === 0 ? undefined : describeIgnored(endpoint, preferences)
      // A client need not know whether a server honors its preferences (RFC 7240, section 2).
      if (ignored !== undefined) warn(decision('D66'), ignored, 'tolerated')
      await advanceVersion(exchange, effects.otherWriters, context)
      const applied = applyIdentity(endpoint, preferences)
      return toPreferredAnswer(preferStatus({ answer: await run(request, context), applied }, endpoint, preferences))
    },

    /** Runs only the other writers of scenarios, not the operation itself. */
    advanceVersion: (exchange: Exchange, effects: Effects, warn: Warn): Promise<void> =>
      advanceVersion(exchange, effects.otherWriters, createContext(exchange, warn)),
  }
}

export type Performer = ReturnType<typeof createPerformer>
