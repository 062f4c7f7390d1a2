import { describeUnknown, resourceScope } from './fields.ts'
import type { Field, ListField, Scope, ValueField } from './fields.ts'
import { malformedWhere, parseWhere } from './where-parser.ts'
import { compareScalars, toUniform, toValue, toValues } from './operands.ts'
import type { Scalar, WhereContext } from './operands.ts'
import { memoize } from '../util/memoize.ts'
import { UNLIMITED } from './effort.ts'
import type { Effort } from './effort.ts'
import type { FieldName, ComparisonOperator, Predicate, Operand } from './where-parser.ts'
import type { StoredResource } from '../state/resource.ts'

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

/** Whether something holds for a subject. */
export type Test<Subject> = (subject: Subject) => boolean

type Of<Kind extends Predicate['kind']> = Extract<Predicate, { readonly kind: Kind }>

const HOLDS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}

/** The order of an absent field: it equals nothing, so that `a != 1` is `not a = 1`, and is neither less nor greater. */
const INCOMPARABLE = Number.NaN

/** Reads what compares with an operand's value: of an instant its milliseconds. */
function toReader<Subject>({ read, type }: ValueField<Subject>): (subject: Subject) => Scalar | undefined {
  if (type !== 'instant') return read
  return (subject) => {
    const text = read(subject)
    return typeof text === 'string' ? Date.parse(text) : undefined
  }
}

/** Tests the value of a field, which counts as one step. */
function testValue<Subject>(
  field: ValueField<Subject>,
  { effort: { spend } }: WhereContext,
  holds: (value: Scalar | undefined) => boolean,
): Test<Subject> {
  const read = toReader(field)
  return (subject) => {
    spend(1)
    return holds(read(subject))
  }
}

function compileComparison<Subject>(
  predicate: Of<'comparison'>,
  scope: Scope<Subject>,
  context: WhereContext,
): Test<Subject> {
  const field = expectValue(predicate.field, scope, context)
  const wanted = toValue(predicate.operand, predicate.field, field.type, context)
  const holds = HOLDS[predicate.operator]
  return testValue(field, context, (value) => holds(value === undefined ? INCOMPARABLE : compareScalars(value, wanted)))
}

function compileIn<Subject>(
  predicate: Of<'in' | 'any' | 'all'>,
  scope: Scope<Subject>,
  context: WhereContext,
): Test<Subject> {
  const field = expectValue(predicate.field, scope, context)
  const wanted = new Set(toValues(predicate.operands, predicate.field, field.type, context).map(toUniform))
  return testValue(field, context, (value) => value !== undefined && wanted.has(toUniform(value)))
}

function compileContains<Subject>(
  predicate: Of<'in' | 'any' | 'all'>,
  scope: Scope<Subject>,
  context: WhereContext,
): Test<Subject> {
  const field = expectList(predicate.field, scope, context)
  const wanted = new Set(toValues(predicate.operands, predicate.field, field.type, context).map(toUniform))
  const { spend } = context.effort
  function readValues(subject: Subject): readonly Scalar[] {
    const values = field.read(subject) ?? []
    spend(values.length + wanted.size)
    return values
  }
  if (predicate.kind === 'any') return (subject) => readValues(subject).some((one) => wanted.has(toUniform(one)))
  return (subject) => {
    const missing = new Set(wanted)
    return readValues(subject).some((one) => missing.delete(toUniform(one)) && missing.size === 0)
  }
}

function compileEmpty<Subject>(
  predicate: Of<'defined' | 'empty'>,
  scope: Scope<Subject>,
  context: WhereContext,
): Test<Subject> {
  const field = parseFieldName(predicate.field, scope, context)
  if (field.kind !== 'list' && field.kind !== 'entries') throw unsuitable(predicate.field, field, context)
  const { read } = field
  return (subject) => (read(subject)?.length ?? 0) === 0
}

function compileNested<Subject>(predicate: Of<'nested'>, scope: Scope<Subject>, context: WhereContext): Test<Subject> {
  const field = parseFieldName(predicate.field, scope, context)
  if (field.kind === 'object') {
    const test = compilePredicate(predicate.predicate, field.scope, context)
    return (subject) => test(field.read(subject))
  }
  if (field.kind !== 'entries') throw unsuitable(predicate.field, field, context)
  const test = compilePredicate(predicate.predicate, field.scope, context)
  return (subject) => field.read(subject)?.some(test) === true
}

/**
 * Turns a predicate into a test over the fields of a scope.
 *
 * @throws {Problem} 400 for an unknown field, an undefined variable and a value of the wrong type.
 */
export function compilePredicate<Subject>(
  predicate: Predicate,
  scope: Scope<Subject>,
  context: WhereContext,
): Test<Subject> {
  switch (predicate.kind) {
    case 'and': {
      const tests = predicate.operands.map((operand) => compilePredicate(operand, scope, context))
      return (subject) => tests.every((test) => test(subject))
    }
    case 'or': {
      const tests = predicate.operands.map((operand) => compilePredicate(operand, scope, context))
      return (subject) => tests.some((test) => test(subject))
    }
    case 'not': {
      const test = compilePredicate(predicate.operand, scope, context)
      return (subject) => !test(subject)
    }
    case 'nested':
      return compileNested(predicate, scope, context)
    case 'comparison':
      return compileComparison(predicate, scope, context)
    case 'in':
      return compileIn(predicate, scope, context)
    case 'any':
    case 'all':
      return compileContains(predicate, scope, context)
    case 'defined': {
      const { read } = parseFieldName(predicate.field, scope, context)
      return (subject) => {
        context.effort.spend(1)
        return read(subject) !== undefined
      }
    }
    case 'empty':
      return compileEmpty(predicate, scope, context)
  }
}

/** Resources to look up. */
export interface LookUp {
  readonly field: 'id' | 'key'
  readonly values: ReadonlySet<string>
}

const isLookUpField = (name: string): name is LookUp['field'] => name === 'id' || name === 'key'

function toLookUp(field: FieldName, operands: readonly Operand[], context: WhereContext): LookUp | undefined {
  if (!isLookUpField(field.name)) return undefined
  return { field: field.name, values: new Set(toValues(operands, field, 'text', context).map(String)) }
}

/**
 * Finds what to look up instead of testing all resources: where the predicate holds, `id` or `key` is one of the values.
 * Undefined if there is nothing like that. The predicate has to be valid.
 */
export function findLookUp(predicate: Predicate, context: WhereContext): LookUp | undefined {
  if (predicate.kind === 'in') return toLookUp(predicate.field, predicate.operands, context)
  if (predicate.kind === 'comparison' && predicate.operator === '=') {
    return toLookUp(predicate.field, [predicate.operand], context)
  }
  if (predicate.kind !== 'and') return undefined
  for (const operand of predicate.operands) {
    const lookUp = findLookUp(operand, context)
    if (lookUp !== undefined) return lookUp
  }
  return undefined
}

const parse = memoize(parseWhere)

/** `where` parameters, compiled. */
export interface Where {
  /** Whether all of them hold. Throws a 400 if it looks at more than the effort allows. */
  readonly holds: (resource: StoredResource) => boolean
  /** All resources for which they hold have one of these ids or keys. */
  readonly lookUp: LookUp | undefined
}

/**
 * Compiles `where` parameters (D20).
 *
 * @param variables what fills `:name`: every value of `var.name`, by the name without `var.`
 * @throws {Problem} 400 whose message names line and column and puts a caret under the place.
 * @example compileWhere(['version > :least'], new Map([['least', ['2']]])).holds(resource)
 */
export function compileWhere(
  sources: readonly string[],
  variables: ReadonlyMap<string, readonly string[]>,
  effort: Effort = UNLIMITED,
): Where {
  const all = sources.map((source) => {
    const context = { source, variables, effort }
    const predicate = parse(source)
    return { test: compilePredicate(predicate, resourceScope, context), lookUp: findLookUp(predicate, context) }
  })
  return {
    holds: (resource) => all.every(({ test }) => test(resource)),
    lookUp: all.find(({ lookUp }) => lookUp !== undefined)?.lookUp,
  }
}
