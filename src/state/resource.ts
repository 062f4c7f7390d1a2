import { arrayNames } from '../contract/models.ts'
import type { ArrayTestType, ArrayName, ObjectEntry } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import type { ImageType } from '../contract/endpoint.ts'

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

/** The two documented members of an entry, in the order of the specification's table (D8). */
function toObjectEntry({ integerExample, integerExampleInt32 }: ObjectEntry): ObjectEntry {
  // Most have both, and a literal is made at once.
  if (integerExample !== undefined && integerExampleInt32 !== undefined) return { integerExample, integerExampleInt32 }
  if (integerExample !== undefined) return { integerExample }
  return integerExampleInt32 === undefined ? {} : { integerExampleInt32 }
}

/**
 * Copies the seven arrays out of a parsed body into an object of its own: only those present, in the order of the
 * specification's table (D8), without members that nobody documents (D4). Nothing of the result is shared with the body.
 */
export function toArrayTestType(body: ArrayTestType): ArrayTestType {
  const copy: Partial<Record<ArrayName, readonly unknown[]>> = {}
  for (const name of arrayNames) {
    const values = body[name]
    if (values !== undefined) copy[name] = [...values]
  }
  if (body.arrayOfObjectType !== undefined) copy.arrayOfObjectType = body.arrayOfObjectType.map(toObjectEntry)
  // TypeScript forgets which array belongs to which name; each stands under its own.
  return copy as ArrayTestType
}

/**
 * The JSON text of an ArrayTestType, minified: only the arrays present, in the order of the specification's table (D8),
 * whole numbers exact (D3).
 *
 * @example toPropertyText({ arrayOfStringExample: ['a'], arrayOfIntExample: [1] })
 * // '{"arrayOfIntExample":[1],"arrayOfStringExample":["a"]}'
 */
export function toPropertyText(property: ArrayTestType): string {
  return stringifyJson(toArrayTestType(property))
}

/** An ObjectTestType as JSON text: the documented members alone (D5, D8). */
export const toObjectText = (version: number, propertyText: string): string =>
  `{"version":${version},"objectTypeProperty":${propertyText}}`

/** What a resource keeps of its property: the arrays, and the texts that reads of it send. */
export function toContent(
  version: number,
  objectTypeProperty: ArrayTestType,
): Pick<StoredResource, 'objectTypeProperty' | 'propertyText' | 'text'> {
  const propertyText = toPropertyText(objectTypeProperty)
  return { objectTypeProperty, propertyText, text: toObjectText(version, propertyText) }
}

/** How many bytes data take in memory, images counted apart. */
export interface Size {
  readonly bytes: number
  readonly imageBytes: number
}

export const NO_BYTES: Size = { bytes: 0, imageBytes: 0 }

/** For the objects of a resource, whatever is in them. */
const RESOURCE_BYTES = 1024
/** For the places of a resource in a project's lists, even when another project has the resource itself. */
export const PLACE_BYTES = 64
/** A resource keeps its arrays, and their text twice. */
const BYTES_PER_CHARACTER = 4

/** A text may take two bytes a character. */
export const textBytes = (text: string): number => 2 * text.length

export function resourceBytes({ propertyText, staged }: StoredResource): number {
  const characters = propertyText.length + (staged === undefined ? 0 : toPropertyText(staged).length)
  return RESOURCE_BYTES + PLACE_BYTES + BYTES_PER_CHARACTER * characters
}

export const addSizes = (one: Size, other: Partial<Size>): Size => ({
  bytes: one.bytes + (other.bytes ?? 0),
  imageBytes: one.imageBytes + (other.imageBytes ?? 0),
})

export const subtractSizes = (one: Size, other: Size): Size => ({
  bytes: one.bytes - other.bytes,
  imageBytes: one.imageBytes - other.imageBytes,
})

export const sumSizes = (sizes: Iterable<Size>): Size => {
  let sum = NO_BYTES
  for (const size of sizes) sum = addSizes(sum, size)
  return sum
}

/** An uploaded image (D21). Its bytes are never handed out to be changed: answers copy them. */
export interface StoredImage {
  readonly id: string
  readonly projectKey: string
  readonly resourceId: string
  readonly type: ImageType
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** A label, never a path. */
  readonly filename?: string
  readonly sku?: string
  readonly variant?: number
  readonly staged?: boolean
  readonly createdAt: string
}
