import { endpoints, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'

const toList = <Value extends string>(value: Value | readonly Value[]): readonly Value[] =>
  typeof value === 'string' ? [value] : value

type OneOrMany<Value> = Value | readonly Value[] | undefined

/** The operations that a rule's `operation` and `method` leave; HEAD works on every GET (D9). */
export function findOperations(operation: OneOrMany<OperationId>, method: OneOrMany<string>): readonly OperationId[] {
  const named = operation === undefined ? operationIds : toList(operation)
  if (method === undefined) return named
  const methods = toList(method)
  return named.filter(
    (id) => methods.includes(endpoints[id].method) || (endpoints[id].method === 'GET' && methods.includes('HEAD')),
  )
}
