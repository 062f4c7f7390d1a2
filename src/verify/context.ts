import type { CheckName } from './checks.ts'
import type { Cleanup } from './cleanup.ts'
import type { ProviderTokens } from './credentials.ts'
import type { Provider } from './provider.ts'
import type { OwnSamples, Resources, Sample } from './resources.ts'
import type { Results } from './results.ts'
import type { SubjectId } from './subjects.ts'

/** What the examinations of all subjects share. */
export interface VerifyContext {
  readonly provider: Provider
  readonly tokens: ProviderTokens
  readonly resources: Resources
  readonly cleanup: Cleanup
  readonly project: string
  /** Another project, which is only read. */
  readonly otherProject: string
  readonly allowsWrites: boolean
  /** Whether the provider refuses what is otherwise warned of (D2, D4, D9); undefined where nothing may be written. */
  readonly isStrict: boolean | undefined
  /** Resources to read, at most three: made for it in this order, or found where nothing may be written. */
  readonly samples: readonly Sample[]
  /** The samples where they were made. */
  readonly own: OwnSamples | undefined
  /** Why there are no samples. */
  readonly sampleless: string
  /** A word that nobody else uses. */
  readonly run: string
  /** An id that names nothing. */
  newId(): string
}

/**
 * Tries everything that the checks of one subject ask for, and puts it down in the results.
 *
 * @throws {Stop} when it cannot go on.
 */
export type Examine<Id extends SubjectId> = (results: Results<CheckName<Id>>, context: VerifyContext) => Promise<void>
