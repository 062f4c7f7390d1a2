import type { Decoded } from '../contract/decode.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Answer, Input } from '../contract/handler.ts'
import type { Warn } from '../contract/warning.ts'
import { toBaseUrlName } from '../http/address.ts'
import { isRead } from '../http/headers.ts'
import type { Context, Operation } from '../operations/reads.ts'
import { operations } from '../operations/operations.ts'
import { revise } from '../operations/writes.ts'
import type { FindExample, Effects, OtherWriter } from '../scenarios/effects.ts'
import { applyIdentity, findPreferred, preferStatus } from '../scenarios/preferred.ts'
import type { Identity, Preferred } from '../scenarios/preferred.ts'
import type { ResourceList } from '../state/resource.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { createHiddenProject, ExtendedProject, Project } from '../state/project.ts'
import type { Store } from '../state/store.ts'
import { memoize } from '../util/memoize.ts'
import type { Exchange } from './exchange.ts'

/** What operations are performed with. */
interface PerformParts {
  readonly store: Store
  /** The current fixtures: they may be reloaded while the mock runs. */
  readonly fixtures: () => Fixtures
  readonly identity: Identity
  readonly seed: number
  readonly findExample: FindExample
  readonly elapsed: () => number
  readonly newId: () => string
  /** Makes the ids of one attempt to write, if they depend on how far the session has come. */
  readonly createIds: ((session: string) => () => string) | undefined
  /** Makes resources that are listed in addition to a project's own. */
  readonly generate: (count: number) => Promise<ResourceList>
}

/** A request that has passed all checks. */
export interface CheckedRequest {
  readonly id: OperationId
  readonly exchange: Exchange
  readonly decoded: Decoded
  readonly warn: Warn
}

/** The answer as it was preferred, with `Preference-Applied` for what was honoured (RFC 7240, section 3). */
function toAnswer({ answer, applied }: Preferred): Answer {
  if (applied.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'Preference-Applied': applied.join(', ') } }
}

/** The decoder checks the input against the same entry of the table that the handler's type of it is made from. */
const handlerOf = (id: OperationId) => operations[id] as Operation<OperationId>

/** What the other writer changes, so that a client sees a difference when it reads the resource again. */
const CHANGE_OF_OTHERS = { someProperty: 'Changed by another writer' }

/** Creates what performs operations. */
export function createPerformer({ store, generate, findExample, seed, createIds, ...parts }: PerformParts) {
  const encode = memoize(encodeURIComponent)

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
      now: () => new Date(session?.clock.now() ?? exchange.time).toISOString(),
      elapsed: parts.elapsed,
      newId: parts.newId,
      warn,
      locate: ({ id }) => `${address.prefix}/${encode(projectKey)}/resource/${id}`,
    }
  }

  /** The project as scenarios show it. */
  async function findShownProject(exchange: Exchange, effects: Effects): Promise<Project> {
    const access = accessOf(exchange)
    if (effects.areResourcesHidden) return createHiddenProject(access)
    return effects.generated === 0
      ? new Project(access)
      : new ExtendedProject(access, await generate(effects.generated))
  }

  /** Runs the handler of a write. What it wrote is kept before it is answered. */
  function write(id: OperationId, input: Input<OperationId>, context: Context): Answer | Promise<Answer> {
    const { session, correlationId } = context
    // A write that was overtaken runs again, and has given its warnings.
    let hasRun = false
    const warn: Warn = (...warning) => {
      if (!hasRun) context.warn(...warning)
    }
    const operation = () => {
      try {
        // Operations that write never wait for anything.
        return handlerOf(id)(input, { ...context, warn, ...(createIds && { newId: createIds(session) }) }) as Answer
      } finally {
        hasRun = true
      }
    }
    return store.write(session, operation, { kind: 'request', correlationId })
  }

  function run({ id, exchange, decoded }: CheckedRequest, context: Context): Answer | Promise<Answer> {
    // The decoder and the path's pattern have checked them.
    const input = { path: exchange.parameters, ...decoded } as Input<OperationId>
    return isRead(endpoints[id].method) ? handlerOf(id)(input, context) : write(id, input, context)
  }

  /** Lets other writers update the resource of a request first. */
  async function advanceVersion(exchange: Exchange, writers: readonly OtherWriter[], context: Context): Promise<void> {
    const { id, key = '' } = exchange.parameters
    const { session, correlationId, project } = context
    for (const { scenario, versions } of writers) {
      const update = () => {
        for (let done = 0; done < versions; done += 1) {
          const resource = id === undefined ? project.findByKey(key) : project.find(id)
          if (resource === undefined) return
          revise(resource, CHANGE_OF_OTHERS, context)
        }
      }
      // oxlint-disable-next-line no-await-in-loop -- one writer after the other
      await store.write(session, update, { kind: 'scenario', scenario, correlationId })
    }
  }

  return {
    /** Performs an operation; synchronous unless it has to wait for something. */
    perform: (request: CheckedRequest): Answer | Promise<Answer> =>
      run(request, createContext(request.exchange, request.warn)),

    /** Performs an operation under scenarios, or returns the example that `Prefer` asks for. */
    async performSpecially(request: CheckedRequest, effects: Effects): Promise<Answer> {
      const { id, exchange, warn } = request
      const { preferences } = exchange
      const endpoint: Endpoint = endpoints[id]
      const context = createContext(exchange, warn, await findShownProject(exchange, effects))
      const { identity, locate } = context
      const preference = { endpoint, preferences, identity, seed, operation: id, path: exchange.parameters, locate }
      const preferred = await findPreferred({ ...preference, findExample })
      if (preferred !== undefined) return toAnswer(preferred)
      await advanceVersion(exchange, effects.otherWriters, context)
      const applied = applyIdentity(endpoint, preferences)
      return toAnswer(preferStatus({ answer: await run(request, context), applied }, endpoint, preferences))
    },

    /** Lets the other writers of scenarios write, although the operation itself does not run. */
    advanceVersion: (exchange: Exchange, effects: Effects, warn: Warn): Promise<void> =>
      advanceVersion(exchange, effects.otherWriters, createContext(exchange, warn)),
  }
}

export type Performer = ReturnType<typeof createPerformer>
