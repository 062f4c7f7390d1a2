import { compareScalars, hasValue, toUniform } from './fields.ts'
import type { Scalar, ScalarType } from './fields.ts'
import type { Problem } from '../../errors.ts'

/** A value as written in a predicate, or the text of a variable. */
export type Literal = string | number | bigint | boolean

/** A use of an operator in a predicate. */
export interface OperatorUse {
  /** The type of the field's values; undefined if the field has none, such as an object. */
  readonly type: ScalarType | undefined
  /** The operands as written, with their positions in the predicate. */
  readonly operands: readonly { readonly literal: Literal; readonly offset: number }[]
  /**
   * Returns the operands in the field's type, without duplicates.
   *
   * @throws {Problem} 400 for one of another type.
   */
  readonly values: () => readonly Scalar[]
  /** Creates a 400 with line, column and a caret below the offset. */
  readonly refuse: (offset: number, sentence: string) => Problem
}

/**
 * Turns a use into a predicate on a field's content, which is undefined if the field is absent.
 *
 * @throws {Problem} 400 if the operator cannot be used like that.
 */
export type CompileOperator<Content> = (use: OperatorUse) => (content: Content | undefined) => boolean

/** An operator of the `where` language. */
export interface Operator {
  readonly takes: 'one value' | 'values' | 'nothing'
  /** The spelling of the opposite. */
  readonly negation?: string
  /** Completes "holds if the field …" in `docs/decisions.md`. */
  readonly meaning: string
  /** Implementations by kind of field. */
  readonly on: {
    readonly value?: CompileOperator<Scalar>
    readonly list?: CompileOperator<readonly Scalar[]>
    readonly entries?: CompileOperator<readonly unknown[]>
    readonly object?: CompileOperator<object>
  }
  /** Set if the operator only matches its operands, which allows lookups by `id` or `key`. */
  readonly canLookUp?: true
}

// NaN for an absent field, so it equals nothing, and is neither less nor greater: `a != 1` means `not a = 1` (D53).
const comparison = (meaning: string, holds: (order: number) => boolean) => ({
  takes: 'one value' as const,
  meaning,
  on: {
    value({ values }: OperatorUse) {
      const [operand = ''] = values()
      return (value: Scalar | undefined) => holds(value === undefined ? Number.NaN : compareScalars(value, operand))
    },
  },
})

const isEmpty = () => (entries: readonly unknown[] | undefined) => (entries?.length ?? 0) === 0
const isDefined = () => (content: unknown) => content !== undefined

/** All operators by spelling. The parser, its errors, the evaluation and the test of the docs all use this table. */
export const operators: Readonly<Record<string, Operator>> = {
  '=': { ...comparison('equals the value', (order) => order === 0), canLookUp: true },
  '!=': comparison('does not equal the value, or is absent', (order) => order !== 0),
  '<>': comparison('does not equal the value, or is absent', (order) => order !== 0),
  '<': comparison('is less than the value', (order) => order < 0),
  '>': comparison('is greater than the value', (order) => order > 0),
  '<=': comparison('is at most the value', (order) => order <= 0),
  '>=': comparison('is at least the value', (order) => order >= 0),
  in: {
    takes: 'values',
    negation: 'not in',
    meaning: 'equals one of the values',
    on: {
      value({ values }) {
        const wanted = new Set(values())
        return (value) => value !== undefined && wanted.has(toUniform(value))
      },
    },
    canLookUp: true,
  },
  'contains any': {
    takes: 'values',
    meaning: 'is an array with at least one of the values',
    on: {
      list({ values }) {
        const wanted = values()
        return (content = []) => wanted.some((one) => hasValue(content, one))
      },
    },
  },
  'contains all': {
    takes: 'values',
    meaning: 'is an array with all of the values',
    on: {
      list({ values }) {
        const wanted = values()
        return (content = []) => wanted.every((one) => hasValue(content, one))
      },
    },
  },
  'is empty': {
    takes: 'nothing',
    negation: 'is not empty',
    meaning: 'is an array without entries, or absent',
    on: { list: isEmpty, entries: isEmpty },
  },
  'is defined': {
    takes: 'nothing',
    negation: 'is not defined',
    meaning: 'is present',
    on: { value: isDefined, list: isDefined, entries: isDefined, object: isDefined },
  },
}

/** An operator as it is used, such as `in (…)`. */
export const toUsage = (text: string, { takes }: Operator): string => (takes === 'values' ? `${text} (…)` : text)

/** Whether a spelling is a comparison, such as `<=`, rather than words. */
export const isSymbol = (text: string): boolean => !/^\w/.test(text)
