import { checkAllow } from '../contract/check-response.ts'
import type { Decoded } from '../contract/decode.ts'
import { checkAccepted } from './check-accepted.ts'
import { checkExchange } from './check-exchange.ts'
import { checkResponse, toViolations } from './check-response.ts'
import type { SentCorrelationId } from './check-response.ts'
import type { CheckRequest } from './check-request.ts'
import { takeBody } from './body.ts'
import type { BodyBytes, TakenBody } from './body.ts'
import { findOperation } from './find-operation.ts'
import type { FoundOperation } from './find-operation.ts'
import { isJsonType, toClientHeaders, toUpstreamHeaders } from './headers.ts'
import type { UpstreamRoute } from './upstream.ts'
import type { ProxyViolation } from './violation.ts'
import { findJson } from '../http/json.ts'
import { fromPairs, toHeaders } from '../http/raw-headers.ts'
import type { RawHeaders } from '../http/raw-headers.ts'
import type { RequestContext } from '../pipeline/request-context.ts'

/** A request on its way to the upstream. */
export interface Outgoing {
  readonly found: FoundOperation
  readonly body: TakenBody
  /** Undefined where it is not what the contract asks for. */
  readonly decoded: Decoded | undefined
  readonly violations: readonly ProxyViolation[]
}

/** An answer on its way to the client. */
export interface Incoming {
  readonly status: number
  readonly statusText: string
  /** As programs read them. */
  readonly headers: Headers
  /** As they came. */
  readonly rawHeaders: RawHeaders
  /** Whole where it was read to be checked, else as it comes. */
  readonly body: BodyBytes | ReadableStream<BodyBytes> | undefined
  /** The body decoded, as far as it was read. */
  readonly decoded: BodyBytes | undefined
  /** Parsed, where it is JSON. */
  readonly json: unknown
  /** Known once the body is read. */
  readonly trailers: () => RawHeaders
  readonly violations: readonly ProxyViolation[]
}

/** A body longer than this passes unread, in bytes. */
export const MOST_READ = 16 * 1024 * 1024

const tooLong = (side: 'request' | 'response'): ProxyViolation => ({
  location: [side, 'body'],
  severity: 'Warning',
  code: 'Unchecked',
  message: `The body is longer than ${MOST_READ} bytes, and passed unchecked.`,
})

const undecodable = (encoding: string): ProxyViolation => ({
  location: ['response', 'headers', 'Content-Encoding'],
  severity: 'Warning',
  code: 'Unchecked',
  message: `The body passed unchecked: it could not be decoded as ${encoding}.`,
})

/** Takes a request's body, as it was sent. */
export async function takeRequestBody(exchange: RequestContext): Promise<TakenBody> {
  const stream = exchange.request.body ?? exchange.connection?.openBody?.() ?? null
  const body = await takeBody(stream, MOST_READ)
  if (body.kind === 'whole') exchange.requestBody = body.bytes
  return body
}

/** Takes a request's body, as it was sent, and holds the request to the contract. */
export async function takeRequest(exchange: RequestContext, checkRequest: CheckRequest): Promise<Outgoing> {
  const { request, address } = exchange
  const found = findOperation(request.method, address.path)
  const body = await takeRequestBody(exchange)
  if (found.kind === 'unknown') return { found, body, decoded: undefined, violations: [found.violation] }
  if (found.kind === 'undocumented') return { found, body, decoded: undefined, violations: [] }
  if (body.kind === 'stream') return { found, body, decoded: undefined, violations: [tooLong('request')] }
  const checked = await checkRequest(found.operation, copyRequest(request, body), address.search)
  // Decompressed, where it could be.
  if (checked.body !== undefined) exchange.requestBody = checked.body
  return { found, body, decoded: checked.decoded, violations: checked.violations }
}

/** The request again, with the body that was read. */
export function copyRequest({ url, method, headers, signal }: Request, body: TakenBody): Request {
  const isBodiless = method === 'GET' || method === 'HEAD' || body.kind === 'stream'
  return new Request(url, { method, headers, signal, body: isBodiless ? null : (body.bytes ?? null) })
}

/** What follows the upstream's base URL: the target as it came, without the session, which is the proxy's own. */
function toTarget({ target, address, connection }: RequestContext): string {
  const sent = (connection?.target ?? target).replace(/^https?:\/\/[^/?#]*/i, '')
  const own = address.session === undefined ? sent : sent.replace(/^\/@[^/?]*/, '')
  return own.startsWith('/') ? own : `/${own}`
}

/** The headers as they came, where the client's connection knows them. */
const toRawHeaders = ({ connection, request }: RequestContext): RawHeaders =>
  connection?.rawHeaders ?? fromPairs(request.headers)

/**
 * Sends a request on, and holds the answer to the contract.
 *
 * @throws {Problem} 502 or 504 where there is no answer.
 */
export async function forward(exchange: RequestContext, outgoing: Outgoing, route: UpstreamRoute): Promise<Incoming> {
  const { request, correlationId, connection } = exchange
  const { body } = outgoing
  const { upstream, pseudonym } = route
  const asked = exchange.header('x-correlation-id')
  const sent = { id: asked ?? correlationId, isOfClient: asked !== undefined }
  const { answer, read, release } = await upstream.send({
    target: toTarget(exchange),
    method: request.method,
    headers: toUpstreamHeaders(toRawHeaders(exchange), { host: upstream.host, correlationId, pseudonym }),
    body: body.kind === 'stream' ? body.stream : body.bytes,
    signal: request.signal,
    onInformation: (status, headers) => {
      if (status === 103) connection?.hint?.(headers)
    },
  })
  const rawHeaders = toClientHeaders(answer.headers)
  const headers = toHeaders(rawHeaders)
  const { status, statusText, trailers } = answer
  const head = { status, statusText, headers, rawHeaders, trailers, decoded: undefined, json: undefined }
  if (answer.body === undefined || request.method === 'HEAD' || !isJsonType(headers)) {
    release()
    return check({ ...head, body: answer.body }, outgoing, request.method, sent)
  }
  const taken = await read(takeBody(answer.body, MOST_READ))
  release()
  if (taken.kind === 'stream') return { ...head, body: taken.stream, violations: [tooLong('response')] }
  const { bytes } = taken
  const encoding = headers.get('Content-Encoding') ?? 'identity'
  const decoded = bytes === undefined ? undefined : await upstream.decode(bytes, encoding, MOST_READ)
  if (bytes !== undefined && decoded === undefined) {
    return { ...head, body: bytes, violations: [undecodable(encoding)] }
  }
  const json = decoded === undefined ? undefined : findJson(new TextDecoder().decode(decoded))
  return check({ ...head, body: bytes, decoded, json }, outgoing, request.method, sent)
}

function check(
  incoming: Omit<Incoming, 'violations'>,
  { found, decoded: asked }: Outgoing,
  method: string,
  sent: SentCorrelationId,
): Incoming {
  const { status, headers, decoded, body, json } = incoming
  if (found.kind === 'undocumented') return { ...incoming, violations: [] }
  if (found.kind === 'unknown') return { ...incoming, violations: toViolations(checkAllow(status, headers), status) }
  const { operation, parameters } = found
  // What is not JSON is told by its type alone.
  const read = body instanceof ReadableStream ? new Uint8Array() : decoded
  const violations = checkResponse(operation, method, { status, headers, body: read }, sent)
  if (asked === undefined) return { ...incoming, violations }
  const exchanged = checkExchange({ operation, parameters, decoded: asked, status, headers, json })
  const accepted = status < 300 ? checkAccepted(operation, asked) : []
  return { ...incoming, violations: [...violations, ...toViolations(exchanged, status), ...accepted] }
}
