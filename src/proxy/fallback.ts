import { check } from '../contract/check.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { errorStatusesOf } from '../contract/error-responses.ts'
import { errorEnvelope } from '../contract/results.ts'

/** An answer, as far as it tells whether the upstream has the operation at all. */
interface Refusal {
  readonly status: number
  /** Parsed; undefined for what is no JSON. */
  readonly json: unknown
}

/**
 * Whether the upstream does not have an operation, rather than the resource that it was asked for (D84). Where the
 * contract knows no 404, one is the path's; where it does, a resource's 404 has the envelope of errors, and a path's, which
 * a router or a gateway answers, has not.
 */
export function isPathMissing(operation: OperationId, method: string, { status, json }: Refusal): boolean {
  if (status === 405 || status === 501) return true
  if (status !== 404) return false
  const endpoint = endpoints[operation]
  const isDocumented = 404 in endpoint.responses || errorStatusesOf(endpoint).includes(404)
  if (!isDocumented) return true
  return method !== 'HEAD' && check(errorEnvelope, json).faults.length > 0
}
