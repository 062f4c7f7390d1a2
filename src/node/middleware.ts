import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Mock } from '../mock.ts'
import { createListener } from './listener.ts'
import { createOpenRequests } from './open-requests.ts'
import { createUnreadResponses } from './unread-responses.ts'

interface MiddlewareParts {
  readonly mock: Mock
  /** The path of the mock, such as `/api`. */
  readonly prefix: string
  /** Replaces the Host header, which an HTTP/1.0 client may leave out. */
  readonly host: string
  readonly onFault: (fault: unknown, correlationId: string) => void
  readonly onNotice: (sentence: string) => void
}

/** What connect, Express and Vite call a middleware. */
export type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void

/** The target below the prefix; undefined for one that is not. */
function findTargetBelow(prefix: string, target: string): string | undefined {
  if (!target.startsWith(prefix)) return undefined
  const below = target.slice(prefix.length)
  if (below === '' || below.startsWith('?')) return `/${below}`
  return below.startsWith('/') ? below : undefined
}

/** Serves a mock below a prefix of a server that serves other things too, from sockets to faults as `startServer` does. */
export function createMiddleware({ mock, prefix, host, onFault, onNotice }: MiddlewareParts): Middleware {
  const openRequests = createOpenRequests()
  const listener = createListener({
    mock,
    openRequests,
    unread: createUnreadResponses({ onNotice }),
    mountedAt: prefix,
    host,
    lightweightGlobals: false,
    onFault,
  })
  return function serveMock(incoming, outgoing, next) {
    const target = findTargetBelow(prefix, incoming.url ?? '')
    if (target === undefined) {
      next()
      return
    }
    incoming.url = target
    listener(incoming, outgoing)
  }
}
