import * as z from 'zod'
import { SetupError } from '../../errors.ts'
import { ADMIN_PATH } from '../../service/http/request-head.ts'
import { stringifyJson } from '../../service/http/json.ts'
import { isAborted, onAbort } from '../../service/http/connection.ts'
import { adviseOnProxy } from './reach.ts'
import type { Send } from './reach.ts'

/**
 * The path of an item in a folder of the admin API.
 *
 * @throws {SetupError} for the names `.` and `..`, which a URL cannot contain (RFC 3986, section 5.2.4).
 */
export function pathOf(folder: string, name: string): string {
  if (name === '.' || name === '..') throw new SetupError(`Invalid name "${name}": a URL cannot contain it.`)
  return `/${folder}/${encodeURIComponent(name)}`
}

/** A client of the admin API. */
export interface AdminClient {
  /**
   * Returns the JSON of the response.
   *
   * @param path relative to the path of the admin API
   * @throws {SetupError} with the error message of the response.
   */
  send(method: string, path: string, body?: unknown): Promise<unknown>
  /** Like {@link send}, but returns false if the response is 404. */
  try(method: string, path: string): Promise<boolean>
}

/** The error message of the envelope. */
const envelope = z.object({
  errors: z.array(z.object({ message: z.string(), detailedErrorMessage: z.string().optional() })).min(1),
})

/** JSON has no regular expressions and serializes one as `{}`. */
function refuseExpressions(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (value instanceof RegExp) {
    throw new SetupError(
      `${String(value)} cannot be sent as JSON. Pass its source as a string: ${JSON.stringify(value.source)}.`,
    )
  }
  for (const member of Object.values(value)) refuseExpressions(member)
}

function toRequestText(body: unknown): string {
  try {
    refuseExpressions(body)
    return stringifyJson(body)
  } catch (fault) {
    if (fault instanceof SetupError) throw fault
    throw new SetupError(
      'The value cannot be sent as JSON, or contains itself. Pass plain objects, strings and numbers.',
      { cause: fault },
    )
  }
}

/** The error for the response of another program. */
export const toOtherProgram = (url: string, status: number): SetupError =>
  new SetupError(
    `${url} responded with status ${status}, but is not a mock. Pass the URL of a running resource-mock.${adviseOnProxy(url)}`,
  )

async function toFault({ url, status }: Response, reading: Promise<unknown>): Promise<SetupError> {
  const result = envelope.safeParse(await reading.catch(() => undefined))
  const [first] = result.success ? result.data.errors : []
  return first === undefined ? toOtherProgram(url, status) : new SetupError(first.detailedErrorMessage ?? first.message)
}

async function readAnswer(response: Response): Promise<unknown> {
  const reading: Promise<unknown> = response.json()
  if (!response.ok) throw await toFault(response, reading)
  return reading.catch(async () => {
    throw await toFault(response, reading)
  })
}

export function createAdminClient(parts: {
  /** The mock's URL without a trailing slash. */
  readonly baseUrl: string
  /** The session to act on; default: the default session. */
  readonly session?: string | undefined
  readonly token?: string | undefined
  readonly send: Send
}): AdminClient {
  const { baseUrl, session, token, send } = parts
  const headers = {
    'Content-Type': 'application/json',
    ...(session === undefined ? {} : { 'X-Mock-Session': session }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }

  async function request(method: string, path: string, body?: unknown): Promise<Response> {
    const url = `${baseUrl}${ADMIN_PATH}${path}`
    const asking = new Request(url, { method, headers, ...(body === undefined ? {} : { body: toRequestText(body) }) })
    return send(asking)
  }

  return {
    send: async (method, path, body) => readAnswer(await request(method, path, body)),
    async try(method, path) {
      const response = await request(method, path)
      const isFound = response.status !== 404
      // An unread body would occupy the connection.
      await (isFound ? readAnswer(response) : response.text())
      return isFound
    },
  }
}

/** `fetch`, which also accepts a path. */
export type MockFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** Resolves a path against the base URL of the mock; leaves an absolute URL unchanged. */
function toAdminUrl(input: URL | string, baseUrl: string): string {
  const text = String(input)
  if (text.startsWith('/')) return baseUrl + text
  return URL.canParse(text) ? text : `${baseUrl}/${text}`
}

/** A test environment may have its own Request class, so `instanceof` is not enough. */
const isRequest = (input: Request | URL | string): input is Request => typeof input === 'object' && 'url' in input

/** Creates a `fetch` function. A session in the request's path takes precedence over `name`. */
export function createMockFetch(parts: {
  /** The session set in each request's header; if absent, requests are left unchanged. */
  readonly name?: string | undefined
  /** The mock's URL without a trailing slash. */
  readonly baseUrl: () => string
  readonly send: Send
}): MockFetch {
  const { name, baseUrl, send } = parts
  /** Creates the request as `fetch` does; a request that needs no change is not copied. */
  function toRequest(input: Request | URL | string, init: RequestInit | undefined): Request {
    if (isRequest(input) && init === undefined && name === undefined) return input
    const request = new Request(isRequest(input) ? input : toAdminUrl(input, baseUrl()), init)
    if (name !== undefined) request.headers.set('X-Mock-Session', name)
    return request
  }

  return async function fetch(input, init) {
    const request = toRequest(input, init)
    // Without a signal, nobody can abort it.
    if (!isRequest(input) && !init?.signal) return send(request)
    if (isAborted(request)) throw request.signal.reason
    const answering = send(request)
    // Rejects like `fetch` when the request is aborted, even if the pending response ignores the signal.
    return new Promise((resolve, reject) => {
      const leave = onAbort(request, () => reject(request.signal.reason))
      answering.then(resolve, reject).then(leave, leave)
    })
  }
}
