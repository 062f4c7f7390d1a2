import type { Decoded } from '../contract/decode.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Answer, Input } from '../contract/handler.ts'
import type { PathParameters } from '../contract/paths.ts'
import type { Warn } from '../contract/warning.ts'
import { toBaseUrlName } from '../http/address.ts'
import type { Preferences } from '../http/request-headers.ts'
import type { Context, Operation } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'
import type { FindExample } from '../scenarios/answer.ts'
import type { Effects, OtherWriter } from '../scenarios/effects.ts'
import { applyIdentity } from '../scenarios/preference.ts'
import type { Identity, Preferred } from '../scenarios/preference.ts'
import { findPreferred, preferStatus } from '../scenarios/preferred.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { ResourceList } from '../state/base.ts'
import type { Store } from '../state/store.ts'
import { createHiddenProject, ExtendedProject, Project } from '../state/project.ts'
import type { AdvanceVersion } from './advance-version.ts'
import type { RequestContext } from './request-context.ts'

interface OperationContextParts {
  readonly store: Store
  /** The current fixtures: they may be reloaded while the mock runs. */
  readonly fixtures: () => Fixtures
  readonly identity: Identity
  readonly elapsed: () => number
  readonly newId: () => string
  /** Makes resources that are listed in addition to a project's own. */
  readonly generate: (count: number) => Promise<ResourceList>
}

/** What scenarios do to the project that an operation sees. */
type ProjectEffects = Pick<Effects, 'areResourcesHidden' | 'generated'>

export interface OperationContexts {
  /** Creates the context of an operation, with the project as the session sees it. */
  create(context: RequestContext, warn: Warn): Context
  /** The same with what scenarios do to the project. */
  apply(effects: ProjectEffects, context: Context, request: RequestContext): Promise<Context>
}

/** Creates what gives operations their context. */
export function createOperationContexts({ store, generate, ...parts }: OperationContextParts): OperationContexts {
  const accessOf = ({ session, address, projectKey = '' }: RequestContext) =>
    store.access(session, { baseUrl: toBaseUrlName(address.baseUrl), projectKey })

  return {
    create(context, warn) {
      const { session, entered, correlationId, address, preferences, projectKey = '' } = context
      const prefix = `${address.prefix}/${encodeURIComponent(projectKey)}/resource/`
      return {
        session,
        correlationId,
        project: new Project(accessOf(context)),
        projectKey,
        fixtures: parts.fixtures(),
        identity: preferences.get('identity') === 'body' ? 'body' : parts.identity,
        now: () => new Date(entered?.clock.now() ?? context.receivedAt).toISOString(),
        elapsed: parts.elapsed,
        newId: parts.newId,
        warn,
        locate: ({ id }) => prefix + id,
      }
    },
    async apply({ areResourcesHidden, generated }, context, request) {
      if (areResourcesHidden) return { ...context, project: createHiddenProject(accessOf(request)) }
      if (generated === 0) return context
      return { ...context, project: new ExtendedProject(accessOf(request), await generate(generated)) }
    },
  }
}

interface PerformParts {
  readonly store: Store
  readonly seed: number
  readonly findExample: FindExample
  readonly advanceVersion: AdvanceVersion
  /** Makes the ids of one attempt to write, if they depend on how far the session has come. */
  readonly createIds?: ((session: string) => () => string) | undefined
}

/** An operation to perform. */
interface OperationRequest {
  readonly id: OperationId
  readonly decoded: Decoded
  readonly path: PathParameters
  readonly context: Context
  readonly preferences: Preferences
  /** Those who write first. */
  readonly otherWriters: readonly OtherWriter[]
}

/** Performs an operation; what waits for nothing is answered at once. */
export type Perform = (request: OperationRequest) => Answer | Promise<Answer>

/** The answer as it was preferred, with `Preference-Applied` for what was honoured (RFC 7240, section 3). */
function toAnswer({ answer, applied }: Preferred): Answer {
  if (applied.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'Preference-Applied': applied.join(', ') } }
}

const isRead = (id: OperationId): boolean => endpoints[id].method === 'GET' || endpoints[id].method === 'HEAD'

/** The decoder checks the input against the same entry of the table that the handler's type of it is made from. */
const handlerOf = (id: OperationId) => operations[id] as Operation<OperationId>

/** Creates what performs operations: the preferred example if one is asked for, else the real processing. */
export function createPerform({ store, seed, findExample, advanceVersion, createIds }: PerformParts): Perform {
  /** Runs the handler of a write. What it wrote is kept before it is answered. */
  async function runWrite({ id, context }: OperationRequest, input: Input<OperationId>): Promise<Answer> {
    // A write that was overtaken runs again, and has said its warnings.
    let hasRun = false
    const warn: Warn = (...warning) => {
      if (!hasRun) context.warn(...warning)
    }
    const { session, correlationId } = context
    const operation = () => {
      try {
        return handlerOf(id)(input, { ...context, warn, ...(createIds && { newId: createIds(session) }) })
      } finally {
        hasRun = true
      }
    }
    return store.write(session, operation, { kind: 'request', correlationId })
  }

  function run(request: OperationRequest): Answer | Promise<Answer> {
    const { id, decoded, path, context } = request
    const { query, families, headers, body, text } = decoded
    const input = { path, query, families, headers, body, text }
    return isRead(id) ? handlerOf(id)(input, context) : runWrite(request, input)
  }

  async function runAsPreferred(request: OperationRequest): Promise<Answer> {
    const { id, path, preferences, context } = request
    const endpoint: Endpoint = endpoints[id]
    const { identity, locate } = context
    const preferred = await findPreferred({
      endpoint,
      preferences,
      identity,
      seed,
      operation: id,
      path,
      locate,
      findExample,
    })
    if (preferred !== undefined) return toAnswer(preferred)
    await advanceVersion(request.otherWriters, path, context)
    const applied = applyIdentity(endpoint, preferences)
    return toAnswer(preferStatus({ answer: await run(request), applied }, endpoint, preferences))
  }

  return function perform(request) {
    const isPlain = request.preferences.size === 0 && request.otherWriters.length === 0
    return isPlain ? run(request) : runAsPreferred(request)
  }
}
