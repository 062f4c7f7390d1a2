import { writeList } from '../../service/http/json-list.ts'
import { parseRawQuery } from '../../service/http/request-head.ts'
import { CLIENT_DISCONNECTED } from './failure-kinds.ts'
import { toCutNote } from './record.ts'
import { toCookiePairs, toTarget } from './target.ts'
import { REDACTED } from './redact.ts'
import type { RedactedExchange } from './record.ts'
import type { KeptBody } from './redact.ts'

interface NameAndValue {
  readonly name: string
  readonly value: string
}

/** HAR's value for an unknown size or time. */
const UNKNOWN_SIZE = -1
/** A web Request does not expose its version; the mock's own server only speaks this one. */
const HTTP_VERSION = 'HTTP/1.1'
/** The type that browsers use for content of unknown type. */
const UNKNOWN_TYPE = 'x-unknown'

const toHarHeaders = (headers: Readonly<Record<string, string>>): NameAndValue[] =>
  Object.entries(headers).flatMap(([name, value]) => value.split('\n').map((one) => ({ name, value: one })))

const toPair = ([name, value]: readonly [string, string]): NameAndValue => ({ name, value })

/**
 * Text and its encoding. HAR 1.2 defines `encoding` for response content only, but Playwright also reads it for posted
 * data, which it needs to match uploaded images.
 */
const toHarContent = (body: KeptBody) => ({
  text: body.text,
  ...(body.encoding === 'base64' ? { encoding: 'base64' } : {}),
  ...(body.isCut ? { comment: toCutNote(body) } : {}),
})

function toHarRequest({ request }: RedactedExchange) {
  const { body, headers } = request
  return {
    method: request.method,
    url: request.url,
    httpVersion: HTTP_VERSION,
    cookies: toCookiePairs(headers.cookie).map(toPair),
    headers: toHarHeaders(headers),
    queryString: [...parseRawQuery(toTarget(request.url).search)].flatMap(([name, values]) =>
      values.map((value) => ({ name, value })),
    ),
    ...(body === undefined
      ? {}
      : { postData: { mimeType: headers['content-type'] ?? UNKNOWN_TYPE, ...toHarContent(body) } }),
    headersSize: UNKNOWN_SIZE,
    bodySize: body?.size ?? 0,
  }
}

function toHarResponse({ response, clientLeft }: RedactedExchange) {
  const { body, headers } = response
  const error = response.fault ?? (clientLeft === true ? CLIENT_DISCONNECTED : undefined)
  return {
    // Without a response, -1 makes Playwright's replay abort the request, and DevTools show `_error`.
    status: response.fault === undefined ? response.status : -1,
    statusText: '',
    httpVersion: HTTP_VERSION,
    // The first pair of each `Set-Cookie` is the cookie, the rest are attributes (RFC 6265, section 4.1).
    cookies: (headers['set-cookie'] ?? '').split('\n').flatMap((line) => toCookiePairs(line).slice(0, 1).map(toPair)),
    headers: toHarHeaders(headers),
    content: {
      size: body?.size ?? 0,
      mimeType: headers['content-type'] ?? UNKNOWN_TYPE,
      ...(body === undefined ? {} : toHarContent(body)),
    },
    redirectURL: headers.location ?? '',
    headersSize: UNKNOWN_SIZE,
    bodySize: body?.size ?? 0,
    ...(error === undefined ? {} : { _error: error }),
  }
}

function toHarEntry(entry: RedactedExchange) {
  const { durationMilliseconds: wait, operation, session, scenarios, warnings, correlationId } = entry
  const { clientLeft, tookEffect } = entry
  return {
    pageref: session,
    startedDateTime: new Date(entry.time).toISOString(),
    time: wait,
    request: toHarRequest(entry),
    response: toHarResponse(entry),
    cache: {},
    timings: {
      blocked: UNKNOWN_SIZE,
      dns: UNKNOWN_SIZE,
      connect: UNKNOWN_SIZE,
      ssl: UNKNOWN_SIZE,
      send: 0,
      wait,
      receive: 0,
    },
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(clientLeft === true ? { _clientLeft: true } : {}),
    ...(tookEffect === true ? { _tookEffect: true } : {}),
    _session: session,
    _scenarios: scenarios,
    _warnings: warnings,
    _correlationId: correlationId,
  }
}

/** The page of a session, which Safari needs to import an archive. */
const toHarPage = ({ session, time }: RedactedExchange, title: string) => ({
  id: session,
  title,
  startedDateTime: new Date(time).toISOString(),
  pageTimings: {},
})

/**
 * Writes entries as an HTTP Archive (HAR 1.2), which DevTools can import and Playwright's `routeFromHAR` can replay. Each
 * session is a page. Custom members start with an underscore.
 *
 * @param creator the mock's name and version
 * @param findTitle finds the title of the test that a session belongs to
 */
export async function* writeHar(
  entries: AsyncIterable<RedactedExchange>,
  creator: { readonly name: string; readonly version: string },
  findTitle: (session: string) => string | undefined,
): AsyncGenerator<string, void> {
  const pages = new Map<string, ReturnType<typeof toHarPage>>()
  function toItem(entry: RedactedExchange) {
    const { session } = entry
    if (!pages.has(session)) pages.set(session, toHarPage(entry, findTitle(session) ?? session))
    return toHarEntry(entry)
  }
  yield '{"log":'
  yield* writeList('entries', entries, toItem, () => ({ version: '1.2', creator, pages: [...pages.values()] }))
  yield '}'
}

/** Headers that HTTP clients set themselves. Content-Encoding does not apply because the journal keeps decoded bodies. */
const CLIENT_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-correlation-id',
])

/** Credentials by scheme, since real ones are redacted: a token may be the list of its scopes, or any by default (D32). */
const toHarCredentials = (scopes: readonly string[] | undefined): Readonly<Record<string, string>> => ({
  basic: btoa('any-client:any-secret'),
  bearer: scopes === undefined ? 'any-token' : scopes.join(','),
})

/** The request headers to send when an entry is replayed. */
export function toSendableHeaders({
  scopes,
  request: { headers },
}: RedactedExchange): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (CLIENT_HEADERS.has(name) || name.startsWith('sec-')) return []
    const [scheme = ''] = value.split(' ', 1)
    const isRedacted = value.includes(REDACTED)
    const credentials =
      name === 'authorization' && isRedacted ? toHarCredentials(scopes)[scheme.toLowerCase()] : undefined
    if (credentials !== undefined) return [[name, `${scheme} ${credentials}`] as const]
    return isRedacted ? [] : [[name, value] as const]
  })
}

/** Replaces redacted secrets with a placeholder. */
export const fillSecrets = (text: string): string => text.replaceAll(REDACTED, 'any-secret')
