import * as z from 'zod'
import type { AdminClient } from '../client/admin-client.ts'

/** What of the journal's newest requests says whose they were. */
const newest = z.object({
  requests: z.array(
    z.object({
      id: z.string(),
      request: z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.unknown()) }),
    }),
  ),
})
type Lost = z.output<typeof newest>['requests'][number]

/** Tells, of a test that failed, whether its requests went to another session. */
export interface LostSession {
  /** A paragraph that says so and how to fix it; undefined where the test's own session received something. */
  explain(): Promise<string | undefined>
}

interface LostSessionParts {
  /** Acts on the session of the test. */
  readonly own: AdminClient
  /** Acts on the session of requests that name none. */
  readonly unnamed: AdminClient
  readonly mockUrl: string
  /** The app's own origin. */
  readonly baseURL: string | undefined
}

const toLine = ({ request: { method, url, headers } }: Lost): string => {
  const from = headers['origin'] ?? headers['referer']
  return `  ${method} ${url}${typeof from === 'string' ? ` from ${from}` : ''}`
}

/** As many as a person reads. */
const MOST_SHOWN = 3

function explainCookie({ mockUrl, baseURL }: Pick<LostSessionParts, 'mockUrl' | 'baseURL'>): string {
  const [mock, app] = [new URL(mockUrl).hostname, baseURL === undefined ? undefined : new URL(baseURL).hostname]
  return app === undefined || app === mock
    ? '.'
    : `, and use one host name for both: the app is at ${app} and the mock at ${mock}, so the browser keeps the cookie back.`
}

/** Remembers which requests without a session were there before the test. */
export async function watchForLostSession(parts: LostSessionParts): Promise<LostSession> {
  const { own, unnamed } = parts
  const [last] = newest.parse(await unnamed.ask('GET', '/requests?limit=1')).requests

  async function findLost(): Promise<readonly Lost[]> {
    if (newest.parse(await own.ask('GET', '/requests?limit=1')).requests.length > 0) return []
    const { requests } = newest.parse(await unnamed.ask('GET', '/requests'))
    const end = requests.findIndex(({ id }) => id === last?.id)
    return end === -1 ? requests : requests.slice(0, end)
  }

  return {
    async explain() {
      const lost = await findLost()
      if (lost.length === 0) return undefined
      const shown = [...new Set(lost.map(toLine))].slice(0, MOST_SHOWN)
      return [
        "The mock received no requests in this test's session, but it did receive requests without a session while the test ran:",
        ...shown,
        'They were answered with the data of the session "default". To send them in the session of the test, do one of these:',
        "- Set sessionBy: 'header' in `use` of the Playwright configuration. The app stays as it is.",
        `- In the app, call fetch(url, { credentials: 'include' })${explainCookie(parts)}`,
        '- If the app calls the mock from its own server, pass on the Cookie header of the incoming request.',
        '- Give the app mock.url as the base URL of its API.',
      ].join('\n')
    },
  }
}
