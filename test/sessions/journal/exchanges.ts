import type { RedactedExchange, KeptMembers } from '../../../src/sessions/journal/record.ts'
import { toRecordedBody, createToEntry } from '../../../src/sessions/journal/record.ts'
import { createRedactor } from '../../../src/sessions/journal/redact.ts'

/** The members of an exchange that a test replaces. */
export interface ExchangeMembers extends Partial<KeptMembers> {
  readonly session?: string
  readonly requestBody?: string | Uint8Array | undefined
  readonly responseBody?: string | Uint8Array | undefined
}

/** A create that succeeded, in the default session; members may be replaced. */
export function toExchange(members: ExchangeMembers = {}): KeptMembers {
  const { session, requestBody, responseBody, ...others } = {
    session: 'default',
    requestBody: '{"objectTypeProperty":{"arrayOfIntExample":[1,2]}}',
    responseBody: '{"version":1}',
    ...members,
  }
  return {
    time: Date.parse('2026-01-31T12:00:00Z'),
    durationMilliseconds: 4.5,
    addedDelay: 0,
    sessionName: session,
    correlationId: 'correlation-1',
    operation: 'createResource',
    projectKey: 'acme',
    scopes: undefined,
    isPassedThrough: false,
    clientLeft: false,
    tookEffect: false,
    scenarios: [],
    warnings: [],
    unkeptWarnings: 0,
    method: 'POST',
    url: 'http://127.0.0.1:4010/acme/resource',
    requestHeaders: new Headers({ 'Content-Type': 'application/json', Authorization: 'Bearer secret-token' }),
    keptRequestBody: toRecordedBody(requestBody),
    clientAddress: '127.0.0.1',
    status: 201,
    responseHeaders: { 'Content-Type': 'application/json; charset=utf-8', 'X-Mock-Operation': 'createResource' },
    keptResponseBody: toRecordedBody(responseBody),
    fault: undefined,
    ...others,
  }
}

/** The journal entry of {@link toExchange}. */
export const toTestEntry = (members: ExchangeMembers = {}, id = 'entry-1'): RedactedExchange =>
  createToEntry(createRedactor([]), () => id)(toExchange(members))

/** A request that matched no operation. */
export const toUnmatched = (method: string, path: string): RedactedExchange =>
  toTestEntry({
    method,
    url: `http://127.0.0.1:4010${path}`,
    operation: undefined,
    requestBody: undefined,
    status: 404,
    responseBody: '{"statusCode":404}',
  })
