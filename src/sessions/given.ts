import { SetupError } from '../errors.ts'
import { isJsonObject } from '../http/json.ts'
import { showValue } from '../util/show-value.ts'

// What the methods of a session were given, for callers without a compiler that holds them to it.

/** @throws {SetupError} for what is neither the name of a scenario nor a definition of one. */
export function expectScenarios(given: readonly unknown[]): void {
  const wrong = given.findIndex((one) => typeof one !== 'string' && !isJsonObject(one))
  if (wrong === -1) return
  const remedy = Array.isArray(given[wrong]) ? 'Give its members one by one' : 'Give names, or nothing for none'
  throw new SetupError(
    `use was given ${showValue(given[wrong])}, which is no scenario. ${remedy}: use('slow', 'conflict').`,
  )
}

/** @throws {SetupError} for what is no list of records. What each has to be, the mock says. */
export function expectRecords(given: unknown): void {
  if (Array.isArray(given)) return
  throw new SetupError(
    `seed was given ${showValue(given)}, which is no array of records. Give one such as [{ key: 'hat', objectTypeProperty: {} }], or [] for none.`,
  )
}

/** @throws {SetupError} for what names no project. */
export function expectPlace(given: unknown): void {
  if (isJsonObject(given) && 'projectKey' in given && typeof given.projectKey === 'string') return
  throw new SetupError(
    `${showValue(given)} is no place to seed. Give the project: { projectKey: 'acme' }, or leave it out for all projects.`,
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
    `restore was given ${showValue(given)}, which is no snapshot. Give what snapshot() gave, or its name.`,
  )
}
