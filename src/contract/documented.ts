import type { Endpoint } from './endpoint.ts'
import { errorCodes } from './error-codes.ts'
import { errorStatusesOf } from './error-responses.ts'

/** The statuses that an operation may answer with, in ascending order. */
export const documentedStatuses = (endpoint: Endpoint): readonly number[] =>
  [...new Set([...Object.keys(endpoint.responses).map(Number), ...errorStatusesOf(endpoint)])].toSorted((a, b) => a - b)

/** The error codes that an operation may answer with, each once. A client cannot see those of HEAD. */
export function documentedErrors(endpoint: Endpoint): readonly string[] {
  if (endpoint.method === 'HEAD') return []
  const codes = new Set(errorStatusesOf(endpoint).flatMap((status) => errorCodes[status] ?? []))
  // Of the mock alone, with --check-responses.
  codes.delete('ContractViolation')
  if (endpoint.body?.kind !== 'json') codes.delete('InvalidJsonInput')
  return [...codes]
}
