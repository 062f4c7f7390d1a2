import * as z from 'zod'
import { arrayNames, arrayTestType, isDateTime, objectEntry } from '../contract/models.ts'
import type { ArrayName, ArrayTestType, ObjectEntry } from '../contract/models.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { StoredResource } from '../state/resource.ts'
import { abridge } from './budget.ts'

/** One comparable value of a resource. Whole numbers past 2^53 are `bigint` (D3). */
export type Scalar = string | number | bigint
/** The type of a field's values; an `instant` is ISO 8601 text that compares as a moment. */
export type ScalarType = 'text' | 'number' | 'instant'

/** Negative, 0 or positive; JavaScript compares `number` with `bigint` exactly; `===` would not. */
export const compareScalars = (a: Scalar, b: Scalar): number => (a < b ? -1 : a > b ? 1 : 0)

/** Equal numbers become one key of a Set or Map, whatever their type. */
export function toUniform(value: Scalar): Scalar {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
  return value
}

/** Milliseconds since the epoch of an ISO 8601 date-time with its offset; undefined for anything else. */
export const parseInstant = (text: string): number | undefined => (isDateTime(text) ? Date.parse(text) : undefined)

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Whether two JSON values are equal: arrays in the same order, objects in any, numbers by value whatever their type. A
 * member that is undefined counts as absent.
 */
export function isEqualContent(a: unknown, b: unknown): boolean {
  if (isNumeric(a) && isNumeric(b)) return toUniform(a) === toUniform(b)
  if (!isObject(a) || !isObject(b)) return a === b
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((one: unknown, at) => isEqualContent(one, b[at]))
  }
  const members = new Map(Object.entries(a))
  const others = new Map(Object.entries(b))
  return [...new Set([...members.keys(), ...others.keys()])].every((name) =>
    isEqualContent(members.get(name), others.get(name)),
  )
}

/** A field that holds one value. */
export interface ValueField<Subject> {
  readonly kind: 'value'
  readonly type: ScalarType
  readonly read: (subject: Subject) => Scalar | undefined
}

/** A field that holds an array of values. */
export interface ListField<Subject> {
  readonly kind: 'list'
  readonly type: ScalarType
  readonly read: (subject: Subject) => readonly Scalar[] | undefined
}

/** A field of a subject, and how to read it. */
export type Field<Subject> =
  | ValueField<Subject>
  | ListField<Subject>
  | {
      readonly kind: 'object'
      readonly scope: Scope<ArrayTestType>
      readonly read: (subject: Subject) => ArrayTestType
    }
  | {
      readonly kind: 'entries'
      readonly scope: Scope<ObjectEntry>
      readonly read: (subject: Subject) => readonly ObjectEntry[] | undefined
    }

/** The fields of a subject by name. */
export type Scope<Subject> = ReadonlyMap<string, Field<Subject>>

/** The field at the end of a path. */
export type FieldPath<Subject> = ValueField<Subject> | ListField<Subject>

// The fields of arrays and their entries come from the contract's models; only the resource's own fields are listed.

const toNumberField = (name: keyof ObjectEntry): [string, Field<ObjectEntry>] => [
  name,
  { kind: 'value', type: 'number', read: (entry) => entry[name] },
]
const entryScope: Scope<ObjectEntry> = new Map(objectEntry.keyof().options.map(toNumberField))

function toArrayField<Subject>(name: ArrayName, toProperty: (subject: Subject) => ArrayTestType): Field<Subject> {
  if (name === 'arrayOfObjectType') {
    return { kind: 'entries', scope: entryScope, read: (subject) => toProperty(subject)[name] }
  }
  const isText = arrayTestType.shape[name].unwrap().element instanceof z.ZodString
  return { kind: 'list', type: isText ? 'text' : 'number', read: (subject) => toProperty(subject)[name] }
}

/** The seven arrays of a subject. */
const createArrayScope = <Subject>(toProperty: (subject: Subject) => ArrayTestType): Scope<Subject> =>
  new Map(arrayNames.map((name) => [name, toArrayField(name, toProperty)]))

const toProperty = ({ objectTypeProperty }: StoredResource): ArrayTestType => objectTypeProperty

const ownFields: Readonly<Record<string, Field<StoredResource>>> = {
  id: { kind: 'value', type: 'text', read: ({ id }) => id },
  key: { kind: 'value', type: 'text', read: ({ key }) => key },
  version: { kind: 'value', type: 'number', read: ({ version }) => version },
  createdAt: { kind: 'value', type: 'instant', read: ({ createdAt }) => createdAt },
  lastModifiedAt: { kind: 'value', type: 'instant', read: ({ lastModifiedAt }) => lastModifiedAt },
  someProperty: { kind: 'value', type: 'text', read: ({ someProperty }) => someProperty },
  objectTypeProperty: { kind: 'object', scope: createArrayScope((property) => property), read: toProperty },
}

/** The fields of `where`: the resource's own, and the arrays without `objectTypeProperty`, too. */
export const resourceScope: Scope<StoredResource> = new Map([
  ...Object.entries(ownFields),
  ...createArrayScope(toProperty),
])

/** The values of one member of all entries. */
function readEach(
  entries: readonly ObjectEntry[] | undefined,
  member: FieldPath<ObjectEntry>,
): readonly Scalar[] | undefined {
  return entries?.flatMap((entry) => member.read(entry) ?? [])
}

/** Every path from a subject to values: `key`, `arrayOfObjectType.integerExample`. */
function toPaths<Subject>(scope: Scope<Subject>): [string, FieldPath<Subject>][] {
  return [...scope].flatMap(([name, field]): [string, FieldPath<Subject>][] => {
    switch (field.kind) {
      case 'value':
      case 'list':
        return [[name, field]]
      case 'object':
        return toPaths(field.scope).map(([path, inner]) => [
          `${name}.${path}`,
          { kind: 'list', type: inner.type, read: (subject) => readList(inner, field.read(subject)) },
        ])
      case 'entries':
        return toPaths(field.scope).map(([path, inner]) => [
          `${name}.${path}`,
          { kind: 'list', type: inner.type, read: (subject) => readEach(field.read(subject), inner) },
        ])
    }
  })
}

/** The values at a path, which ends in one value or a list. */
function readList<Subject>(path: FieldPath<Subject>, subject: Subject): readonly Scalar[] | undefined {
  const found = path.read(subject)
  return typeof found === 'object' || found === undefined ? found : [found]
}

/** Every path of a resource by its name, the arrays with and without `objectTypeProperty.`. */
export const resourcePaths: ReadonlyMap<string, FieldPath<StoredResource>> = new Map(toPaths(resourceScope))

/** Those of {@link resourcePaths} that end in an array (D14). */
export const arrayPaths: ReadonlyMap<string, ListField<StoredResource>> = new Map(
  [...resourcePaths].flatMap(([name, path]) => (path.kind === 'list' ? [[name, path]] : [])),
)

/** The sentence about an unknown field, with a suggestion or else all known fields. */
export function describeUnknown(name: string, fields: ReadonlyMap<string, unknown>): string {
  const names = [...fields.keys()]
  const shortNames = names.filter((one) => !one.startsWith('objectTypeProperty.'))
  return `Unknown field "${abridge(name)}".${didYouMean(name, names) || ` Known here: ${shortNames.join(', ')}.`}`
}
