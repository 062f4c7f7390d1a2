import { SetupError } from '../errors.ts'
import { isJsonObject } from '../http/json.ts'
import { showValue } from '../http/show-value.ts'

// What the methods of a session were given, for callers without a compiler that holds them to it.

/** @throws {SetupError} for what is neither the name of a scenario nor a definition of one. */
export function expectScenarios(given: readonly unknown[]): void {
  const wrong = given.findIndex((one) => typeof one !== 'string' && !isJsonObject(one))
  if (wrong === -1) return
  const remedy = Array.isArray(given[wrong]) ? 'Pass its members one by one' : 'Pass names, or nothing for none'
  throw new SetupError(
    `use() got ${showValue(given[wrong])}, which is not a scenario. ${remedy}: use('slow', 'conflict').`,
  )
}

/** @throws {SetupError} for what is no list of records. What each has to be, the mock says. */
export function expectRecords(given: unknown): void {
  if (Array.isArray(given)) return
  throw new SetupError(
    `seed() got ${showValue(given)}, which is not an array of records. Pass one such as [{ key: 'hat', objectTypeProperty: {} }], or [] for none.`,
  )
}

/** @throws {SetupError} for what names no project. */
export function expectPlace(given: unknown): void {
  if (isJsonObject(given) && 'projectKey' in given && typeof given.projectKey === 'string') return
  throw new SetupError(
    `seed() got the project ${showValue(given)}. Pass { projectKey: 'acme' }, or leave it out to seed all projects.`,
  )
}

/**
 * The name of a snapshot, which is given by it or as `snapshot` gave it.
 *
 * @throws {SetupError} for what is neither.
 */
export function toSnapshotName(given: unknown): string {
  if (typeof given === 'string') return given
  if (isJsonObject(given) && 'name' in given && typeof given.name === 'string') return given.name
  throw new SetupError(
    `restore() got ${showValue(given)}, which is not a snapshot. Pass what snapshot() returned, or its name.`,
  )
}
