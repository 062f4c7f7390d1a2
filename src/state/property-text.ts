import { arrayNames } from '../contract/models.ts'
import type { ArrayName, ArrayTestType, ObjectEntry } from '../contract/models.ts'
import { stringifyJson } from '../http/json.ts'

type Writable<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] }

/** The two documented members of an entry, in the order of the specification's table (D8). */
function toObjectEntry({ integerExample, integerExampleInt32 }: ObjectEntry): ObjectEntry {
  return {
    ...(integerExample !== undefined && { integerExample }),
    ...(integerExampleInt32 !== undefined && { integerExampleInt32 }),
  }
}

function copyArray<Name extends ArrayName>(from: ArrayTestType, to: Writable<ArrayTestType>, name: Name): void {
  const values = from[name]
  // TypeScript widens the copy of an array whose name is generic; it has the type of what was copied.
  if (values !== undefined) to[name] = values.slice() as unknown as typeof values
}

/**
 * Copies the seven arrays out of a parsed body into an object of its own: only those present, in the order of the
 * specification's table (D8), without members that nobody documents (D4). Nothing of the result is shared with the body.
 */
export function toArrayTestType(body: ArrayTestType): ArrayTestType {
  const copy: Writable<ArrayTestType> = {}
  for (const name of arrayNames) copyArray(body, copy, name)
  if (copy.arrayOfObjectType !== undefined) copy.arrayOfObjectType = copy.arrayOfObjectType.map(toObjectEntry)
  return copy
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
