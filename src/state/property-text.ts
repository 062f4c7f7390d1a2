import { arrayNames } from '../contract/models.ts'
import type { ArrayName, ArrayTestType, ObjectEntry } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'
import type { StoredResource } from './resource.ts'

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
