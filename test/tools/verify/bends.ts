import type { OperationId } from '../../../src/service/contract/endpoints.ts'
import { findServicePath } from '../../../src/service/contract/paths.ts'
import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import type { Fetch } from './fetch-transport.ts'

/** Wraps the mock for verify. */
export type Bend = (fetch: Fetch) => Fetch

/** A token that a lenient mock accepts for everything. */
export const MASTER = { Authorization: 'Bearer any-token' } as const

/** A JSON object whose shape the bend knows. */
export type Json = Record<string, unknown> & {
  /** HEAD has none. */
  results?: Json[]
  objectTypeProperty: Json
  errors: Json[]
  lineItems: Json[]
  facets: Record<string, { terms: { term: unknown; count: number }[] }>
}

/** A response that may be changed freely. */
export interface Bent {
  status: number
  readonly headers: Headers
  readonly body: Json
}

/** The operation of a request to the mock; for HEAD without its own operation, that of GET. */
export function operationOf({ url, method }: Request): OperationId | undefined {
  const operations = findServicePath(new URL(url).pathname)?.path.operations
  // Only methods in the table are found.
  return operations?.get(method as 'GET') ?? (method === 'HEAD' ? operations?.get('GET') : undefined)
}

/** Changes the responses of an operation: successful ones, or those with one status. */
export const bendAnswers =
  (operation: OperationId, change: (bent: Bent, request: Request) => unknown, status?: number): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request.clone())
    const isMeant = status === undefined ? response.ok : response.status === status
    if (operationOf(request) !== operation || !isMeant) return response
    const text = await response.text()
    // The responses of these operations are objects; HEAD has no body.
    const body = (text === '' ? {} : parseJson(text)) as Json
    const bent = { status: response.status, headers: new Headers(response.headers), body }
    await change(bent, request)
    return new Response(text === '' ? null : stringifyJson(body), { status: bent.status, headers: bent.headers })
  }

/** Changes the response text of an operation: successful ones, or those with one status. */
export const bendText =
  (operation: OperationId, change: (text: string) => string, status?: number): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    const isMeant = status === undefined ? response.ok : response.status === status
    if (operationOf(request) !== operation || !isMeant) return response
    return new Response(change(await response.text()), response)
  }

/** Sends another request instead if `change` returns one. */
export const bendRequests =
  (operation: OperationId, change: (request: Request) => Promise<Request> | Request | undefined): Bend =>
  (fetch) =>
  async (request) =>
    fetch(operationOf(request) === operation ? ((await change(request)) ?? request) : request)

/** Replaces a refused request with an acceptable one, like a service without the check. */
export const insteadOfRefusal =
  (
    operation: OperationId,
    status: number,
    change: (request: Request, refusal: Json) => Promise<Request | undefined> | Request | undefined,
  ): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request.clone())
    if (operationOf(request) !== operation || response.status !== status) return response
    const text = await response.clone().text()
    // A refusal is an envelope; HEAD has none.
    const other = await change(request, (text === '' ? {} : parseJson(text)) as Json)
    return other === undefined ? response : fetch(other)
  }

/** The same request with another query. */
export function withQuery(request: Request, change: (query: URLSearchParams) => void): Request {
  const url = new URL(request.url)
  change(url.searchParams)
  return new Request(url, request)
}

/** The same request with other headers. */
export function withHeaders(request: Request, headers: Readonly<Record<string, string>>): Request {
  const changed = new Request(request)
  for (const [name, value] of Object.entries(headers)) changed.headers.set(name, value)
  return changed
}

/** The same request with another body. */
export const withBody = ({ url, method, headers }: Request, body: BodyInit): Request =>
  new Request(url, { method, headers, body })

/** The JSON body of a request; an empty object if it has none. */
export async function readJson(request: Request): Promise<Json> {
  try {
    // Verify sends objects to operations that accept JSON.
    return parseJson(await request.clone().text()) as Json
  } catch {
    return {} as Json
  }
}

/** The same request with another JSON body. */
export async function withJson(request: Request, change: (body: Json) => void): Promise<Request> {
  const body = await readJson(request)
  change(body)
  return withBody(request, stringifyJson(body))
}

/** Changes the query of an operation's requests. */
export const bendQuery = (operation: OperationId, change: (query: URLSearchParams) => void): Bend =>
  bendRequests(operation, (request) => withQuery(request, change))

/** Changes the values of one parameter; undefined omits one. */
export const bendParameter = (
  operation: OperationId,
  name: string,
  change: (value: string, at: number) => string | undefined,
): Bend =>
  bendQuery(operation, (query) => {
    const values = query.getAll(name)
    query.delete(name)
    for (const [at, value] of values.entries()) {
      const changed = change(value, at)
      if (changed !== undefined) query.append(name, changed)
    }
  })

/** Reads only the first value of a parameter. */
export const firstOnly = (operation: OperationId, name: string): Bend =>
  bendParameter(operation, name, (value, at) => (at === 0 ? value : undefined))

/** Ignores a parameter. */
export const ignoring = (operation: OperationId, name: string): Bend => bendParameter(operation, name, () => undefined)

/** Refuses selected requests, like a service without the feature. */
export const refusing =
  (operation: OperationId, isMeant: (request: Request, text: string) => boolean, status = 400): Bend =>
  (fetch) =>
  async (request) => {
    const text = await request.clone().text()
    if (operationOf(request) !== operation || !isMeant(request, text)) return fetch(request)
    const message = 'Not supported here.'
    const errors = [{ code: 'InvalidField', message, field: 'unknown' }]
    const headers = { 'X-Correlation-ID': request.headers.get('X-Correlation-ID') ?? 'missing-id' }
    return Response.json({ statusCode: status, message, errors }, { status, headers })
  }

/** The query of a request. */
export const queryOf = ({ url }: Request): URLSearchParams => new URL(url).searchParams

/** Changes the responses to unsupported methods of a path. */
export const bendMethods =
  (end: string, change: (bent: Pick<Bent, 'headers'> & { status: number }) => unknown): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    if (response.status !== 405 || !new URL(request.url).pathname.includes(end)) return response
    const bent = { status: response.status, headers: new Headers(response.headers) }
    change(bent)
    return new Response(response.body, bent)
  }
