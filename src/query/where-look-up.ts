import { toValues } from './where-operands.ts'
import type { WhereContext } from './where-operands.ts'
import type { FieldName, Operand, Predicate } from './where-parser.ts'

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
