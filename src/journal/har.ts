import { writeList } from '../http/json-list.ts'
import { parseRawQuery } from '../http/request-head.ts'
import { toCutNote } from './record.ts'
import { toCookiePairs, toTarget } from './target.ts'
import { REDACTED } from './redact.ts'
import type { JournalEntry } from './record.ts'
import type { KeptBody } from './redact.ts'

interface NameAndValue {
  readonly name: string
  readonly value: string
}

/** HAR's word for a size that is not known. */
const UNKNOWN = -1
/** A web Request does not have it; the mock's own server speaks no other. */
const HTTP_VERSION = 'HTTP/1.1'
/** What browsers name a content whose type they do not know. */
const UNKNOWN_TYPE = 'x-unknown'

const toHeaders = (headers: Readonly<Record<string, string>>): NameAndValue[] =>
  Object.entries(headers).flatMap(([name, value]) => value.split('\n').map((one) => ({ name, value: one })))

const toPair = ([name, value]: readonly [string, string]): NameAndValue => ({ name, value })

const toCookies = (header: string | undefined): NameAndValue[] => toCookiePairs(header).map(toPair)

/** The first pair of each `Set-Cookie` is the cookie, the others its attributes (RFC 6265, section 4.1). */
const toSetCookies = (header: string | undefined): NameAndValue[] =>
  (header ?? '').split('\n').flatMap((line) => toCookiePairs(line).slice(0, 1).map(toPair))

const toQueryString = (url: string): NameAndValue[] =>
  [...parseRawQuery(toTarget(url).search)].flatMap(([name, values]) => values.map((value) => ({ name, value })))

/**
 * Text, and how to read it. HAR 1.2 knows `encoding` for contents only; for a posted one it is what Playwright reads, so
 * that an uploaded image is found again.
 */
const toContent = (body: KeptBody) => ({
  text: body.text,
  ...(body.encoding === 'base64' ? { encoding: 'base64' } : {}),
  ...(body.isCut ? { comment: toCutNote(body) } : {}),
})

function toHarRequest({ request }: JournalEntry) {
  const { body, headers } = request
  return {
    method: request.method,
    url: request.url,
    httpVersion: HTTP_VERSION,
    cookies: toCookies(headers.cookie),
    headers: toHeaders(headers),
    queryString: toQueryString(request.url),
    ...(body === undefined
      ? {}
      : { postData: { mimeType: headers['content-type'] ?? UNKNOWN_TYPE, ...toContent(body) } }),
    headersSize: UNKNOWN,
    bodySize: body?.size ?? 0,
  }
}

function toHarResponse({ response }: JournalEntry) {
  const { body, headers, fault } = response
  return {
    // Without an answer, -1 lets Playwright's replay leave the request without one, and the error DevTools say why.
    status: fault === undefined ? response.status : -1,
    statusText: '',
    httpVersion: HTTP_VERSION,
    cookies: toSetCookies(headers['set-cookie']),
    headers: toHeaders(headers),
    content: {
      size: body?.size ?? 0,
      mimeType: headers['content-type'] ?? UNKNOWN_TYPE,
      ...(body === undefined ? {} : toContent(body)),
    },
    redirectURL: headers.location ?? '',
    headersSize: UNKNOWN,
    bodySize: body?.size ?? 0,
    ...(fault === undefined ? {} : { _error: fault }),
  }
}

function toHarEntry(entry: JournalEntry) {
  const { durationMilliseconds: wait, operation, session, scenarios, warnings, correlationId } = entry
  return {
    startedDateTime: new Date(entry.time).toISOString(),
    time: wait,
    request: toHarRequest(entry),
    response: toHarResponse(entry),
    cache: {},
    timings: { blocked: UNKNOWN, dns: UNKNOWN, connect: UNKNOWN, ssl: UNKNOWN, send: 0, wait, receive: 0 },
    ...(operation === undefined ? {} : { _operation: operation }),
    _session: session,
    _scenarios: scenarios,
    _warnings: warnings,
    _correlationId: correlationId,
  }
}

/**
 * Writes entries as an HTTP Archive, version 1.2, which DevTools import and Playwright's `routeFromHAR` replays. Names that
 * start with an underscore are ours.
 *
 * @param creator what made it: the mock's name and version.
 */
export async function* writeHar(
  entries: AsyncIterable<JournalEntry>,
  creator: { readonly name: string; readonly version: string },
): AsyncGenerator<string, void> {
  yield '{"log":'
  yield* writeList('entries', entries, toHarEntry, () => ({ version: '1.2', creator, pages: [] }))
  yield '}'
}

/** Headers that clients set themselves. The journal keeps bodies decoded. */
const MADE = new Set([
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

const isMade = (name: string): boolean => MADE.has(name) || name.startsWith('sec-')

/** Placeholder credentials by scheme: real ones are not recorded, and the mock accepts any by default (D32). */
const CREDENTIALS: Readonly<Record<string, string>> = { basic: btoa('any-client:any-secret'), bearer: 'any-token' }

/** The headers of a request that are worth sending again. */
export function toSendableHeaders({
  request: { headers },
}: JournalEntry): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (isMade(name)) return []
    const [scheme = ''] = value.split(' ', 1)
    const credentials = name === 'authorization' ? CREDENTIALS[scheme.toLowerCase()] : undefined
    if (credentials !== undefined) return [[name, `${scheme} ${credentials}`] as const]
    return value.includes(REDACTED) ? [] : [[name, value] as const]
  })
}

/** Replaces redacted secrets by a placeholder. */
export const fillSecrets = (text: string): string => text.replaceAll(REDACTED, 'any-secret')
