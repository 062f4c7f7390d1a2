import * as z from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { resultEntry } from '../contract/models.ts'
import { toPath } from '../http/json-faults.ts'
import { isEqualContent } from '../query/operands.ts'
import type { OperationExamination } from './examination.ts'
import { fault, isObject } from './fault.ts'
import type { ProviderAnswer } from './provider.ts'
import type { Fault } from './report.ts'

/** The first object whose members are in another order than its schema has them; unknown members stand anywhere. */
function findDisorder(
  answer: ProviderAnswer,
  schema: unknown,
  value: unknown,
  path: readonly PropertyKey[],
): readonly Fault[] {
  if (schema instanceof z.ZodOptional) return findDisorder(answer, schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((entry, at) => findDisorder(answer, schema.element, entry, [...path, at])).slice(0, 1)
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return []
  const order = Object.keys(schema.shape)
  const known = Object.keys(value).filter((name) => order.includes(name))
  const isOrdered = isEqualContent(
    known,
    order.filter((name) => known.includes(name)),
  )
  if (!isOrdered) return fault(answer, toPath(path) || 'body', 'the order of the specification', known.join(', '))
  return known.flatMap((name) => findDisorder(answer, schema.shape[name], value[name], [...path, name])).slice(0, 1)
}

/** The members of `results` are in order; what a page says of itself stands anywhere, as no decision orders it. */
const pageOrder = z.object({ results: z.array(resultEntry) })

/** Checks the order of the members of a resource or a cart, or of those that a page holds (D8). */
export function checkOrder(exam: OperationExamination, answer: ProviderAnswer): void {
  if (answer.unreadable !== undefined) return
  const { purpose, responses }: Endpoint = endpoints[exam.operation]
  const schema = purpose === 'query' ? pageOrder : responses[answer.status]?.schema
  exam.addFirst('order', findDisorder(answer, schema, answer.body, []))
}
