import type { OperationId } from '../contract/endpoints.ts'
import type { Answer, Input } from '../contract/handler.ts'
import type { Warn } from '../contract/warning.ts'
import type { Identity } from '../scenarios/preference.ts'
import type { Fixtures } from '../state/fixtures.ts'
import type { Project } from '../state/project.ts'
import type { StoredResource } from '../state/resource.ts'

/** What an operation works with in addition to its input; made for each request. */
export interface Context {
  /** The name of the session. */
  readonly session: string
  readonly correlationId: string
  readonly project: Project
  readonly projectKey: string
  readonly fixtures: Fixtures
  readonly identity: Identity
  /** The current time, ISO 8601 with milliseconds and Z. */
  readonly now: () => string
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** A fresh UUID. */
  readonly newId: () => string
  readonly warn: Warn
  /** The resource's path, with whatever prefix the request had (D5). */
  readonly locate: (resource: Pick<StoredResource, 'id'>) => string
}

/** What an operation does; it waits only where a long scan lets other requests have their turn. */
export type Operation<Id extends OperationId> = (input: Input<Id>, context: Context) => Answer | Promise<Answer>
