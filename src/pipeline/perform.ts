import type { Decoded } from '../contract/decode.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Answer } from '../contract/handler.ts'
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
import { Project } from '../state/project.ts'
import type { Store } from '../state/store.ts'
import { createHiddenProject, ExtendedProject } from '../state/views.ts'
import type { AdvanceVersion } from './advance-version.ts'
import type { RequestContext } from './request-context.ts'

interface OperationContextParts {
  readonly store: Store
  /** The current fixtures: they may be reloaded while the mock runs. */
  readonly fixtures: () => Fixtures
  readonly identity: Identity
  readonly now: () => string
  readonly elapsed: () => number
  readonly newId: () => string
  /** Makes resources that are listed beside a project's own. */
  readonly generate: (count: number) => Promise<ResourceList>
}

export type CreateOperationContext = (
  context: RequestContext,
  warn: Warn,
  effects: Pick<Effects, 'areResourcesHidden' | 'generated'>,
) => Context | Promise<Context>

/** Creates what gives operations their context: the project as the session sees it, with what scenarios do to it. */
export function createOperationContexts({ store, generate, ...parts }: OperationContextParts): CreateOperationContext {
  return function createOperationContext(context, warn, { areResourcesHidden, generated }) {
    const { session, correlationId, address, preferences, projectKey = '' } = context
    const prefix = `${address.prefix}/${encodeURIComponent(projectKey)}/resource/`
    const access = store.access(session, { baseUrl: toBaseUrlName(address.baseUrl), projectKey })
    const toContext = (project: Project): Context => ({
      session,
      correlationId,
      project,
      projectKey,
      fixtures: parts.fixtures(),
      identity: preferences.get('identity') === 'body' ? 'body' : parts.identity,
      now: parts.now,
      elapsed: parts.elapsed,
      newId: parts.newId,
      warn,
      locate: ({ id }) => prefix + id,
    })
    if (areResourcesHidden) return toContext(createHiddenProject(access))
    if (generated === 0) return toContext(new Project(access))
    return generate(generated).then((extras) => toContext(new ExtendedProject(access, extras)))
  }
}

interface PerformParts {
  readonly store: Store
  readonly seed: number
  readonly findExample: FindExample
  readonly advanceVersion: AdvanceVersion
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

export type Perform = (request: OperationRequest) => Promise<Answer>

/** The answer as it was preferred, with `Preference-Applied` for what was honoured (RFC 7240, section 3). */
function toAnswer({ answer, applied }: Preferred): Answer {
  if (applied.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'Preference-Applied': applied.join(', ') } }
}

const isRead = (id: OperationId): boolean => endpoints[id].method === 'GET' || endpoints[id].method === 'HEAD'

/** Creates what performs operations: the preferred example if one is asked for, else the real processing. */
export function createPerform({ store, seed, findExample, advanceVersion }: PerformParts): Perform {
  /** Runs the handler. What it wrote is kept before it is answered. */
  async function run({ id, decoded, path, context }: OperationRequest): Promise<Answer> {
    const { query, families, headers, body, text } = decoded
    const input = { path, query, families, headers, body, text }
    // The decoder has checked the input against the same entry of the table that the input's type is made from.
    const handle = operations[id] as Operation<OperationId>
    if (isRead(id)) {
      const behind = store.catchUp(context.session)
      if (behind !== undefined) await behind
      return handle(input, context)
    }
    // A write that was overtaken runs again, and has said its warnings.
    let hasRun = false
    const warn: Warn = (...warning) => {
      if (!hasRun) context.warn(...warning)
    }
    const { session, correlationId } = context
    const operation = () => {
      try {
        return handle(input, { ...context, warn })
      } finally {
        hasRun = true
      }
    }
    return store.write(session, operation, { kind: 'request', correlationId })
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
