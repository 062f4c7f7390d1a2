import * as z from 'zod'
import { Problem, SetupError } from '../errors.ts'
import { ADMIN_PATH } from '../http/request-head.ts'
import { stringifyJson } from '../http/json.ts'
import { isAborted, onAbort } from '../http/connection.ts'

/** Answers a request: a mock in this process, or one that `fetch` reaches. */
export type Send = (request: Request) => Promise<Response>

/** Asks the admin API. */
export interface AdminClient {
  /**
   * The JSON of the answer.
   *
   * @param path below that of the admin API
   * @throws {SetupError} with the sentence of whatever was refused.
   */
  ask(method: string, path: string, body?: unknown): Promise<unknown>
  /**
   * The items of a long list, one after the other: the whole answer is never in memory. Who breaks off ends the answer.
   *
   * @param name the member of the answer that has the list
   */
  list(method: string, path: string, name: string, body?: unknown): AsyncIterable<unknown>
  /** As {@link ask}, where it may be that what the path names is not there: false then. */
  try(method: string, path: string): Promise<boolean>
}

/** What of an error answer makes a sentence. */
const envelope = z.object({
  errors: z.array(z.object({ message: z.string(), detailedErrorMessage: z.string().optional() })).min(1),
})

/** JSON has no regular expressions, and makes `{}` of one. */
function refuseExpressions(_name: string, value: unknown): unknown {
  if (!(value instanceof RegExp)) return value
  throw new SetupError(
    `${String(value)} cannot be sent as JSON. Give its source as a string: ${JSON.stringify(value.source)}.`,
  )
}

function toText(body: unknown): string {
  try {
    return stringifyJson(body, undefined, refuseExpressions)
  } catch (fault) {
    if (fault instanceof SetupError) throw fault
    throw new SetupError(
      'The value cannot be sent as JSON, or refers to itself. Pass plain objects, strings and numbers.',
      {
        cause: fault,
      },
    )
  }
}

async function toFault({ url, status }: Response, reading: Promise<unknown>): Promise<SetupError> {
  const result = envelope.safeParse(await reading.catch(() => undefined))
  const [first] = result.success ? result.data.errors : []
  return new SetupError(
    first === undefined
      ? `${url} answered with status ${status}, but not as a mock does. Give the address of a resource-mock.`
      : (first.detailedErrorMessage ?? first.message),
  )
}

async function read(response: Response): Promise<unknown> {
  const reading: Promise<unknown> = response.json()
  if (!response.ok) throw await toFault(response, reading)
  return reading.catch(async () => {
    throw await toFault(response, reading)
  })
}

export function createAdminClient({
  baseUrl,
  session,
  token,
  send,
}: {
  /** Where the mock is, without a slash at its end. */
  readonly baseUrl: string
  /** The session that is acted on; absent: the default one. */
  readonly session?: string
  readonly token?: string | undefined
  readonly send: Send
}): AdminClient {
  const headers = {
    'Content-Type': 'application/json',
    ...(session === undefined ? {} : { 'X-Mock-Session': session }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }

  async function request(method: string, path: string, body?: unknown): Promise<Response> {
    const url = `${baseUrl}${ADMIN_PATH}${path}`
    const asking = new Request(url, { method, headers, ...(body === undefined ? {} : { body: toText(body) }) })
    return send(asking).catch((fault: unknown) => {
      // It was not sent at all.
      if (fault instanceof Problem) throw fault
      const reason = fault instanceof Error ? fault.message : String(fault)
      throw new SetupError(
        `No mock answers at ${baseUrl} (${reason}). Start one with resource-mock, or pass the address of a running one.`,
        { cause: fault },
      )
    })
  }

  return {
    ask: async (method, path, body) => read(await request(method, path, body)),
    async *list(method, path, name, body) {
      // Loaded by those who read a list: a page that has the mock in it does not.
      const { readList } = await import('../http/json-list.ts')
      const response = await request(method, path, body)
      if (!response.ok || response.body === null) throw await toFault(response, response.json())
      try {
        yield* readList(response.body, name)
      } catch (fault) {
        if (!(fault instanceof SyntaxError)) throw fault
        throw await toFault(response, Promise.resolve(undefined))
      }
    },
    async try(method, path) {
      const response = await request(method, path)
      if (response.status === 404) return false
      await read(response)
      return true
    },
  }
}

/** `fetch`, where a path will do. */
export type MockFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** A path is one of the mock's; anything else says itself where it leads. */
function toUrl(input: URL | string, baseUrl: string): string {
  const text = String(input)
  if (text.startsWith('/')) return baseUrl + text
  return URL.canParse(text) ? text : `${baseUrl}/${text}`
}

/** Where a test's environment brings classes of its own, a request is no instance of the global one. */
const isRequest = (input: Request | URL | string): input is Request => typeof input === 'object' && 'url' in input

/** What does not listen to the request's signal itself is left alone once it tells: `fetch` rejects then. */
function untilAborted(request: Request, answering: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(request, () => reject(request.signal.reason))
    answering.then(resolve, reject).then(leave, leave)
  })
}

/** Creates what sends requests as `fetch` does. A session in a request's path wins over the one it is sent by. */
export function createMockFetch({
  name,
  baseUrl,
  send,
}: {
  /** The session that requests name in a header; absent: they name what they name. */
  readonly name?: string
  /** Where the mock is, without a slash at its end. */
  readonly baseUrl: () => string
  readonly send: Send
}): MockFetch {
  /** The request that `fetch` would make of what it was given; one that nothing is added to is not copied. */
  function toRequest(input: Request | URL | string, init: RequestInit | undefined): Request {
    if (isRequest(input) && init === undefined && name === undefined) return input
    const request = new Request(isRequest(input) ? input : toUrl(input, baseUrl()), init)
    if (name !== undefined) request.headers.set('X-Mock-Session', name)
    return request
  }

  return async function fetch(input, init) {
    const request = toRequest(input, init)
    if (isAborted(request)) throw request.signal.reason
    return untilAborted(request, send(request))
  }
}
