import * as fc from 'fast-check'
import type { ArrayTestType } from '../../../src/service/contract/models.ts'
import type { StoredImage, StoredResource } from '../../../src/service/state/resource.ts'
import { toStoredContent } from '../../../src/service/state/resource.ts'

/** An image of that id and size in bytes. */
export const anImage = (id: string, length: number): StoredImage => ({
  id,
  projectKey: 'acme',
  resourceId: 'a',
  type: 'image/png',
  width: 1,
  height: 1,
  bytes: Uint8Array.from({ length }, (_none, at) => at % 251),
  createdAt: '2026-01-01T00:00:00.000Z',
})

/** A stored resource of that id; the given members override the defaults. */
export function aResource(id: string, members: Partial<StoredResource> = {}): StoredResource {
  const objectTypeProperty = members.objectTypeProperty ?? { arrayOfIntExample: [1] }
  const { version = 1 } = members
  return {
    id,
    version,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastModifiedAt: '2026-01-01T00:00:00.000Z',
    ...members,
    ...toStoredContent(version, objectTypeProperty),
  }
}

/** All members of a resource, also those that it computes. */
export const toMembers = (resource: StoredResource) => ({
  ...resource,
  objectTypeProperty: resource.objectTypeProperty,
  propertyText: resource.propertyText,
})

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(toWhole)
const int32 = fc.integer()
const decimal = fc.oneof(
  // Adding 0 turns -0 into 0, since JSON text does not distinguish them.
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => value + 0),
  fc.constantFrom(1e300, -1e-300, 5e-324),
)

/** An integer as the parser returns it: a bigint only if a double would round. */
function toWhole(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** Any ArrayTestType, its numbers as the parser returns them. */
export const arrayTestTypes: fc.Arbitrary<ArrayTestType> = fc.record(
  {
    arrayOfIntExample: fc.array(int64),
    arrayOfUniqueIntExample: fc.uniqueArray(int64),
    arrayOfTwonumbersExample: fc.tuple(int64, int64),
    arrayOfFloatExample: fc.array(decimal),
    arrayOfNumberNoDefaultsExample: fc.array(fc.oneof(decimal, int64)),
    arrayOfStringExample: fc.array(fc.string({ unit: 'binary' })),
    arrayOfObjectType: fc.array(
      fc.record({ integerExample: int64, integerExampleInt32: int32 }, { requiredKeys: [], noNullPrototype: true }),
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)
