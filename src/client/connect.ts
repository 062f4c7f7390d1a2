import { SetupError } from '../errors.ts'
import { createSessionClient } from './session-client.ts'
import type { SessionHandle } from './session-handle.ts'

/** What a mock that runs elsewhere is reached with. */
export interface ConnectOptions {
  /** What its admin API asks for, where it was started with `--admin-token`. */
  readonly token?: string
}

/** A mock that runs elsewhere. */
export interface ConnectedMock {
  /** Without a slash at its end. */
  readonly url: string
  /**
   * The session of that name, as `mock.session` gives it.
   *
   * @param name 1 to 64 of `[A-Za-z0-9._-]`
   * @throws {SetupError} for a name that no session may have.
   */
  session(name: string): SessionHandle
}

function toBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SetupError(
      `${JSON.stringify(text)} is not the address of a mock. Pass one such as http://127.0.0.1:4010, as the mock's first line of output has it.`,
    )
  }
  if (/\/@/.test(url.pathname)) {
    throw new SetupError(
      `The address ${text} names a session. Pass the mock's own address, and get the session from session(name).`,
    )
  }
  return url
}

/**
 * Reaches a mock that runs elsewhere, for suites whose tests share one server: the same sessions as in-process, over its
 * admin API. Nothing is sent before a session is used.
 *
 * @param url the mock's base URL, such as `http://127.0.0.1:4010`
 * @throws {SetupError} for what is not such a URL.
 * @example
 * const mock = connectMock('http://127.0.0.1:4010')
 * const session = mock.session('checkout')
 * await session.use('conflict-once')
 */
export function connectMock(url: string, { token }: ConnectOptions = {}): ConnectedMock {
  const base = toBaseUrl(url)
  const baseUrl = base.origin + base.pathname.replace(/\/+$/, '')

  async function send(request: Request): Promise<Response> {
    if (new URL(request.url).origin === base.origin) return fetch(request)
    throw new SetupError(
      `session.fetch sends to the mock at ${baseUrl}, and ${request.url} is not there. Pass a path, such as /acme/resource.`,
    )
  }

  return {
    url: baseUrl,
    session: (name) =>
      createSessionClient({
        name,
        baseUrl: () => baseUrl,
        token,
        send,
        sendAdmin: (request) => fetch(request),
        newId: () => crypto.randomUUID(),
      }),
  }
}
