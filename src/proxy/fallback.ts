import { check } from '../contract/check.ts'
import { endpoints } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { errorStatusesOf } from '../contract/error-responses.ts'
import { errorEnvelope } from '../contract/results.ts'
import { isJsonType } from './headers.ts'

/** An answer, as far as it tells whether the upstream has the operation at all. */
interface UpstreamRefusal {
  readonly status: number
  readonly headers: Headers
  /** Parsed; undefined for what is no JSON. */
  readonly json: unknown
}

/**
 * Whether the upstream does not have an operation, rather than the resource that it was asked for (D84). Where the
 * contract knows no 404, one is the path's; where it does, a resource's 404 has the envelope of errors, and a path's, which
 * a router or a gateway answers, has not. Of a HEAD's there is the type alone, which is that of a GET (RFC 9110, section
 * 9.3.2): a page of HTML is no envelope.
 */
export function isPathMissing(
  operation: OperationId,
  method: string,
  { status, headers, json }: UpstreamRefusal,
): boolean {
  if (status === 405 || status === 501) return true
  if (status !== 404) return false
  const endpoint = endpoints[operation]
  const isDocumented = 404 in endpoint.responses || errorStatusesOf(endpoint).includes(404)
  if (!isDocumented) return true
  if (method === 'HEAD') return headers.has('Content-Type') && !isJsonType(headers)
  return check(errorEnvelope, json).faults.length > 0
}
