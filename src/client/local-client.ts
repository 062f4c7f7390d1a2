import { SetupError } from '../errors.ts'
import { showValue } from '../http/show-value.ts'
import type { Send } from './admin-client.ts'
import { createSessionClient } from './session-client.ts'
import { createMockFetch } from './mock-fetch.ts'
import type { MockFetch } from './mock-fetch.ts'
import type { SessionHandle } from './session-handle.ts'

interface LocalClientParts {
  /** What the admin API asks for. */
  readonly token: string | undefined
  /** Answers a request. */
  readonly send: Send
  /** Answers a request to the admin API, and leaves no line of it in the log. */
  readonly sendAdmin: Send
  readonly newId: () => string
  /** Told the path of the server's URL, such as `/mock`; the empty string for none. */
  readonly onMount: (path: string) => void
}

/** Hands out what a mock in this process is asked by: its sessions, and its own `fetch`. */
export interface LocalClient {
  session(name: string): SessionHandle
  readonly fetch: MockFetch
  /**
   * Says where a server serves the mock.
   *
   * @throws {SetupError} for what is not an absolute URL.
   */
  setUrl(url: string): void
}

export function createLocalClient(parts: LocalClientParts): LocalClient {
  // A host that no mock in this process looks at.
  let url = 'http://mock'
  return {
    session: (name) => createSessionClient({ ...parts, name, baseUrl: () => url }),
    fetch: createMockFetch({ baseUrl: () => url, send: parts.send }),
    setUrl(given) {
      if (!URL.canParse(given)) {
        throw new SetupError(
          `setUrl was given ${showValue(given)}, which is not a URL. Give one such as http://localhost:3000/mock.`,
        )
      }
      url = given.replace(/\/+$/, '')
      parts.onMount(new URL(url).pathname.replace(/\/+$/, ''))
    },
  }
}
