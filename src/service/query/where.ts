import { readNumber } from '../http/numbers.ts'
import { describeLostPlus } from '../http/request-head.ts'
import type { StoredResource } from '../state/resource.ts'
import { didYouMean, toChoice } from '../../util/did-you-mean.ts'
import { memoize } from '../../util/collections.ts'
import {
  abridge,
  describeUnknownField,
  expectFew,
  parseInstant,
  resourceScope,
  toComparable,
  toUniform,
} from './fields.ts'
import type { Field, Scalar, ScalarType, Scope, ValueField } from './fields.ts'
import { isSymbol, operators, toUsage } from './operators.ts'
import type { CompileOperator, Literal, OperatorUse } from './operators.ts'
import { malformedWhere, parseWhere } from './where-parser.ts'
import type { FieldName, Predicate } from './where-parser.ts'

interface WhereContext {
  readonly source: string
  /** By name, without `var.`. */
  readonly variables: ReadonlyMap<string, readonly string[]>
}

/** Finds a field by name, or throws a 400. */
function parseFieldName<Subject>(
  { name, offset }: FieldName,
  scope: Scope<Subject>,
  { source }: WhereContext,
): Field<Subject> {
  const field = scope.get(name)
  if (field !== undefined) return field
  throw malformedWhere(source, offset, describeUnknownField(name, scope))
}

/** Lists the operators for a kind of field, such as "a comparison, in (…) or is defined". */
function toSuitable(kind: Field<never>['kind']): string {
  const suitable = Object.entries(operators).filter(([, { on }]) => on[kind] !== undefined)
  const usages = suitable.map(([text, one]) => (isSymbol(text) ? 'a comparison' : toUsage(text, one)))
  return toChoice([...new Set(usages)])
}

const INSTEAD: Readonly<Record<Field<never>['kind'], (name: string) => string>> = {
  value: (name) => `${name} is a single value. Use ${toSuitable('value')}.`,
  list: (name) => `${name} is an array. Use ${toSuitable('list')}.`,
  object: (name) => `${name} is an object. Test its fields: ${name}(arrayOfIntExample contains any (1)).`,
  entries: (name) => `${name} is an array of objects. Test their fields: ${name}(integerExample = 1).`,
}

/** Creates the 400 for an operator that does not support this kind of field. */
const unsuitable = (
  { name, offset }: FieldName,
  { kind }: { readonly kind: Field<never>['kind'] },
  { source }: WhereContext,
) => malformedWhere(source, offset, INSTEAD[kind](name))

type Test<Subject> = (subject: Subject) => boolean

type Of<Kind extends Predicate['kind']> = Extract<Predicate, { readonly kind: Kind }>

const EXPECTED: Readonly<Record<ScalarType, string>> = {
  text: 'a string in double quotes',
  number: 'a number',
  instant: 'a date-time such as "2026-01-31T12:00:00.000Z"',
}

/** Converts a literal to a field's type; undefined if the types differ. */
function toScalar(value: Literal, type: ScalarType): Scalar | undefined {
  if (type === 'number') return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
  if (typeof value !== 'string') return undefined
  return type === 'instant' ? parseInstant(value) : value
}

function findVariable(name: string, offset: number, { source, variables }: WhereContext): readonly string[] {
  const texts = variables.get(name)
  if (texts !== undefined && texts.length > 0) return texts
  const near = didYouMean(name, [...variables.keys()])
  throw malformedWhere(
    source,
    offset,
    `Undefined variable :${abridge(name)}.${near} Send it as parameter var.${abridge(name)}.`,
  )
}

interface GivenLiteral {
  readonly literal: Literal
  readonly offset: number
  /** The name of the variable that it comes from. */
  readonly variable?: string
}

/** Converts an operand to the field's type. */
function toValue(
  { literal, offset, variable }: GivenLiteral,
  { name }: FieldName,
  type: ScalarType,
  source: string,
): Scalar {
  const isNumberText = type === 'number' && variable !== undefined
  const value = toScalar(isNumberText ? (readNumber(String(literal)) ?? literal) : literal, type)
  if (value !== undefined) return value
  const place = variable === undefined ? '' : ` in var.${variable}`
  const sentence = `Expected ${EXPECTED[type]} for ${name}, found ${typeof literal === 'string' ? JSON.stringify(abridge(literal)) : abridge(String(literal))}${place}.`
  throw malformedWhere(source, offset, sentence + describeLostPlus(String(literal)))
}

/**
 * Collects what an operator needs to know of a test.
 *
 * @throws {Problem} 400 for an undefined variable, or several values for an operator that takes one.
 */
function toUse(predicate: Of<'test'>, type: ScalarType | undefined, context: WhereContext): OperatorUse {
  const { field, operator, text } = predicate
  const { source } = context
  // The operands of a test, with every value of a variable.
  const operands = predicate.operands.flatMap((operand): readonly GivenLiteral[] => {
    const { offset } = operand
    if (operand.kind === 'literal') return [{ literal: operand.value, offset }]
    const { name } = operand
    return findVariable(name, offset, context).map((literal) => ({ literal, offset, variable: name }))
  })
  const [first] = operands
  if (operator.takes === 'one value' && operands.length > 1 && first?.variable !== undefined) {
    const variable = `:${first.variable}`
    const subject = isSymbol(text) ? 'A comparison' : `The operator ${text}`
    const remedy = isSymbol(text) ? ` Use: ${field.name} in ${variable}.` : ' Send it once.'
    throw malformedWhere(
      source,
      first.offset,
      `${subject} takes one value, but ${variable} has ${operands.length}.${remedy}`,
    )
  }
  return {
    type,
    operands,
    values: () =>
      type === undefined ? [] : [...new Set(operands.map((one) => toUniform(toValue(one, field, type, source))))],
    refuse: (offset, sentence) => malformedWhere(source, offset, sentence),
  }
}

/** Returns a function that reads the value to compare. */
function toReader<Subject>({ read, type }: ValueField<Subject>): (subject: Subject) => Scalar | undefined {
  if (type !== 'instant') return read
  return (subject) => {
    const text = read(subject)
    return typeof text === 'string' ? toComparable(text) : undefined
  }
}

function compileTest<Subject>(predicate: Of<'test'>, scope: Scope<Subject>, context: WhereContext): Test<Subject> {
  const { field: name, operator } = predicate
  const field = parseFieldName(name, scope, context)

  function bind<Content>(
    read: (subject: Subject) => Content | undefined,
    compile: CompileOperator<Content> | undefined,
  ): Test<Subject> {
    if (compile === undefined) throw unsuitable(name, field, context)
    const holds = compile(toUse(predicate, 'type' in field ? field.type : undefined, context))
    return (subject) => holds(read(subject))
  }

  switch (field.kind) {
    case 'value':
      return bind(toReader(field), operator.on.value)
    case 'list':
      return bind(field.read, operator.on.list)
    case 'object':
      return bind(field.read, operator.on.object)
    case 'entries':
      return bind(field.read, operator.on.entries)
  }
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
 * Compiles a predicate for the fields of a scope.
 *
 * @throws {Problem} 400 for an unknown field, an undefined variable, or a value of the wrong type.
 */
function compilePredicate<Subject>(predicate: Predicate, scope: Scope<Subject>, context: WhereContext): Test<Subject> {
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
    case 'test':
      return compileTest(predicate, scope, context)
  }
}

/** A lookup by id or key. */
export interface LookUp {
  readonly field: 'id' | 'key'
  readonly values: ReadonlySet<string>
}

/**
 * Finds a lookup that can replace a full scan, because the predicate only matches certain ids or keys. Undefined if there
 * is none. The predicate must be valid.
 */
function findLookUp(predicate: Predicate, context: WhereContext): LookUp | undefined {
  if (predicate.kind === 'test') {
    const { field, operator } = predicate
    if (operator.canLookUp !== true || !(field.name === 'id' || field.name === 'key')) return undefined
    return { field: field.name, values: new Set(toUse(predicate, 'text', context).values().map(String)) }
  }
  if (predicate.kind !== 'and') return undefined
  for (const operand of predicate.operands) {
    const lookUp = findLookUp(operand, context)
    if (lookUp !== undefined) return lookUp
  }
  return undefined
}

const parse = memoize(parseWhere)

/** Counts the tests of a predicate. A test with many operands, such as `id in (…)`, is one. */
function countTests(predicate: Predicate): number {
  if (predicate.kind === 'test') return 1
  if (predicate.kind === 'not') return countTests(predicate.operand)
  if (predicate.kind === 'nested') return countTests(predicate.predicate)
  return predicate.operands.reduce((sum, operand) => sum + countTests(operand), 0)
}

/**
 * Compiles `where` parameters (D20).
 *
 * @param variables the values of `:name` variables, by name without `var.`
 * @throws {Problem} 400 with line, column and a caret below the error, or for too many conditions.
 * @example compileWhere(['version > :least'], new Map([['least', ['2']]])).holds(resource)
 */
export function compileWhere(sources: readonly string[], variables: ReadonlyMap<string, readonly string[]>) {
  const predicates = sources.map((source) => ({ source, predicate: parse(source) }))
  expectFew(
    predicates.reduce((sum, { predicate }) => sum + countTests(predicate), 0),
    'conditions',
  )
  const all = predicates.map(({ source, predicate }) => {
    const context = { source, variables }
    return { test: compilePredicate(predicate, resourceScope, context), lookUp: findLookUp(predicate, context) }
  })
  return {
    /** Whether all of them match. */
    holds: (resource: StoredResource): boolean => all.every(({ test }) => test(resource)),
    /** Restricts matches to resources with certain ids or keys. */
    lookUp: all.find(({ lookUp }) => lookUp !== undefined)?.lookUp,
  }
}
