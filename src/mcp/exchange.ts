import type { JournaledRequest } from '../journal/logged-request.ts'
import type { MockAccess } from './tool.ts'

// As src/journal/wiremock-json.ts has them: what is redacted there is redacted here.

/** A request of the journal with its answer, as `GET /__admin/requests` lists it. */
interface ServeEvent {
  readonly request: Omit<JournaledRequest, 'response'>
  readonly response: JournaledRequest['response']
}

/** A request of the journal with its answer, without what an agent does not need. */
export function toExchange({ response, ...request }: JournaledRequest) {
  const { id, method, url, operation, scenarios, warnings, headers, body, loggedDateString: time } = request
  return {
    id,
    time,
    operation,
    scenarios,
    warnings,
    request: { method, url, headers, body },
    response: {
      status: response.status,
      fault: response.fault,
      headers: response.headers,
      body: response.body,
      bodySize: response.bodySize,
    },
  }
}

export type Exchange = ReturnType<typeof toExchange>

/** An exchange on one line of a list. */
export function toSummary({
  id,
  loggedDateString: time,
  method,
  url,
  operation,
  scenarios,
  response,
}: JournaledRequest) {
  return { id, time, method, url, operation, status: response.status, fault: response.fault, scenarios }
}

export const toJournaled = ({ request, response }: ServeEvent): JournaledRequest => ({ ...request, response })

/** A request of the journal, by its id. */
export async function readRequest({ admin }: MockAccess, id: string): Promise<JournaledRequest> {
  return toJournaled((await admin.ask('GET', `/requests/${encodeURIComponent(id)}`)) as ServeEvent)
}

/** The newest requests of the journal, the newest first. */
export async function readNewest({ admin }: MockAccess, limit: number): Promise<readonly JournaledRequest[]> {
  const { requests } = (await admin.ask('GET', `/requests?limit=${limit}`)) as { readonly requests: ServeEvent[] }
  return requests.map(toJournaled)
}

/** The requests that a pattern matches, the newest first. */
export async function findRequests({ admin }: MockAccess, pattern: object): Promise<readonly JournaledRequest[]> {
  const found = (await admin.ask('POST', '/requests/find', pattern)) as { readonly requests: JournaledRequest[] }
  return found.requests
}
