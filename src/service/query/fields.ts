import * as z from 'zod'
import { arrayNames, arrayTestType, isDateTime, objectEntry } from '../contract/models.ts'
import type { ArrayName, ArrayTestType, ObjectEntry } from '../contract/models.ts'
import { problem } from '../../errors.ts'
import { MAX_CONDITIONS } from '../http/sizes.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import type { StoredResource } from '../state/resource.ts'

/** Maximum length of text quoted from a request in a message. */
const LONGEST_QUOTED = 60

export const abridge = (text: string): string =>
  text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text

/** @throws {Problem} 400 if a query has more conditions, sorts, terms or facets than {@link MAX_CONDITIONS}. */
export function expectFew(count: number, what: 'conditions' | 'sorts' | 'terms' | 'facets'): void {
  if (count <= MAX_CONDITIONS) return
  throw problem.invalidInput(`The query has ${count} ${what}. The limit is ${MAX_CONDITIONS}. Use fewer (D97).`)
}

/** A comparable value. Integers beyond 2^53 are `bigint` (D3). */
export type Scalar = string | number | bigint
/** The type of a field's values. An `instant` is ISO 8601 text that is compared by time. */
export type ScalarType = 'text' | 'number' | 'instant'

/** Compares like a sort callback. `<` and `>` compare `number` with `bigint` exactly; `===` would not. */
export const compareScalars = (a: Scalar, b: Scalar): number => (a < b ? -1 : a > b ? 1 : 0)

/** Normalizes numbers, so that equal ones are the same key of a Set or Map whether they are `number` or `bigint`. */
export function toUniform(value: Scalar): Scalar {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
  return value
}

/** Whether a list has a value, as `number` or `bigint`. `includes` is ten times as fast as a comparison of our own. */
export function hasValue(values: readonly Scalar[], value: Scalar): boolean {
  if (values.includes(value)) return true
  if (typeof value === 'bigint') return toUniform(Number(value)) === value && values.includes(Number(value))
  return Number.isInteger(value) && values.includes(BigInt(value))
}

/** Converts the time of a stored resource to a text that compares like those of {@link parseInstant}. */
export const toComparable = (stored: string): string => stored.slice(0, -1).replace('+', ':')

/**
 * Parses an ISO 8601 date-time with an offset to UTC without the `Z`, so that such texts compare like their times, with all
 * digits (D20); undefined for anything else.
 */
export function parseInstant(text: string): string | undefined {
  if (!isDateTime(text)) return undefined
  const [fraction = '', digits = ''] = /\.(\d+)/.exec(text) ?? []
  const second = new Date(text.replace(fraction, '')).toISOString().slice(0, -'.000Z'.length)
  // Years after 9999 start with a plus sign, which would sort first; a colon sorts after all digits.
  return `${second.replace('+', ':')}.${digits.replace(/0+$/, '').padEnd(3, '0')}`
}

export const isNumeric = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'
/** Whether a value has members: an object or an array. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Whether two JSON values are equal, ignoring the order of object members. Numbers are compared by value, and undefined
 * members count as absent.
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

/** A field with a single value. */
export interface ValueField<Subject> {
  readonly kind: 'value'
  readonly type: ScalarType
  readonly read: (subject: Subject) => Scalar | undefined
}

/** A field with an array of values. */
export interface ListField<Subject> {
  readonly kind: 'list'
  readonly type: ScalarType
  readonly read: (subject: Subject) => readonly Scalar[] | undefined
}

/** A field of a subject and how to read it. */
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

/** The field that a path leads to. */
export type FieldPath<Subject> = ValueField<Subject> | ListField<Subject>

// Fields of arrays and their entries are derived from the contract's models; only the resource's own fields are listed
// here.

const entryScope: Scope<ObjectEntry> = new Map(
  objectEntry.keyof().options.map((name) => [name, { kind: 'value', type: 'number', read: (entry) => entry[name] }]),
)

function toArrayField<Subject>(name: ArrayName, toProperty: (subject: Subject) => ArrayTestType): Field<Subject> {
  if (name === 'arrayOfObjectType')
    return { kind: 'entries', scope: entryScope, read: (subject) => toProperty(subject)[name] }
  const isText = arrayTestType.shape[name].unwrap().element instanceof z.ZodString
  return { kind: 'list', type: isText ? 'text' : 'number', read: (subject) => toProperty(subject)[name] }
}

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

/** The fields for `where`: the resource's own, plus the arrays without the `objectTypeProperty.` prefix. */
export const resourceScope: Scope<StoredResource> = new Map([
  ...Object.entries(ownFields),
  ...createArrayScope(toProperty),
])

/** Lists all paths from a subject to values: `key`, `arrayOfObjectType.integerExample`. */
function listFieldPaths<Subject>(scope: Scope<Subject>): [string, FieldPath<Subject>][] {
  return [...scope].flatMap(([name, field]): [string, FieldPath<Subject>][] => {
    switch (field.kind) {
      case 'value':
      case 'list':
        return [[name, field]]
      case 'object':
        return listFieldPaths(field.scope).map(([path, inner]) => [
          `${name}.${path}`,
          { kind: 'list', type: inner.type, read: (subject) => readValues(inner, field.read(subject)) },
        ])
      case 'entries':
        return listFieldPaths(field.scope).map(([path, inner]) => [
          `${name}.${path}`,
          {
            kind: 'list',
            type: inner.type,
            read: (subject) => field.read(subject)?.flatMap((entry) => inner.read(entry) ?? []),
          },
        ])
    }
  })
}

/** Reads the values at a path as a list, even if it is a single value. */
function readValues<Subject>(path: FieldPath<Subject>, subject: Subject): readonly Scalar[] | undefined {
  const found = path.read(subject)
  return typeof found === 'object' || found === undefined ? found : [found]
}

/** All paths of a resource by name; arrays are listed with and without `objectTypeProperty.`. */
export const resourcePaths: ReadonlyMap<string, FieldPath<StoredResource>> = new Map(listFieldPaths(resourceScope))

/** The {@link resourcePaths} that lead to lists (D14). */
export const arrayPaths: ReadonlyMap<string, ListField<StoredResource>> = new Map(
  [...resourcePaths].flatMap(([name, path]) => (path.kind === 'list' ? [[name, path]] : [])),
)

/** Describes an unknown field, suggesting a similar one or listing all known fields. */
export function describeUnknownField(name: string, fields: ReadonlyMap<string, unknown>): string {
  const names = [...fields.keys()]
  const shortNames = names.filter((one) => !one.startsWith('objectTypeProperty.'))
  return `Unknown field "${abridge(name)}".${didYouMean(name, names) || ` Known fields: ${shortNames.join(', ')}.`}`
}
