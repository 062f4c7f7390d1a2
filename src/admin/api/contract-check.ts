import { findViolations } from '../../service/contract/check-response.ts'
import { endpoints, isOperation } from '../../service/contract/endpoints.ts'
import type { Violation } from '../../service/contract/check-response.ts'
import type { JournalEntry } from '../../sessions/journal/record.ts'

/** Whether a response matches the contract. */
export type ContractCheck =
  | { readonly kind: 'holds' }
  | { readonly kind: 'broken'; readonly violations: readonly Violation[] }
  /** Not checked; the sentence says why. */
  | { readonly kind: 'none'; readonly sentence: string }

/** Checks the response of an exchange against the contract. */
export function checkContract({ operation, request, response }: JournalEntry): ContractCheck {
  if (response.fault !== undefined)
    return { kind: 'none', sentence: 'The connection broke before a response: nothing to check.' }
  if (!isOperation(operation))
    return { kind: 'none', sentence: 'No operation matches: nothing to check against the contract.' }
  if (response.body?.isCut === true)
    return {
      kind: 'none',
      sentence: 'The body is longer than 64 KiB and was not kept in full, so it cannot be checked.',
    }
  const { status, headers, body } = response
  const answered = {
    status,
    headers: new Headers(
      Object.entries(headers).flatMap(([name, value]) =>
        value.split('\n').map((one) => [name, one] as [string, string]),
      ),
    ),
    body: body?.encoding === 'utf-8' ? body.text : undefined,
  }
  const violations = findViolations(endpoints[operation], request.method, answered)
  return violations.length === 0 ? { kind: 'holds' } : { kind: 'broken', violations }
}
