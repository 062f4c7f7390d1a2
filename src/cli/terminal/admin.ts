import type { Mock } from '../../mock.ts'
import type { RequestLog } from '../../journal/request-log.ts'

/** Marks the requests that the terminal's keys make. */
const CORRELATION_ID = 'resource-mock-terminal'

/** Whether a key made a request, so that it needs no line of the log. */
export const isMadeByKey = ({ correlationId }: RequestLog): boolean => correlationId === CORRELATION_ID

/** A scenario as the admin API lists it. */
export interface ListedScenario {
  readonly name: string
  readonly description: string
}

/** What the keys ask of the admin API, in the default session. */
export interface Admin {
  scenarios(): Promise<{ readonly active: readonly string[]; readonly scenarios: readonly ListedScenario[] }>
  activate(names: readonly string[]): Promise<void>
  reset(): Promise<void>
}

/** Calls the admin API of a mock in this process, without a socket. */
export function createAdmin(mock: Pick<Mock, 'fetch'>, token: string | undefined): Admin {
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await mock.fetch(
      new Request(`http://127.0.0.1/__admin${path}`, {
        method,
        headers: {
          'X-Correlation-ID': CORRELATION_ID,
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    if (!response.ok) throw new Error(`${method} /__admin${path} answered ${response.status}: ${await response.text()}`)
    return response
  }

  return {
    async scenarios() {
      const response = await call('GET', '/scenarios')
      // The mock's own answer, whose shape its tests hold.
      return (await response.json()) as Awaited<ReturnType<Admin['scenarios']>>
    },
    async activate(names) {
      await call('PUT', '/scenarios/active', { active: names })
    },
    async reset() {
      await call('POST', '/reset')
    },
  }
}
