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
import { NO_PREFERENCES } from '../../service/http/control-headers.ts'
import { toBaseUrlName, isRead } from '../../service/http/request-head.ts'
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
import type { Effects, OtherWriter } from '../../service/scenarios/effects.ts'
import { createToTime } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import type { Decoded } from '../../service/contract/decode.ts'
import type { Warn } from '../../service/contract/check.ts'
import type { Store } from '../../service/state/store.ts'
import type { Sources } from '../../sessions/sources.ts'

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

/** The dependencies of operations. */
interface PerformParts {
  readonly store: Store
  readonly sources: Pick<Sources, 'fixtures' | 'findExample'>
  readonly identity: Identity
  readonly seed: number
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

/** Creates the step that performs operations, and its part that scenarios run without them. */
export function createPerformer({ store, generate, sources, seed, createIds, ...parts }: PerformParts) {
  const { findExample } = sources
  const toCollection = memoize((projectKey) => `/${encodeURIComponent(projectKey)}/resource/`)
  const toTime = createToTime()

  const accessOf = ({ sessionName, address, projectKey = '' }: Exchange) =>
    store.access(sessionName, { baseUrl: toBaseUrlName(address.baseUrl), projectKey })

  function createContext(exchange: Exchange, warn: Warn, project = new Project(accessOf(exchange))): Context {
    const { session, sessionName, correlationId, address, controls, projectKey = '' } = exchange
    return {
      session: sessionName,
      correlationId,
      project,
      projectKey,
      fixtures: sources.fixtures,
      identity: controls.preferences?.get('identity') === 'body' ? 'body' : parts.identity,
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
        const answer = handlerOf(id)(input, { ...context, warn, newId }) as Answer
        exchange.hasWritten = endpoints[id].purpose !== 'writePayload'
        return answer
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
    if (writers.length === 0) return
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

  /** Performs an operation with scenarios or preferences, or returns the example requested by `Prefer`. */
  async function performSpecially(request: CheckedRequest, effects: Effects): Promise<Answer> {
    const { id, exchange, warn } = request
    const { preferences = NO_PREFERENCES } = exchange.controls
    const endpoint: Endpoint = endpoints[id]
    const context = createContext(exchange, warn, await findShownProject(exchange, effects))
    const { outcome, otherWriters } = effects
    if (outcome?.kind === 'answer') {
      await advanceVersion(exchange, otherWriters, context)
      return outcome.answer
    }
    const { identity, locate } = context
    const preference = { endpoint, preferences, identity, seed, operation: id, path: exchange.parameters, locate }
    const preferred = await findPreferred({ ...preference, findExample })
    if (preferred !== undefined) return toPreferredAnswer(preferred)
    const ignored = preferences.size === 0 ? undefined : describeIgnored(endpoint, preferences)
    // A client need not know whether a server honors its preferences (RFC 7240, section 2).
    if (ignored !== undefined) warn(decision('D66'), ignored, 'tolerated')
    await advanceVersion(exchange, otherWriters, context)
    const applied = applyIdentity(endpoint, preferences)
    return toPreferredAnswer(preferStatus({ answer: await run(request, context), applied }, endpoint, preferences))
  }

  return {
    /** Performs an operation, or returns what a scenario or a preference responds instead. */
    perform(request: CheckedRequest, effects: Effects): Answer | Promise<Answer> {
      const { exchange, warn } = request
      if (effects !== NO_EFFECTS || exchange.controls.preferences !== undefined)
        return performSpecially(request, effects)
      return run(request, createContext(exchange, warn))
    },

    /** Runs only the other writers of scenarios, not the operation itself. */
    advanceVersion: (exchange: Exchange, { otherWriters }: Effects, warn: Warn): Promise<void> =>
      advanceVersion(exchange, otherWriters, createContext(exchange, warn)),
  }
}

export type Performer = ReturnType<typeof createPerformer>
