import type { StoredResource } from './resource.ts'
import { toPropertyText } from './property-text.ts'

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
