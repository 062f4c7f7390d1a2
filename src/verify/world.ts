import type { OperationId } from '../contract/endpoints.ts'
import type { Bench } from './bench.ts'
import type { CheckName } from './checks.ts'
import type { Keyring } from './credentials.ts'
import type { Ledger } from './ledger.ts'
import type { Provider } from './provider.ts'
import type { Resources, Sample } from './resources.ts'

/** What the examiners of all operations share. */
export interface World {
  readonly provider: Provider
  readonly keyring: Keyring
  readonly resources: Resources
  readonly ledger: Ledger
  /** Resources to read: made for it, or found where nothing may be written. At most three, in the order of their ids. */
  readonly samples: readonly Sample[]
  /** Why there are no samples. */
  readonly sampleless: string
  /** A word that the samples have and nothing else has; undefined where they were found. */
  readonly word: string | undefined
  /** A word that nobody else uses. */
  readonly run: string
  /** An id that names nothing. */
  newId(): string
}

/**
 * Tries everything that the checks of one operation ask for, and puts it down on the bench.
 *
 * @throws {Stop} when it cannot go on.
 */
export type Examine<Id extends OperationId> = (bench: Bench<CheckName<Id>>, world: World) => Promise<void>
