import type { Connection } from './http/connection.ts'
import type { SessionHandle } from './client/session-handle.ts'
import type { ReadTexts } from './sessions/sources.ts'

/** A mock of the service: real state, reached by requests. */
export interface Mock {
  /**
   * Answers a request as `fetch` would, whatever its host; never throws for what a request did. It rejects where a
   * scenario breaks the connection, and when the request is aborted before it is answered.
   *
   * @param input what `fetch` takes, or a path of the mock, such as `/acme/resource`
   * @example await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** Answers a request that a server received over a connection. */
  serve(request: Request, connection: Connection): Response | Promise<Response>
  /**
   * The session of that name, to be shown scenarios, asked for its requests, given data. The name `default` is the
   * session of requests that name none.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`
   * @throws {SetupError} for a name that no session may have.
   * @example
   * const session = mock.session('worker-1')
   * await session.use('conflict-once')
   */
  session(name: string): SessionHandle
  /** Says where a server serves the mock, for the addresses of its sessions. Default `http://mock`. */
  setUrl(url: string): void
  /**
   * Reads fixtures and scenarios again. Projects that were written to keep what they have until they are reset.
   *
   * @throws {SetupError} with all that cannot be read; the last good state of it stays.
   */
  reload(texts: ReadTexts): Promise<void>
  /** Answers `/__admin/health/ready` with 503 from now on, and serves as before. */
  drain(): void
  /** Ends what has no end of its own: the event streams of the admin API. */
  endStreams(): void
  /** Resolves when all that was written is kept. */
  close(): Promise<void>
}
