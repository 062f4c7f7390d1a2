import type { ArrayTestType } from '../contract/models.ts'

/**
 * A resource as the state keeps it. Records are never changed: an update puts a new one in the place of the old,
 * so that what a reader holds stays as it was.
 */
export interface StoredResource {
  readonly id: string
  readonly key?: string
  /** Starts at 1 and rises by exactly 1 (D7). */
  readonly version: number
  /** ISO 8601 with milliseconds and Z. */
  readonly createdAt: string
  readonly lastModifiedAt: string
  readonly someProperty?: string
  readonly objectTypeProperty: ArrayTestType
  /** The JSON text of `objectTypeProperty`, written once so that no read has to write it again. */
  readonly propertyText: string
  /** The resource as an ObjectTestType's JSON text (D5, D8), which every read of it sends. */
  readonly text: string
  /** The projection that `staged=true` reads (D14), where a fixture has one. */
  readonly staged?: ArrayTestType | undefined
}
