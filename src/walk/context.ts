import type { Warn } from '../contract/warning.ts'
import type { Exchange } from './exchange.ts'
import { toBaseUrlName } from '../http/address.ts'
import type { Context } from '../operations/operation.ts'
import type { Identity } from '../scenarios/preference.ts'
import { rememberLast } from '../remember.ts'
import type { Effects } from '../scenarios/effects.ts'
import type { Fixtures } from '../state/fixtures.ts'
import { Project } from '../state/project.ts'
import type { ProjectAccess } from '../state/project.ts'
import type { Store } from '../state/store.ts'
import { ExtendedProject, createHiddenProject } from '../state/views.ts'
import type { Extras } from '../state/views.ts'

interface ContextParts {
  readonly store: Store
  /** The fixtures of now: they may be read anew while the mock runs. */
  readonly fixtures: () => Fixtures
  readonly identity: Identity
  readonly now: () => string
  readonly newId: () => string
  /** Resources that are made once, and stand beside a project's own. */
  readonly generate: (count: number) => Promise<Extras>
}

export type OpenContext = (
  exchange: Exchange,
  projectKey: string,
  warn: Warn,
  effects: Effects,
) => Context | Promise<Context>

/** Builds what an operation works with: the project as the session sees it, bent by the scenarios. */
export function createContextOpener({ store, generate, ...parts }: ContextParts): OpenContext {
  const toSegment = rememberLast<string, string>(encodeURIComponent)

  function open(
    exchange: Exchange,
    projectKey: string,
    warn: Warn,
    toProject: (access: ProjectAccess) => Project,
  ): Context {
    const { session, address, preferences } = exchange
    const prefix = `${address.prefix}/${toSegment(projectKey)}/resource/`
    return {
      project: toProject(store.access(session, { baseUrl: toBaseUrlName(address.baseUrl), projectKey })),
      projectKey,
      fixtures: parts.fixtures(),
      identity: preferences.get('identity') === 'body' ? 'body' : parts.identity,
      now: parts.now,
      newId: parts.newId,
      warn,
      locate: ({ id }) => prefix + id,
    }
  }

  return function openContext(exchange, projectKey, warn, { areResourcesHidden, generated }) {
    if (areResourcesHidden) return open(exchange, projectKey, warn, createHiddenProject)
    if (generated === 0) return open(exchange, projectKey, warn, createProject)
    return generate(generated).then((extras) =>
      open(exchange, projectKey, warn, (access) => new ExtendedProject(access, extras)),
    )
  }
}

const createProject = (access: ProjectAccess): Project => new Project(access)
