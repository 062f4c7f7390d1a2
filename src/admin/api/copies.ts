import { REDACTED } from '../../sessions/journal/redact.ts'
import type { RedactedExchange } from '../../sessions/journal/record.ts'
import type { KeptBody } from '../../sessions/journal/redact.ts'
import { CLIENT_DISCONNECTED } from '../../sessions/journal/failure-kinds.ts'
import { KEPT_BYTES } from '../../sessions/journal/record.ts'
import { fillSecrets, toSendableHeaders } from '../../sessions/journal/har.ts'
import { toTarget } from '../../sessions/journal/target.ts'
import { quote, toWord } from '../../util/quote.ts'

/** A request or its response as code for another tool, or a sentence that says why there is none. */
export type Copy = { readonly name: string } & ({ readonly text: string } | { readonly sentence: string })

const copyNumbers = new Intl.NumberFormat('en')

/** Characters that curl expands to several URLs (curl(1), `--globoff`). */
const GLOB = /[[\]{}]/

function toCurl(entry: RedactedExchange): string {
  const { method, body, headers } = entry.request
  const url = fillSecrets(entry.request.url)
  // `-X HEAD` would wait for a body.
  const verb =
    method === 'HEAD' ? ['-I'] : method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${toWord(method)}`]
  const isText = body?.encoding === 'utf-8'
  return [
    ...(body === undefined || isText ? [] : [`printf %s ${quote(body.text)} | base64 -d |`]),
    `curl ${quote(url)}`,
    ...(GLOB.test(url) ? ['--globoff'] : []),
    ...verb,
    // With a colon alone, curl would drop an empty header.
    ...toSendableHeaders(entry).map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Without a type, curl would send the body as a form.
    ...(body === undefined || headers['content-type'] !== undefined ? [] : ["-H 'Content-Type:'"]),
    ...(body === undefined ? [] : [isText ? `--data-raw ${quote(fillSecrets(body.text))}` : '--data-binary @-']),
  ].join(' \\\n  ')
}

/** A TypeScript literal; `<` is escaped, so that it is safe in a page too. */
const literal = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll('<', String.raw`\u003c`)

/** Headers of one connection or moment, or of an encoding that the journal removed (RFC 9110, sections 7.6.1 and 8.4). */
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

/** A route that responds as the mock did, or breaks the connection as it did. */
function toRoute({ request, response }: RedactedExchange): string {
  const { path, search } = toTarget(request.url)
  const head = `await page.route((url) => (url.pathname + url.search).endsWith(${literal(path + search)}), async (route) => {`
  const only = `  if (route.request().method() !== ${literal(request.method)}) return route.fallback()`
  if (response.fault !== undefined) {
    const code = response.fault === CLIENT_DISCONNECTED ? 'aborted' : 'connectionreset'
    return [head, only, `  await route.abort('${code}')`, '})'].join('\n')
  }
  const { body, headers } = response
  const content =
    body === undefined
      ? []
      : [
          body.encoding === 'utf-8'
            ? `    body: ${literal(body.text)},`
            : `    body: Buffer.from(${literal(body.text)}, 'base64'),`,
        ]
  // The response headers that a page can read. `Set-Cookie` is not one, and its values are not recorded.
  const answered = Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !PASSING.has(name) && name !== 'set-cookie' && !value.includes(REDACTED),
    ),
  )
  return [
    head,
    only,
    '  await route.fulfill({',
    `    status: ${response.status},`,
    ...(Object.keys(answered).length === 0 ? [] : [`    headers: ${literal(answered).replaceAll('\n', '\n    ')},`]),
    ...content,
    '  })',
    '})',
  ].join('\n')
}

/** A copy, unless the journal has only part of the body: that would be a different request or response. */
function toCopy(name: string, body: KeptBody | undefined, of: string, toText: () => string): Copy {
  if (body?.isCut !== true) return { name, text: toText() }
  const sizes = `the first ${copyNumbers.format(KEPT_BYTES)} of ${copyNumbers.format(body.size)} bytes`
  return { name, sentence: `Cannot copy as ${name}: the journal keeps only ${sizes} of the ${of} body.` }
}

/** The exchange as a curl command, and as a Playwright route with the same response. */
export function toCopies(entry: RedactedExchange): readonly Copy[] {
  const { request, response } = entry
  const answered = response.fault === undefined ? response.body : undefined
  return [
    toCopy('curl', request.body, 'request', () => toCurl(entry)),
    toCopy('Playwright route', answered, 'response', () => toRoute(entry)),
  ]
}
