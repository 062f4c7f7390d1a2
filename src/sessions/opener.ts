import type { Send } from './admin-client.ts'
import { createSessionHandle } from './handle.ts'
import { createMockFetch } from './mock-fetch.ts'
import type { MockFetch } from './mock-fetch.ts'
import type { SessionHandle } from './session-handle.ts'

interface SessionOpenerParts {
  /** What the admin API asks for. */
  readonly token: string | undefined
  /** Answers a request. */
  readonly send: Send
  /** Answers a request to the admin API, and leaves no line of it in the log. */
  readonly sendAdmin: Send
  readonly newId: () => string
}

/** Hands out what a mock in this process is asked by: its sessions, and its own `fetch`. */
export interface SessionOpener {
  session(name: string): SessionHandle
  readonly fetch: MockFetch
  /** Where a server serves the mock. */
  setUrl(url: string): void
}

export function createSessionOpener(parts: SessionOpenerParts): SessionOpener {
  // A host that no mock in this process looks at.
  let url = 'http://mock'
  return {
    session: (name) => createSessionHandle({ ...parts, name, baseUrl: () => url }),
    fetch: createMockFetch({ baseUrl: () => url, send: parts.send }),
    setUrl(given) {
      url = given.replace(/\/+$/, '')
    },
  }
}
