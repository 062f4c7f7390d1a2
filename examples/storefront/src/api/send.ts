import { BASE } from './base.ts'
import { Failure, isAbort, isFailure, toFailure } from './failure.ts'
import { parseJson, stringifyJson } from './json.ts'
import { beingPatient } from './patience.ts'
import { currentToken, renewToken } from './token.ts'

/** A call to the service, below its base URL. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly file?: File
  readonly signal?: AbortSignal | undefined
}

/** Why an earlier response is shown; undefined if the service responded. */
export type Staleness = 'offline' | 'broken' | undefined

/** The service's response, and why it is an earlier one. */
export interface Answer {
  readonly body: unknown
  readonly stale: Staleness
}

/** Earlier responses, for when the service does not respond. */
const memory = new Map<string, unknown>()

function toUrl({ path, query }: Call): string {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return `${BASE}${path}${search}`
}

function toInit({ method = 'GET', headers, json, file, signal }: Call, token: string): RequestInit {
  const type = file?.type ?? (json === undefined ? undefined : 'application/json')
  return {
    method,
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...headers,
    },
    body: file ?? (json === undefined ? null : stringifyJson(json)),
    signal: signal ?? null,
  }
}

async function fetchOnce(call: Call, token: string): Promise<Response> {
  try {
    return await fetch(toUrl(call), toInit(call, token))
  } catch (cause) {
    if (isAbort(cause)) throw cause
    throw new Failure({ kind: 'offline', detail: 'Cannot reach the service.', cause })
  }
}

/** If the service rejects the token, it is renewed once. */
async function fetchWithToken(call: Call): Promise<Response> {
  const response = await fetchOnce(call, await currentToken())
  return response.status === 401 ? fetchOnce(call, await renewToken()) : response
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text())
  } catch (cause) {
    if (isAbort(cause)) throw cause
    throw new Failure({
      kind: 'broken',
      detail: 'The response was incomplete.',
      reference: response.headers.get('X-Correlation-ID') ?? undefined,
      cause,
    })
  }
}

/** Reads are safe to retry, whatever happened. */
async function read(call: Call, attempts = 2): Promise<unknown> {
  try {
    const response = await beingPatient(() => fetchWithToken(call), call)
    if (!response.ok) throw await toFailure(response)
    return await readBody(response)
  } catch (fault) {
    if (attempts > 1 && isFailure(fault, 'broken', 'offline')) return read(call, attempts - 1)
    throw fault
  }
}

/** With 429 and 503, the service has not done anything. After any other failure of a write, the user decides. */
async function write(call: Call): Promise<unknown> {
  const response = await beingPatient(() => fetchWithToken(call), call)
  if (!response.ok) throw await toFailure(response)
  // After a write, earlier responses are out of date.
  memory.clear()
  return readBody(response)
}

/**
 * Sends a call and returns the body.
 *
 * @throws {Failure} if the call fails; {DOMException} `AbortError` if the signal aborts.
 */
export async function send(call: Call): Promise<Answer> {
  if (call.method !== undefined && call.method !== 'GET') return { body: await write(call), stale: undefined }
  // Two locales of one path are two responses.
  const key = `${toUrl(call)} ${JSON.stringify(call.headers ?? {})}`
  try {
    const body = await read(call)
    memory.set(key, body)
    return { body, stale: undefined }
  } catch (fault) {
    if (!isFailure(fault, 'offline', 'broken') || !memory.has(key)) throw fault
    return { body: memory.get(key), stale: fault.kind === 'offline' ? 'offline' : 'broken' }
  }
}
