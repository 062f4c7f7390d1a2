const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/

/**
 * Finds the trace id of a `traceparent` header (W3C Trace Context, section 3.2); undefined for a malformed one. Versions
 * after 00 may have more fields.
 */
export function findTraceId(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [, version, traceId, more] = TRACE_PARENT.exec(header.trim()) ?? []
  return version === '00' && more !== undefined ? undefined : traceId
}
