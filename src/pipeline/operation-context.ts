import type { Warn } from '../contract/warning.ts'
import { toBaseUrlName } from '../http/address.ts'
import type { Context } from '../operations/operation.ts'
import type { Effects } from '../scenarios/effects.ts'
import type { Identity } from '../scenarios/preference.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { Project } from '../state/project.ts'
import type { ProjectAccess } from '../state/project.ts'
import type { Store } from '../state/store.ts'
import { ExtendedProject, createHiddenProject } from '../state/views.ts'
import type { Extras } from '../state/views.ts'
import type { RequestContext } from './request-context.ts'

interface OperationContextParts {
  readonly store: Store
  /** The current fixtures: they may be reloaded while the mock runs. */
  readonly fixtures: () => Fixtures
  readonly identity: Identity
  readonly now: () => string
  readonly newId: () => string
  /** Makes resources that are listed beside a project's own. */
  readonly generate: (count: number) => Promise<Extras>
}

export type CreateOperationContext = (
  context: RequestContext,
  warn: Warn,
  effects: Pick<Effects, 'areResourcesHidden' | 'generated'>,
) => Promise<Context>

/** Creates what gives operations their context: the project as the session sees it, with what scenarios do to it. */
export function createOperationContexts({ store, generate, ...parts }: OperationContextParts): CreateOperationContext {
  async function createProject(
    access: ProjectAccess,
    { areResourcesHidden, generated }: Pick<Effects, 'areResourcesHidden' | 'generated'>,
  ): Promise<Project> {
    if (areResourcesHidden) return createHiddenProject(access)
    return generated === 0 ? new Project(access) : new ExtendedProject(access, await generate(generated))
  }

  return async function createOperationContext(context, warn, effects) {
    const { session, address, preferences, projectKey = '' } = context
    const prefix = `${address.prefix}/${encodeURIComponent(projectKey)}/resource/`
    const access = store.access(session, { baseUrl: toBaseUrlName(address.baseUrl), projectKey })
    return {
      project: await createProject(access, effects),
      projectKey,
      fixtures: parts.fixtures(),
      identity: preferences.get('identity') === 'body' ? 'body' : parts.identity,
      now: parts.now,
      newId: parts.newId,
      warn,
      locate: ({ id }) => prefix + id,
    }
  }
}
