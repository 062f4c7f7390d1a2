import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toCopies } from '../../../src/admin/api/copies.ts'
import type { RedactedExchange } from '../../../src/sessions/journal/record.ts'
import type { KeptBody } from '../../../src/sessions/journal/redact.ts'
import { REDACTED } from '../../../src/sessions/journal/redact.ts'
import { startServer } from '../../../src/edges/node/server.ts'
import { toTestEntry } from '../../sessions/journal/exchanges.ts'
import { createAsk } from './ask.ts'
import { toPng } from '../../service/http/image-samples.ts'

const entry: RedactedExchange = {
  ...toTestEntry({ operation: undefined, projectKey: undefined }),
  request: { method: 'GET', url: 'http://localhost/acme/resource', headers: {} },
  response: { status: 200, headers: {} },
}

function copyOf(one: RedactedExchange, name: string): string {
  const copy = toCopies(one).find((found) => found.name === name)
  return copy !== undefined && 'text' in copy ? copy.text : expect.fail(`there is no ${name}`)
}

/** Why there is no copy, by what it would be. */
const listSentences = (one: RedactedExchange): readonly (readonly [name: string, sentence: string])[] =>
  toCopies(one).flatMap((copy) => ('sentence' in copy ? [[copy.name, copy.sentence] as const] : []))

const cut = { text: '{"a', encoding: 'utf-8', size: 70_000, isCut: true } as const

const toText = (text: string): KeptBody => ({ text, encoding: 'utf-8', size: text.length, isCut: false })

const PICTURE: KeptBody = { text: toPng(3, 2).toString('base64'), encoding: 'base64', size: 1, isCut: false }

/** Runs a copied command and returns its output. */
async function run(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent --show-error`])
  return stdout
}

describe('a request copied as curl', () => {
  it.each(['listed', 'issued'])('gets the same response with the scopes of its token: %s', async (kind) => {
    const server = await startServer({ port: 0, auth: 'strict' })
    onTestFinished(() => server.close())
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', scope: 'view_test:acme' })
    const issued = await (await fetch(`${server.url}/oauth/token`, { method: 'POST', body })).json()
    const token = kind === 'issued' ? issued.access_token : 'view_test:acme'
    const init = { method: 'POST', headers: { Authorization: `Bearer ${token}` } }
    expect((await fetch(`${server.url}/acme/resource`, init)).status).toBe(403)
    const { requests } = await (await fetch(`${server.url}/__admin/requests`)).json()
    const { copies } = await (await fetch(`${server.url}/__admin/requests/${requests[0].id}/copies`)).json()
    expect(await run(copies[0].text)).toContain('"statusCode":403')
  })

  it('repeats the request, whatever its body contains', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const body = `{"text": "it's $HOME \`ls\` \\\\ é"}`
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer [redacted]',
      cookie: 'a=[redacted]',
      host: 'x',
    }
    const url = `${server.url}/acme/resource/namespace-action`
    const command = copyOf(
      {
        ...entry,
        request: { method: 'POST', url, headers, body: { text: body, encoding: 'utf-8', size: 1, isCut: false } },
      },
      'curl',
    )
    expect(command).not.toContain('redacted')
    expect(await run(command)).toBe(body)
  })

  it.each(['?where=key%20in%20({a,b})', '?x=[1-3]', '?x=]'])('sends %s unchanged and once', async (search) => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const url = `${server.url}/acme/resource/none${search}`
    const command = copyOf({ ...entry, request: { ...entry.request, url } }, 'curl')
    expect(command).toContain('--globoff')
    await run(command)
    const { requests } = (await (await fetch(`${server.url}/__admin/requests`)).json()) as {
      readonly requests: readonly { readonly request: { readonly url: string } }[]
    }
    expect(requests.map(({ request }) => request.url)).toEqual([`/acme/resource/none${search}`])
  })

  it.each<[what: string, path: string, headers: Readonly<Record<string, string>>, body: KeptBody, status: number]>([
    [
      'a compressed body',
      '/acme/resource/namespace-action',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      toText('{"a":1}'),
      200,
    ],
    [
      'Basic credentials',
      '/oauth/token',
      { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${REDACTED}` },
      toText('grant_type=client_credentials'),
      200,
    ],
    [
      'credentials in a form',
      '/oauth/token',
      { 'content-type': 'application/x-www-form-urlencoded' },
      toText(`grant_type=client_credentials&client_id=a&client_secret=${REDACTED}`),
      200,
    ],
    ['bytes', '/acme/resource/images?filename=a.png&sku=walnut-desk', { 'content-type': 'image/png' }, PICTURE, 200],
    ['bytes without a type', '/acme/resource/images?filename=a.png&sku=walnut-desk', {}, PICTURE, 400],
    [
      'an empty header',
      '/acme/resource/namespace-action',
      { 'content-type': 'application/json', 'x-empty': '', expect: '100-continue', te: 'trailers' },
      toText('{"a":1}'),
      200,
    ],
    ['text without a type', '/acme/resource/namespace-action', {}, toText('{"a":1}'), 200],
  ])('repeats a request with %s', async (_what, path, headers, body, status) => {
    const server = await startServer({ port: 0, auth: 'lenient' })
    onTestFinished(() => server.close())
    const url = server.url + path
    const token: Readonly<Record<string, string>> = path.startsWith('/oauth')
      ? {}
      : { authorization: `Bearer ${REDACTED}` }
    const one = { ...entry, request: { method: 'POST', url, headers: { ...token, ...headers }, body } }
    expect(copyOf(one, 'curl')).not.toContain(REDACTED)
    await run(copyOf(one, 'curl'))
    const { requests } = (await (await fetch(`${server.url}/__admin/requests`)).json()) as {
      readonly requests: readonly {
        readonly response: { readonly status: number }
        readonly request: { readonly headers: Readonly<Record<string, string>> }
      }[]
    }
    expect(requests.map(({ response }) => response.status)).toEqual([status])
    const sent = requests[0]?.request
    expect(sent?.headers['content-type']).toBe(headers['content-type'])
    expect(sent?.headers['x-empty']).toBe(headers['x-empty'])
  })

  it('leaves out credentials of an unknown scheme', () => {
    const headers = { authorization: REDACTED }
    expect(copyOf({ ...entry, request: { ...entry.request, headers } }, 'curl')).not.toContain('uthorization')
  })

  it('adds --globoff only if needed', () => {
    expect(copyOf(entry, 'curl')).not.toContain('--globoff')
  })
})

describe('a truncated body', () => {
  it('of a request cannot be copied as curl, which says its size', () => {
    const large = { ...entry, request: { ...entry.request, method: 'POST', body: cut } }
    const rest = 'the journal keeps only the first 65,536 of 70,000 bytes of the request body.'
    expect(listSentences(large)).toEqual([['curl', `Cannot copy as curl: ${rest}`]])
    expect(copyOf(large, 'Playwright route')).toContain('status: 200')
  })

  it('of a response cannot be copied as a Playwright route, which says its size', () => {
    const large = { ...entry, response: { ...entry.response, body: cut } }
    const sentence =
      'Cannot copy as Playwright route: the journal keeps only the first 65,536 of 70,000 bytes of the response body.'
    expect(listSentences(large)).toEqual([['Playwright route', sentence]])
  })

  it('has a sentence instead of a copy in the admin API', async () => {
    const { ask } = await createAsk()
    await ask('POST', '/acme/resource/namespace-action', { json: 'x'.repeat(69_998) })
    const [, id = ''] = /"id":"([^"]+)"/.exec((await ask('GET', '/__admin/requests')).text) ?? []
    const { copies } = (await ask('GET', `/__admin/requests/${id}/copies`)).body as {
      readonly copies: readonly object[]
    }
    expect(copies).toEqual([
      { name: 'curl', sentence: expect.stringContaining('only the first 65,536 of 70,000 bytes') },
      { name: 'Playwright route', sentence: expect.stringContaining('of the response body') },
    ])
  })

  it('does not matter to a route that breaks the connection', () => {
    const broken = { ...entry, response: { status: 0, headers: {}, fault: 'EMPTY_RESPONSE', body: cut } }
    expect(listSentences(broken)).toEqual([])
  })
})

describe('a Playwright route', () => {
  it('has every response header that a page can read, and none of the connection', () => {
    const kept = {
      'content-type': 'application/json; charset=utf-8',
      location: '/acme/resource/1',
      etag: '"4"',
      'retry-after': '1',
      'www-authenticate': 'Bearer realm="acme"',
      'x-correlation-id': 'c',
    }
    const passing = {
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      'content-length': '2',
      date: 'Thu, 01 Jan 1970 00:00:00 GMT',
      'set-cookie': 'a=[redacted]',
    }
    const answered = { ...entry, response: { status: 201, headers: { ...kept, ...passing } } }
    const route = copyOf(answered, 'Playwright route')
    const [, headers = ''] = /headers: (\{[^}]*\})/.exec(route) ?? []
    expect(JSON.parse(headers)).toEqual(kept)
  })

  it('quotes a method that a shell would run', async () => {
    const sent = { ...entry, request: { ...entry.request, method: '`echo ran`' } }
    const script = `curl() { printf '%s\\n' "$@"; }; ${copyOf(sent, 'curl')}`
    expect((await promisify(execFile)('sh', ['-c', script])).stdout).toContain('`echo ran`')
  })

  it('breaks the connection if a fault did', () => {
    const broken = { ...entry, response: { status: 0, headers: {}, fault: 'EMPTY_RESPONSE' } }
    expect(copyOf(broken, 'Playwright route')).toContain("route.abort('connectionreset')")
  })

  it('responds with binary bodies', () => {
    const body = { text: 'AAEC', encoding: 'base64', size: 3, isCut: false } as const
    const image = { ...entry, response: { status: 200, headers: { 'content-type': 'image/png' }, body } }
    expect(copyOf(image, 'Playwright route')).toContain('Buffer.from("AAEC", \'base64\')')
  })
})
