import { REDACTED } from '../journal/redact.ts'
import type { JournalEntry, KeptBody } from '../journal/entry.ts'
import { KEPT_BYTES } from '../journal/kept-body.ts'
import { toTarget } from '../journal/target.ts'
import { toCountText } from './number-text.ts'

/** A request, and its answer, in the words of another tool. */
export type Copy =
  | { readonly kind: 'whole'; readonly name: string; readonly text: string }
  /** The sentence says why there is none. */
  | { readonly kind: 'none'; readonly name: string; readonly sentence: string }

/** What the network makes itself, and no one sends on purpose; the journal keeps bodies decoded. */
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

/** Credentials of each scheme that the mock takes: none are kept, and any will do unless it is told otherwise (D32). */
const CREDENTIALS: Readonly<Record<string, string>> = { basic: btoa('any-client:any-secret'), bearer: 'any-token' }

/** The headers worth sending again. */
function toHeaders({ request: { headers } }: JournalEntry): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (isMade(name)) return []
    const [scheme = ''] = value.split(' ', 1)
    const credentials = name === 'authorization' ? CREDENTIALS[scheme.toLowerCase()] : undefined
    if (credentials !== undefined) return [[name, `${scheme} ${credentials}`] as const]
    return value.includes(REDACTED) ? [] : [[name, value] as const]
  })
}

/** Text in single quotes of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** What curl takes for several URLs in one (curl(1), `--globoff`). */
const GLOB = /[[\]{}]/

/** Any secret in the place of one that is not kept, as for a token. */
const fillSecrets = (text: string): string => text.replaceAll(REDACTED, 'any-secret')

function toCurl(entry: JournalEntry): string {
  const { method, body, headers } = entry.request
  const url = fillSecrets(entry.request.url)
  // `-X HEAD` would wait for a body.
  const verb = method === 'HEAD' ? ['-I'] : method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]
  const isText = body?.encoding === 'utf-8'
  return [
    ...(body === undefined || isText ? [] : [`printf %s ${quote(body.text)} | base64 -d |`]),
    `curl ${quote(url)}`,
    ...(GLOB.test(url) ? ['--globoff'] : []),
    ...verb,
    // By a colon alone a header would be left out.
    ...toHeaders(entry).map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Of a body of no type curl would say that it is a form.
    ...(body === undefined || headers['content-type'] !== undefined ? [] : ["-H 'Content-Type:'"]),
    ...(body === undefined ? [] : [isText ? `--data-raw ${quote(fillSecrets(body.text))}` : '--data-binary @-']),
  ].join(' \\\n  ')
}

/** A literal of TypeScript; `<` is escaped, so that it can stand in a page too. */
const literal = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll('<', String.raw`\u003c`)

const indent = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** A body of fetch; it says of a text that has no type that it is plain text, of bytes nothing. */
function toFetched(body: KeptBody, headers: Readonly<Record<string, string>>): string {
  if (body.encoding === 'base64') {
    return `Uint8Array.from(atob(${literal(body.text)}), (character) => character.charCodeAt(0))`
  }
  const text = literal(fillSecrets(body.text))
  return headers['content-type'] === undefined ? `new TextEncoder().encode(${text})` : text
}

function toFetch(entry: JournalEntry): string {
  const { method, url, body } = entry.request
  const headers = Object.fromEntries(toHeaders(entry))
  return [
    `const response = await fetch(${literal(fillSecrets(url))}, {`,
    `  method: ${literal(method)},`,
    ...(Object.keys(headers).length === 0 ? [] : [`  headers: ${indent(literal(headers), 2)},`]),
    ...(body === undefined ? [] : [`  body: ${toFetched(body, headers)},`]),
    '})',
  ].join('\n')
}

/** What is of one connection or moment, or was undone before the body was kept (RFC 9110, sections 7.6.1 and 8.4). */
const PASSING = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers of the answer that a page could read. No page reads `Set-Cookie`, whose values are not kept either. */
const toAnswered = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !PASSING.has(name) && name !== 'set-cookie' && !value.includes(REDACTED),
    ),
  )

/** A route that answers as the mock did, or breaks the connection off as it did. */
function toRoute({ request, response }: JournalEntry): string {
  const { path, search } = toTarget(request.url)
  const head = `await page.route((url) => (url.pathname + url.search).endsWith(${literal(path + search)}), async (route) => {`
  const only = `  if (route.request().method() !== ${literal(request.method)}) return route.fallback()`
  if (response.fault !== undefined) return [head, only, "  await route.abort('connectionreset')", '})'].join('\n')
  const { body, headers } = response
  const content =
    body === undefined
      ? []
      : [
          body.encoding === 'utf-8'
            ? `    body: ${literal(body.text)},`
            : `    body: Buffer.from(${literal(body.text)}, 'base64'),`,
        ]
  const answered = toAnswered(headers)
  return [
    head,
    only,
    '  await route.fulfill({',
    `    status: ${response.status},`,
    ...(Object.keys(answered).length === 0 ? [] : [`    headers: ${indent(literal(answered), 4)},`]),
    ...content,
    '  })',
    '})',
  ].join('\n')
}

/** A copy, unless the journal has only the beginning of the body that it needs: that would be another request, or answer. */
function toCopy(name: string, body: KeptBody | undefined, of: string, toText: () => string): Copy {
  if (body?.isCut !== true) return { kind: 'whole', name, text: toText() }
  const sizes = `the first ${toCountText(KEPT_BYTES)} of ${toCountText(body.size)} bytes`
  return { kind: 'none', name, sentence: `Cannot copy as ${name}: the journal keeps only ${sizes} of the ${of} body.` }
}

/** The exchange as a command of curl, a call of fetch, and a route of Playwright that answers it the same way. */
export function toCopies(entry: JournalEntry): readonly Copy[] {
  const { request, response } = entry
  const answered = response.fault === undefined ? response.body : undefined
  return [
    toCopy('curl', request.body, 'request', () => toCurl(entry)),
    toCopy('fetch', request.body, 'request', () => toFetch(entry)),
    toCopy('Playwright route', answered, 'response', () => toRoute(entry)),
  ]
}
