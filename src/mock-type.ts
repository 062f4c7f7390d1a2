import type { Connection } from './http/connection.ts'
import type { SessionHandle } from './client/session-handle.ts'
import type { ReadTexts } from './sessions/sources.ts'

/** A mock of the service: real state, reached by requests. */
export interface Mock {
  /**
   * Answers a request as `fetch` would, whatever its host; and never throws because of a request. It rejects if a
   * scenario breaks the connection, or if the request is aborted before its response.
   *
   * @param input what `fetch` takes, or a path of the mock, such as `/acme/resource`
   * @example await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** Answers a request that a server received over a connection. */
  serve(request: Request, connection: Connection): Response | Promise<Response>
  /**
   * Returns a handle of a session, to choose scenarios, read requests and change data. Requests that name no session are in
   * the session `default`.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`
   * @throws {SetupError} for an invalid session name.
   * @example
   * const session = mock.session('worker-1')
   * await session.use('conflict-once')
   */
  session(name: string): SessionHandle
  /** Sets the URL that the mock is served at, for the addresses of its sessions. Default `http://mock`. */
  setUrl(url: string): void
  /**
   * Reloads fixtures and scenarios. Projects with changes keep their data until they are reset.
   *
   * @throws {SetupError} that lists everything that cannot be read; its last good version stays in use.
   */
  reload(texts: ReadTexts): Promise<void>
  /** Responds to `/__admin/health/ready` with 503 from now on, and serves all other requests as before. */
  drain(): void
  /** Ends the event streams of the admin API, which never end by themselves. */
  endStreams(): void
  /** Resolves when all writes are saved. */
  close(): Promise<void>
}
