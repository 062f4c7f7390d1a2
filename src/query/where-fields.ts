import { describeUnknown } from './fields.ts'
import type { Field, ListField, Scope, ValueField } from './fields.ts'
import type { WhereContext } from './where-operands.ts'
import type { FieldName } from './where-parser.ts'
import { malformedWhere } from './where-problem.ts'

/** The field that a name means in a scope; throws a 400 where it means none. */
export function parseFieldName<Subject>(
  { name, offset }: FieldName,
  scope: Scope<Subject>,
  { source }: WhereContext,
): Field<Subject> {
  const field = scope.get(name)
  if (field !== undefined) return field
  throw malformedWhere(source, offset, describeUnknown(name, scope))
}

const INSTEAD: Readonly<Record<Field<never>['kind'], (name: string) => string>> = {
  value: (name) => `${name} holds one value. Use a comparison, in (…) or is defined.`,
  list: (name) => `${name} is an array. Use contains any (…), contains all (…), is empty or is defined.`,
  object: (name) => `${name} is an object. Ask for its fields: ${name}(arrayOfIntExample contains any (1)).`,
  entries: (name) => `${name} is an array of objects. Ask for one of them: ${name}(integerExample = 1).`,
}

/** The 400 of a question that a field of this kind cannot be asked. */
export const unsuitable = (
  { name, offset }: FieldName,
  field: { readonly kind: Field<never>['kind'] },
  { source }: WhereContext,
) => malformedWhere(source, offset, INSTEAD[field.kind](name))

/** As {@link parseFieldName}, and a 400 where it does not hold one value. */
export function expectValue<Subject>(
  name: FieldName,
  scope: Scope<Subject>,
  context: WhereContext,
): ValueField<Subject> {
  const field = parseFieldName(name, scope, context)
  if (field.kind !== 'value') throw unsuitable(name, field, context)
  return field
}

/** As {@link parseFieldName}, and a 400 where it is not an array of values. */
export function expectList<Subject>(name: FieldName, scope: Scope<Subject>, context: WhereContext): ListField<Subject> {
  const field = parseFieldName(name, scope, context)
  if (field.kind !== 'list') throw unsuitable(name, field, context)
  return field
}
