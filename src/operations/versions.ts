import { problem } from '../errors.ts'
import type { StoredResource } from '../state/resource.ts'

/**
 * Holds the version that a client expects against the actual one (specification 4.10 and 9).
 *
 * @throws {Problem} 409 with the actual version.
 */
export function expectVersion({ id, version }: StoredResource, expected: number | bigint): void {
  if (BigInt(expected) !== BigInt(version)) throw problem.versionConflict({ id, expected, actual: version })
}
