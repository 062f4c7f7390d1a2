import type { Scope, ValueField } from './fields.ts'
import { compareScalars, toUniform } from './scalars.ts'
import type { Scalar } from './scalars.ts'
import { expectList, expectValue, parseFieldName, unsuitable } from './where-fields.ts'
import { toValue, toValues } from './where-operands.ts'
import type { WhereContext } from './where-operands.ts'
import type { ComparisonOperator, Predicate } from './where-parser.ts'

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
