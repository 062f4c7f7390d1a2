import type { OperationId } from '../../src/contract/endpoints.ts'
import { findPath } from '../../src/contract/paths.ts'
import { parseJson, stringifyJson } from '../../src/http/json.ts'
import type { Fetch } from '../../src/verify/ask.ts'

/** Puts something between verify and the mock. */
export type Bend = (fetch: Fetch) => Fetch

/** A token that a lenient mock takes for everything. */
export const MASTER = { Authorization: 'Bearer any-token' } as const

/** A JSON object: a bend knows what it bends. */
export type Json = Record<string, unknown> & {
  results: Json[]
  objectTypeProperty: Json
  errors: Json[]
  lineItems: Json[]
  facets: Record<string, { terms: { count: number }[] }>
}

/** An answer to change at will. */
export interface Bent {
  status: number
  readonly headers: Headers
  readonly body: Json
}

/** The operation of a request to the mock; that of GET for HEAD where there is no other. */
export function operationOf({ url, method }: Request): OperationId | undefined {
  const operations = findPath(new URL(url).pathname)?.operations
  // What the table does not hold by a method is not found by it.
  return operations?.get(method as 'GET') ?? (method === 'HEAD' ? operations?.get('GET') : undefined)
}

/** Bends the answers of an operation: those of success, or those of one status. */
export const bendAnswers =
  (operation: OperationId, change: (bent: Bent, request: Request) => unknown, status?: number): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request.clone())
    const isMeant = status === undefined ? response.ok : response.status === status
    if (operationOf(request) !== operation || !isMeant) return response
    const text = await response.text()
    // What these operations answer is an object; HEAD answers nothing.
    const body = (text === '' ? {} : parseJson(text)) as Json
    const bent = { status: response.status, headers: new Headers(response.headers), body }
    await change(bent, request)
    return new Response(text === '' ? null : stringifyJson(body), { status: bent.status, headers: bent.headers })
  }

/** Bends the text of an operation's answers: those of success, or those of one status. */
export const bendText =
  (operation: OperationId, change: (text: string) => string, status?: number): Bend =>
  (fetch) =>
  async (request) => {
    const response = await fetch(request)
    const isMeant = status === undefined ? response.ok : response.status === status
    if (operationOf(request) !== operation || !isMeant) return response
    return new Response(change(await response.text()), response)
  }

/** Sends another request than the one that was asked, where `change` gives one. */
export const bendRequests =
  (operation: OperationId, change: (request: Request) => Promise<Request> | Request | undefined): Bend =>
  (fetch) =>
  async (request) =>
    fetch(operationOf(request) === operation ? ((await change(request)) ?? request) : request)

/** Where the mock refuses, sends another request that it takes: what a service does that forgot to check. */
export const insteadOfRefusal =
  (
    operation: OperationId,
    status: number,
    change: (request: Request, refusal: Json) => Promise<Request> | Request | undefined,
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

/** The JSON body of a request; an empty object where it is none. */
export async function readJson(request: Request): Promise<Json> {
  try {
    // What verify sends to operations that take JSON are objects.
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
