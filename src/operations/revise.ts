import type { StoredResource } from '../state/resource.ts'
import { toObjectText } from '../state/property-text.ts'
import type { Context } from './operation.ts'

/**
 * Keeps the next version of a resource: the changes, the version raised by exactly 1 (D7), modified now.
 *
 * @throws {Problem} 409 when another version has come in between.
 */
export function revise(
  resource: StoredResource,
  changes: Partial<StoredResource>,
  { project, now }: Context,
): StoredResource {
  const version = resource.version + 1
  const text = toObjectText(version, changes.propertyText ?? resource.propertyText)
  const next: StoredResource = { ...resource, ...changes, version, lastModifiedAt: now(), text }
  project.replace(resource, next)
  return next
}
