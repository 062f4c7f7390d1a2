import { REDACTED } from '../journal/redact.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { toTarget } from '../journal/target.ts'

/** A request, and its answer, in the words of another tool. */
export interface Copy {
  readonly name: string
  readonly text: string
}

/** What the network makes itself, and no one sends on purpose. */
const MADE = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'user-agent',
  'x-correlation-id',
])

const isMade = (name: string): boolean => MADE.has(name) || name.startsWith('sec-')

/** The headers worth sending again. A token is not kept, and any will do unless the mock is told otherwise (D32). */
function toHeaders({ request: { headers } }: JournalEntry): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (isMade(name)) return []
    if (name === 'authorization') return [[name, `${value.split(' ', 1)[0]} any-token`] as const]
    return value.includes(REDACTED) ? [] : [[name, value] as const]
  })
}

/** Text in single quotes of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const bodyOf = ({ request: { body } }: JournalEntry): string | undefined =>
  body?.encoding === 'utf-8' ? body.text : undefined

function toCurl(entry: JournalEntry): string {
  const { method, url, body: kept } = entry.request
  const body = bodyOf(entry)
  // `-X HEAD` would wait for a body.
  const verb = method === 'HEAD' ? ['-I'] : method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]
  return [
    `curl ${quote(url)}`,
    ...verb,
    ...toHeaders(entry).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    ...(kept?.encoding === 'base64' ? ['--data-binary @body'] : []),
  ].join(' \\\n  ')
}

/** A literal of TypeScript; `<` is escaped, so that it can stand in a page too. */
const literal = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll('<', String.raw`\u003c`)

const indent = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

function toFetch(entry: JournalEntry): string {
  const { method, url } = entry.request
  const headers = Object.fromEntries(toHeaders(entry))
  const body = bodyOf(entry)
  return [
    `const response = await fetch(${literal(url)}, {`,
    `  method: ${literal(method)},`,
    ...(Object.keys(headers).length === 0 ? [] : [`  headers: ${indent(literal(headers), 2)},`]),
    ...(body === undefined ? [] : [`  body: ${literal(body)},`]),
    '})',
  ].join('\n')
}

/** How Playwright breaks a connection off, by the fault that did. */
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
  const type = headers['content-type']
  return [
    head,
    only,
    '  await route.fulfill({',
    `    status: ${response.status},`,
    ...(type === undefined ? [] : [`    contentType: ${literal(type)},`]),
    ...content,
    '  })',
    '})',
  ].join('\n')
}

/** The exchange as a command of curl, a call of fetch, and a route of Playwright that answers it the same way. */
export const toCopies = (entry: JournalEntry): readonly Copy[] => [
  { name: 'curl', text: toCurl(entry) },
  { name: 'fetch', text: toFetch(entry) },
  { name: 'Playwright route', text: toRoute(entry) },
]
