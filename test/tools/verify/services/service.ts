import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Json = Record<string, unknown>

export interface Call {
  readonly method: string
  readonly path: string
  readonly project: string
  /** The number of the endpoint in section 4, with the path parameters in `given`. */
  readonly endpoint: number | undefined
  readonly given: readonly string[]
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** By default of `json` or `text`. */
  readonly type?: string
  readonly json?: unknown
  readonly text?: string
}

export type Handle = (call: Call) => Answer

/** What a switch may use of the service that it changes. */
export interface Inside {
  readonly tokens: Tokens
  /** An error in the service's own shape. */
  readonly refuse: (status: number) => Answer
}

/** A change of a service, named by what it does. Without `wrap`, the service itself knows the name. */
export interface Switch {
  readonly name: string
  readonly wrap?: (next: Handle, inside: Inside) => Handle
  /** The only service that the switch changes. */
  readonly only?: 'numbered' | 'terse'
}

export interface Switched {
  readonly liberties?: readonly string[]
  readonly breaches?: readonly string[]
}

const RESERVED = '(?:searchApiPattern|sorted-query-parameters|images|namespace-action(?:-with-example|-with-headers)?)'

/** Section 4. */
const ENDPOINTS: ReadonlyArray<readonly [endpoint: number, methods: string, path: RegExp]> = [
  [1, 'GET', /^$/],
  [3, 'GET', /^\/key=(.+)$/],
  [4, 'GET', /^\/searchApiPattern$/],
  [5, 'HEAD', /^$/],
  [6, 'POST', /^$/],
  [7, 'PATCH', /^$/],
  [8, 'PUT', /^$/],
  [9, 'POST', /^\/artificially-complex\/path\/uri-parameter-one=([^/]*)\/([^/]+)$/],
  [12, 'GET', /^\/sorted-query-parameters$/],
  [13, 'POST', /^\/images$/],
  [14, 'POST GET', /^\/namespace-action$/],
  [15, 'GET', /^\/namespace-action-with-example$/],
  [16, 'GET', /^\/namespace-action-with-headers$/],
  [2, 'GET', new RegExp(`^/((?!${RESERVED}$)[^/]+)$`)],
  [10, 'POST', new RegExp(`^/((?!${RESERVED}$)[^/]+)$`)],
  [11, 'DELETE', new RegExp(`^/((?!${RESERVED}$)[^/]+)$`)],
]

/** Whether a path is one of section 4, with any method. */
export const isKnownPath = (path: string): boolean => {
  const [, rest] = /^\/[^/]+\/resource(\/.*)?$/.exec(path) ?? []
  return /^\/[^/]+\/resource/.test(path) && ENDPOINTS.some(([, , pattern]) => pattern.test(rest ?? ''))
}

export function toCall(method: string, target: string, headers: Call['headers'], body: Buffer): Call {
  const { pathname: path, searchParams: query } = new URL(target, 'http://service')
  const [matched, project = '', rest = ''] = /^\/([^/]+)\/resource(\/.*)?$/.exec(path) ?? []
  const found = ENDPOINTS.find(([, methods, pattern]) => methods.split(' ').includes(method) && pattern.test(rest))
  const [endpoint, , pattern] = matched === undefined || found === undefined ? [] : found
  const given = (pattern?.exec(rest) ?? []).slice(1).map(decodeURIComponent)
  return { method, path, project, endpoint, given, query, headers, body }
}

/** Integers of more than 15 digits as a `bigint`; undefined if the text is not JSON. */
export function findJson(body: Buffer): unknown {
  const text = body
    .toString('utf8')
    .replace(/"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (part) =>
      /^-?\d{16,}$/.test(part) ? `"\\u0000${part}"` : part,
    )
  try {
    return JSON.parse(text, (_, value: unknown) =>
      // oxlint-disable-next-line no-control-regex -- the mark set above
      typeof value === 'string' && /^\0-?\d+$/.test(value) ? BigInt(value.slice(1)) : value,
    )
  } catch {
    return undefined
  }
}

export const toText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `\0${part}` : part)).replace(
    /"\\u0000(-?\d+)"/g,
    '$1',
  )

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Access tokens: opaque, and known to this service alone. */
export type Tokens = ReturnType<typeof createTokens>
export const createTokens = () => {
  const scopesBy = new Map<string, readonly string[]>()
  const issue = (scopes: readonly string[]): string => {
    const token = Buffer.from(`${scopes.join(' ')} of this service`).toString('base64url')
    scopesBy.set(token, scopes)
    return token
  }
  /** Undefined without a valid token. */
  const scopesOf = ({ headers }: Call): readonly string[] | undefined =>
    scopesBy.get(/^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '')
  /** The call with a token of these scopes. */
  const callAs = (call: Call, scopes: readonly string[]): Call => ({
    ...call,
    headers: { ...call.headers, authorization: `Bearer ${issue(scopes)}` },
  })
  return { issue, scopesOf, callAs }
}

/** Applies the switches that are wrappers, in the given order. */
export const applySwitches = (
  handle: Handle,
  inside: Inside,
  table: readonly Switch[],
  names: readonly string[] = [],
): Handle =>
  names.reduce((next, name) => {
    const found = table.find((one) => one.name === name)
    if (found === undefined) throw new Error(`No switch is named ${name}.`)
    return found.wrap?.(next, inside) ?? next
  }, handle)

const toResponse = ({ status, headers = {}, type, json, text }: Answer, method: string) => {
  const body = json === undefined ? text : toText(json)
  const shown = type ?? (json === undefined ? 'text/plain' : 'application/json')
  return {
    status,
    headers: { ...(body === undefined ? {} : { 'Content-Type': shown }), ...headers },
    body: method === 'HEAD' || status === 204 || status === 304 ? undefined : body,
  }
}

/** The service in this process. */
export const toFetch =
  (handle: Handle) =>
  async (request: Request): Promise<Response> => {
    const { method, url } = request
    const body = Buffer.from(await request.arrayBuffer())
    const answer = handle(toCall(method, url, Object.fromEntries(request.headers), body))
    const { status, headers, body: text } = toResponse(answer, method)
    return new Response(text ?? null, { status, headers })
  }

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** The service on a free port. */
export async function listen(handle: Handle): Promise<Listening> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = 'GET', url = '/' } = request
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
      )
      const {
        status,
        headers: shown,
        body,
      } = toResponse(handle(toCall(method, url, headers, Buffer.concat(parts))), method)
      response.writeHead(status, shown).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
