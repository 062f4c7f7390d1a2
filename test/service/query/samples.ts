import type { ArrayTestType } from '../../../src/service/contract/models.ts'
import { Problem } from '../../../src/errors.ts'
import { toStoredContent } from '../../../src/service/state/resource.ts'
import type { Order } from '../../../src/service/query/list.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'

const MOMENT = '2026-01-31T12:00:00.000Z'

/** A resource with an id and any other members that a test needs. */
export function createSample(
  id: string,
  objectTypeProperty: ArrayTestType = {},
  more: Partial<Omit<StoredResource, 'id' | 'objectTypeProperty' | 'propertyText'>> = {},
): StoredResource {
  const version = more.version ?? 1
  return {
    id,
    version,
    createdAt: MOMENT,
    lastModifiedAt: MOMENT,
    ...toStoredContent(version, objectTypeProperty),
    ...more,
  }
}

export const toIds = (resources: readonly StoredResource[]): string => resources.map(({ id }) => id).join(' ')

export const toSorted = (resources: readonly StoredResource[], { toKeys, compare }: Order): readonly StoredResource[] =>
  resources.toSorted((a, b) => compare(toKeys(a), toKeys(b)))

/** The problem that an action throws; if it throws anything else, or nothing, the test fails. */
export function catchProblem(act: () => unknown): Problem {
  try {
    act()
  } catch (fault) {
    if (fault instanceof Problem) return fault
    throw fault
  }
  throw new Error('Nothing was thrown.')
}
