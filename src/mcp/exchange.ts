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
export async function* readNewest({ admin }: MockAccess, limit: number): AsyncGenerator<JournaledRequest, void> {
  for await (const event of admin.list('GET', `/requests?limit=${limit}`, 'requests'))
    yield toJournaled(event as ServeEvent)
}

/** The requests that a pattern matches, the newest first. */
export const findRequests = ({ admin }: MockAccess, pattern: object): AsyncIterable<JournaledRequest> =>
  admin.list('POST', '/requests/find', 'requests', pattern) as AsyncIterable<JournaledRequest>

/** The first request for which a test holds. */
export async function findFirst(
  requests: AsyncIterable<JournaledRequest>,
  holds: (request: JournaledRequest) => boolean = () => true,
): Promise<JournaledRequest | undefined> {
  for await (const request of requests) if (holds(request)) return request
  return undefined
}
