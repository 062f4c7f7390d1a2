import type { RecordedBody } from './kept-body.ts'
import { isList } from './record.ts'
import type { RecordedHeaders, WaitingRecord } from './record.ts'

/**
 * A waiting record with all that is short in one text. A full journal lives through every garbage collection, which
 * costs by the object: this way most exchanges are two of them, and not a dozen.
 */
export interface PackedRecord {
  readonly packed: string
  readonly requestHeaders: RecordedHeaders
  readonly requestBody: RecordedBody | undefined
  readonly responseBody: RecordedBody | undefined
}

/** Stands in no header (RFC 9110, section 5.5) and no URL. */
const SEPARATOR = '\u0000'

/** Longer bodies, in characters, are kept by reference: a copy would cost more than it saves. */
const SHORT = 4096

const NONE: readonly string[] = []

const isPackable = (body: RecordedBody | undefined): body is string =>
  typeof body === 'string' && body.length <= SHORT && !body.includes(SEPARATOR)

/** Packs what most exchanges are: an operation's answer, over a socket, with nothing to remark. Undefined for others. */
export function packRecord(record: WaitingRecord): PackedRecord | undefined {
  const { operation, projectKey, clientAddress, scenarios, warnings, fault, responseHeaders } = record
  if (operation === undefined || projectKey === undefined || projectKey.includes(SEPARATOR)) return undefined
  if (clientAddress === undefined || fault !== undefined || scenarios.length + warnings.length > 0) return undefined
  if (isList(responseHeaders) || responseHeaders instanceof Headers) return undefined
  const { time, durationMilliseconds, session, correlationId, method, url, status } = record
  const parts: (string | number | undefined)[] = [time, durationMilliseconds, session, correlationId, operation, projectKey, method, url, clientAddress]
  // An empty body is shown as none, so that nothing tells the two apart.
  const isShort = isPackable(record.responseBody)
  parts.push(status, isShort ? record.responseBody : '')
  for (const name in responseHeaders) parts.push(name, responseHeaders[name])
  return {
    packed: parts.join(SEPARATOR),
    requestHeaders: record.requestHeaders,
    requestBody: record.requestBody,
    responseBody: isShort ? undefined : record.responseBody,
  }
}

/** The record as it was. */
export function unpackRecord({ packed, requestHeaders, requestBody, responseBody }: PackedRecord): WaitingRecord {
  const [
    time,
    durationMilliseconds,
    session = '',
    correlationId = '',
    operation,
    projectKey,
    method = '',
    url = '',
    clientAddress,
    status,
    shortBody,
    ...responseHeaders
  ] = packed.split(SEPARATOR)
  return {
    requestHeaders,
    requestBody,
    responseBody: responseBody ?? shortBody,
    time: Number(time),
    durationMilliseconds: Number(durationMilliseconds),
    session,
    correlationId,
    operation,
    projectKey,
    scenarios: NONE,
    warnings: NONE,
    method,
    url,
    clientAddress,
    status: Number(status),
    responseHeaders,
  }
}
