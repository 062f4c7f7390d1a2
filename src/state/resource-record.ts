import * as z from 'zod'
import type { Steps } from '../util/pause.ts'
import { arrayTestType, resourceKey, resultEntry } from '../contract/models.ts'
import type { ReadonlyDeep } from '../contract/types.ts'
import { toArrayTestType, toContent, toPropertyText } from './resource.ts'
import type { StoredResource } from './resource.ts'

const { someProperty, createdAt, lastModifiedAt } = resultEntry.shape

const version = z
  .custom<number>((value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1, {
    error: `integer between 1 and ${Number.MAX_SAFE_INTEGER} expected.`,
  })
  .meta({ type: 'integer', minimum: 1 })

/** A resource as files and the admin API write it; what is left out is filled in. */
export const resourceRecord = z.strictObject({
  /** Stands in paths as it is. */
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/, { error: '1 to 256 characters of A-Z, a-z, 0-9, "_" and "-" expected.' })
    .optional(),
  key: resourceKey.optional(),
  version: version.optional(),
  createdAt: createdAt.optional(),
  lastModifiedAt: lastModifiedAt.optional(),
  someProperty,
  objectTypeProperty: arrayTestType,
  staged: z.strictObject({ objectTypeProperty: arrayTestType }).optional(),
})
/**
 * A resource as fixtures and `seed` take it: a draft, an entry of `results`, or anything between.
 *
 * @example const record: ResourceRecord = { key: 'wool-hat', version: 7, objectTypeProperty: {} }
 */
export type ResourceRecord = ReadonlyDeep<z.output<typeof resourceRecord>>

/** When a record that does not say was created. */
const DEFAULT_INSTANT = '2024-01-01T00:00:00.000Z'

/** The id of a record without one: its place in the list, counted from 1, as a UUID. */
const toDefaultId = (position: number): string =>
  `00000000-0000-4000-8000-${(position + 1).toString(16).padStart(12, '0')}`

/** How an instant is written here; the schema has checked the numbers in it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const toInstant = (dateTime: string): string => (INSTANT.test(dateTime) ? dateTime : new Date(dateTime).toISOString())

/** The resource of a record at a place in its list, counted from 0. */
export function toResource(record: ResourceRecord, position: number): StoredResource {
  const { id = toDefaultId(position), key, version = 1, someProperty, staged } = record
  const createdAt = record.createdAt === undefined ? DEFAULT_INSTANT : toInstant(record.createdAt)
  const lastModifiedAt = record.lastModifiedAt === undefined ? createdAt : toInstant(record.lastModifiedAt)
  const objectTypeProperty = toArrayTestType(record.objectTypeProperty)
  return {
    id,
    ...(key !== undefined && { key }),
    version,
    createdAt,
    lastModifiedAt,
    ...(someProperty !== undefined && { someProperty }),
    ...toContent(version, objectTypeProperty),
    ...(staged !== undefined && { staged: toArrayTestType(staged.objectTypeProperty) }),
  }
}

/** A resource as the JSON text of a record; its arrays are the text that was written once. */
export function toResourceText({
  propertyText,
  objectTypeProperty: _same,
  text: _text,
  staged,
  ...resource
}: StoredResource): string {
  const head = JSON.stringify(resource).slice(0, -1)
  const tail = staged === undefined ? '' : `,"staged":{"objectTypeProperty":${toPropertyText(staged)}}`
  return `${head},"objectTypeProperty":${propertyText}${tail}}`
}

/** Two resources that share what names one (D5, D6), by their places. */
export interface Duplicate {
  readonly member: 'id' | 'key'
  readonly value: string
  readonly first: number
  readonly second: number
}

/** The first id, or else the first key, that two resources share, step by step. */
export function* findDuplicate(resources: readonly StoredResource[]): Steps<Duplicate | undefined> {
  for (const member of ['id', 'key'] as const) {
    const places = new Map<string, number>()
    for (const [second, { [member]: value }] of resources.entries()) {
      if (value === undefined) continue
      const first = places.get(value)
      if (first !== undefined) return { member, value, first, second }
      places.set(value, second)
      yield 1
    }
  }
  return undefined
}
