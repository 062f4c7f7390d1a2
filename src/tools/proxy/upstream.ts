import { SetupError, problem, findErrorCode, toSystemMessage } from '../../errors.ts'
import type { Problem } from '../../errors.ts'
import type { Dispatcher } from 'undici'
import { findProxyVariable } from '../../util/proxy-variable.ts'
import { fromPairs, toPairs } from '../../service/http/connection.ts'
import type { Information, RawHeaders } from '../../service/http/connection.ts'
import type { BodyBytes } from './proxied-request.ts'

/** What `proxy`, `--passthrough`, `verify` and `replay` send with: undici, and decoders of content codings. */
export interface HttpClient {
  /** Resolves with the response head; does not follow redirects. */
  readonly send: (request: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
  /**
   * Decodes a body by its `Content-Encoding`.
   *
   * @param limit of the result, in bytes
   * @returns undefined if a coding is unknown
   * @throws if the body is invalid, or exceeds the limit
   */
  readonly decode: (bytes: Uint8Array, encoding: string, limit?: number) => Promise<BodyBytes | undefined>
}

/** A request to the upstream. */
interface UpstreamRequest {
  /** Path and query, sent unchanged after the upstream's base URL. */
  readonly target: string
  readonly method: string
  readonly headers: RawHeaders
  readonly body: BodyBytes | ReadableStream<BodyBytes> | undefined
  readonly signal: AbortSignal
  /** Called with 1xx responses. */
  readonly onInformation: (information: Information) => void
}

/**
 * The headers as undici takes them: over a proxy it keeps only the last one of a name in a list, but all values of a name in
 * an object.
 */
function toSentHeaders(raw: RawHeaders, isOverProxy: boolean): string[] | Record<string, string | string[]> {
  if (!isOverProxy) return [...raw]
  const values = new Map<string, string | string[]>()
  for (const [name, value] of toPairs(raw)) {
    const earlier = values.get(name)
    values.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  return Object.fromEntries(values)
}

/** The headers of `responseHeaders: 'raw'`, which undici's types do not know. */
export const toRawHeaders = (headers: unknown): RawHeaders => (Array.isArray(headers) ? headers.map(String) : [])

/** The service behind the proxy. */
export type Upstream = ReturnType<typeof createUpstream>

/** @throws {SetupError} for an invalid URL. */
function expectUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SetupError(
      `The upstream ${JSON.stringify(text)} is not the URL of a service. Use its base URL, such as https://api.example.com.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new SetupError(
      `The URL of the upstream ${url.host} has a user name or a password. Remove them; clients send their own credentials.`,
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw new SetupError(
      `The URL of the upstream ${url.host} has a query or a fragment. Use its base URL alone: ${url.origin}${url.pathname}`,
    )
  }
  return url
}

/** System errors of a connection that could not be opened. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** OpenSSL's verification errors of a chain whose end is unknown. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER|VERIFY)\w*)$/

export function createUpstream(parts: {
  readonly url: string
  /** In milliseconds. */
  readonly timeout: number
  /** How to extend the timeout, such as `allow more with --timeout`. */
  readonly longer?: string
  readonly client: HttpClient
}) {
  const { url: text, timeout, longer, client } = parts
  const base = expectUrl(text)
  const path = base.pathname.replace(/\/+$/, '')
  const url = base.origin + path
  const pseudonym = `resource-mock-${crypto.randomUUID().slice(0, 8)}`

  function toProblem(fault: unknown, signal: AbortSignal, deadline: AbortSignal): Problem {
    if (signal.aborted) return problem.badGateway(`The client disconnected before ${url} responded.`)
    if (deadline.aborted) {
      return problem.gatewayTimeout(
        `The upstream ${url} did not answer within ${timeout} ms. Try again${longer === undefined ? '' : `, or ${longer}`}.`,
      )
    }
    const code = findErrorCode(fault) ?? ''
    const proxy = findProxyVariable(base)
    const over = proxy === undefined ? '' : ` over the proxy ${proxy.address} of ${proxy.name}`
    if (UNTRUSTED.test(code)) {
      return problem.badGateway(
        `The certificate of the upstream ${url}${over} is not trusted: ${toSystemMessage(fault)}. If a private CA signed it, start the mock with the environment variable NODE_EXTRA_CA_CERTS set to the CA's PEM file.`,
      )
    }
    if (proxy !== undefined) {
      return problem.badGateway(
        `The request to the upstream ${url}${over} failed: ${toSystemMessage(fault)}. Correct ${proxy.name}, or add ${base.hostname} to NO_PROXY.`,
      )
    }
    return problem.badGateway(
      UNREACHABLE.has(code)
        ? `The upstream ${url} is unreachable: ${toSystemMessage(fault)}. Start it, or correct its URL.`
        : `The upstream ${url} sent an invalid response: ${toSystemMessage(fault)}. Check its URL and its log.`,
    )
  }

  return {
    host: base.host,
    /** The proxy's name in `Via` (RFC 9110, section 7.6.3). */
    pseudonym,
    /** Decodes a body for checking, if it can. */
    decode: (bytes: BodyBytes, encoding: string, limit: number): Promise<BodyBytes | undefined> =>
      client.decode(bytes, encoding, limit).catch(() => undefined),
    /**
     * Rejects a request that comes from the proxy itself.
     *
     * @throws {Problem} 502 if its `Via` names this proxy.
     */
    expectOther(via: string | undefined): void {
      if (via?.includes(pseudonym) !== true) return
      throw problem.badGateway(`The upstream ${url} is this proxy itself. Start the proxy with the URL of the service.`)
    },
    /**
     * Sends a request and resolves with the response head, and with functions for the rest: `read` waits for it within the
     * remaining time, and `release` removes the time limit.
     *
     * @throws {Problem} 502 if the upstream is unreachable or breaks off, 504 if it does not respond in time. `read` too.
     */
    async send({ target, method, headers, body, signal, onInformation }: UpstreamRequest) {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), timeout)
      const release = (): void => clearTimeout(timer)
      async function within<T>(waiting: Promise<T>): Promise<T> {
        try {
          return await waiting
        } catch (fault) {
          release()
          throw toProblem(fault, signal, deadline.signal)
        }
      }
      const sent = client.send({
        origin: base.origin,
        path: path + target,
        method,
        headers: toSentHeaders(headers, findProxyVariable(base) !== undefined),
        body: (body ?? null) as Dispatcher.RequestOptions['body'],
        signal: AbortSignal.any([signal, deadline.signal]),
        responseHeaders: 'raw',
        onInfo: ({ statusCode, headers: informed }) =>
          onInformation({ status: statusCode, headers: toRawHeaders(informed) }),
      })
      const { statusCode, statusText, headers: received, body: stream, trailers } = await within(sent)
      const answer = {
        status: statusCode,
        // undici has none over a proxy.
        statusText: statusText as string | undefined,
        headers: toRawHeaders(received),
        body: stream.body as ReadableStream<BodyBytes> | undefined,
        /** Known once the body has been read. */
        trailers: (): RawHeaders =>
          fromPairs(Object.entries(trailers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))),
      }
      return { answer, read: within, release }
    },
    /** Converts a URL in a response to a path on the proxy; undefined for other hosts. */
    findPath(location: string): string | undefined {
      const found = URL.canParse(location, url) ? new URL(location, url).href : ''
      return found === url || found.startsWith(`${url}/`) ? found.slice(url.length) : undefined
    },
  }
}
