import * as z from 'zod'
import { arrayNames, arrayTestType, objectEntry } from '../contract/models.ts'
import type { ArrayName, ArrayTestType, ObjectEntry } from '../contract/models.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { StoredResource } from '../state/resource.ts'
import { abridge } from './effort.ts'
import type { Scalar, ScalarType } from './values.ts'

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

/** What a path can end in. */
export type FieldPath<Subject> = ValueField<Subject> | ListField<Subject>

// The kinds of the arrays and of their entries follow the contract's models; only the resource's own fields are listed.

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

/** The seven arrays, for a subject that has them somewhere. */
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

/** What `where` may name: the resource's own fields, and the arrays without their prefix too. */
export const resourceScope: Scope<StoredResource> = new Map([
  ...Object.entries(ownFields),
  ...createArrayScope(toProperty),
])

/** The values that all entries have in one member, where they have it. */
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

/** The values at a path, whether it ends in one or in several. */
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

/** The sentence for a name that is not one of the fields, with the one that was meant, or else all there are. */
export function describeUnknown(name: string, fields: ReadonlyMap<string, unknown>): string {
  const names = [...fields.keys()]
  const shortNames = names.filter((one) => !one.startsWith('objectTypeProperty.'))
  return `Unknown field "${abridge(name)}".${didYouMean(name, names) || ` Known here: ${shortNames.join(', ')}.`}`
}
