import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { ServerOptions } from '../../../src/node.ts'
import type { RequestLog } from '../../../src/sessions/journal/record.ts'
import { openSocket, sendRaw } from '../../support/raw-request.ts'

const ORIGIN = 'http://localhost:5173'
const HEADERS = `Host: localhost\r\nOrigin: ${ORIGIN}\r\nCookie: theme=dark\r\n`
const line = (text: string, more = '') => `${text}\r\n${HEADERS}${more}\r\n`
const post = (more: string) => line('POST /acme/resource HTTP/1.1', more)

const readTls = (name: string): string => readFileSync(new URL(`../cli/tls/${name}`, import.meta.url), 'utf8')
const tls = { cert: readTls('cert.pem'), key: readTls('key.pem') }

interface Entry {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
  readonly response: { readonly status: number }
}

/** Starts a server and returns a function that sends bytes to it, and what it logged and recorded then. */
async function start(options: ServerOptions = {}) {
  const logged: RequestLog[] = []
  const onFault = vi.fn()
  const server = await startServer({ port: 0, onFault, onRequest: (entry) => logged.push(entry), ...options })
  onTestFinished(() => server.close())
  return async (text: string) => {
    const answer = await sendRaw(server.port, text)
    const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s)
    const response = await server.mock.fetch('/__admin/requests')
    const { requests } = (await response.json()) as { readonly requests: readonly Entry[] }
    expect(onFault).not.toHaveBeenCalled()
    const own = logged.filter(({ target }) => !target.startsWith('/__admin'))
    return { status: Number(head.slice(9, 12)), head, body, logged: own, requests }
  }
}

/** What is wrong, the bytes, the status, a part of the message, and the method and target that the journal shows. */
const refused: readonly [string, string, number, string, string, string][] = [
  [
    'a lower-case method',
    line('patch /acme/resource?a=1 HTTP/1.1', 'Content-Length: 2\r\n'),
    405,
    "patch is not allowed on /acme/resource. Allowed: GET, HEAD, POST, PATCH, PUT, OPTIONS. Methods are case-sensitive: send PATCH. In fetch, write method: 'PATCH'.",
    'patch',
    '/acme/resource?a=1',
  ],
  ['a mistyped method', line('GETT /acme/resource HTTP/1.1'), 405, 'Did you mean "GET"?', 'GETT', '/acme/resource'],
  ['an unknown method', line('FOO /acme/resource HTTP/1.1'), 405, 'PUT, OPTIONS.', 'FOO', '/acme/resource'],
  [
    'a raw character in UTF-8',
    line('GET /acme/resource?stringParameter=ü HTTP/1.1'),
    400,
    'Percent-encode ü at character 32 of the request target as %C3%BC.',
    'GET',
    '/acme/resource?stringParameter=%C3%BC',
  ],
  [
    'a raw space',
    line('GET /acme/resource?where=key = 1 HTTP/1.1'),
    400,
    'Percent-encode the space at character 25 of the request target as %20.',
    'GET',
    '/acme/resource?where=key%20=%201',
  ],
  ['a list in Content-Length', post('Content-Length: 2, 2\r\n'), 400, 'Content-Length: 2, 2', 'POST', '/acme/resource'],
  ['a wrong expectation', post('Expect: nonsense\r\n'), 417, 'Expect: nonsense', 'POST', '/acme/resource'],
  ['a header name with a space', post('My Header: secret\r\n'), 400, '"My Header"', 'POST', '/acme/resource'],
  [
    'a wrong Host',
    line('GET /acme/resource HTTP/1.1').replace('localhost', 'mock.1'),
    400,
    'The header Host: mock.1 is not valid.',
    'GET',
    '/acme/resource',
  ],
  [
    'headers over 64 KiB',
    line('GET /acme/resource HTTP/1.1', `X-Long: ${'x'.repeat(65_536)}\r\n`),
    431,
    'The headers exceed 64 KiB in total.',
    'GET',
    '/acme/resource',
  ],
  [
    'a request line over 64 KiB',
    line(`GET /acme/resource?a=${'x'.repeat(65_536)} HTTP/1.1`),
    414,
    'The request line exceeds 64 KiB.',
    'GET',
    `/acme/resource?a=${'x'.repeat(65_536)}`,
  ],
  ['CONNECT', line('CONNECT a.test:443 HTTP/1.1'), 405, 'Use the mock as a base URL', 'CONNECT', '/a.test:443'],
]

describe('a request that the server refuses', () => {
  it.each(refused)('is explained, logged and recorded: %s', async (_what, text, status, sentence, method, url) => {
    const send = await start()
    const answer = await send(text)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: status, message: expect.stringContaining(sentence) })
    expect(answer.head).toMatch(new RegExp(`\r\naccess-control-allow-origin: ${ORIGIN}\r\n`, 'i'))
    expect(answer.head.includes('\r\nallow: ')).toBe(status === 405)
    expect(answer.logged).toMatchObject([{ method, target: url, status, session: 'default' }])
    expect(answer.requests).toMatchObject([{ request: { method, url }, response: { status } }])
  })

  it('is recorded with the headers that could be read, without secrets', async () => {
    const send = await start()
    const { requests } = await send(line('patch /acme/resource HTTP/1.1', 'Authorization: Bearer secret\r\n'))
    expect(requests[0]?.request.headers).toMatchObject({ origin: ORIGIN, host: 'localhost' })
    expect(JSON.stringify(requests)).not.toContain('secret')
  })

  it.each([
    ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', 'but this port serves plain HTTP.'],
    ['text', 'HELO localhost\r\n\r\n', 'not an HTTP request: "HELO localhost\\r\\n\\r\\n".'],
  ])('is recorded even if nothing could be read of it: %s', async (_what, text, sentence) => {
    const send = await start()
    const { body, requests } = await send(text)
    expect(JSON.parse(body)).toMatchObject({ message: expect.stringContaining(sentence) })
    expect(requests).toMatchObject([{ response: { status: 400 } }])
  })

  it('that follows a body longer than its Content-Length points at that header', async () => {
    const send = await start({ auth: 'off' })
    const path = 'POST /acme/resource/namespace-action HTTP/1.1'
    const { head, requests } = await send(line(path, 'Content-Length: 7\r\n').replace(/$/, '{"ä":1}'))
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(requests).toMatchObject([
      {
        request: { method: '-' },
        response: { status: 400, body: expect.stringContaining('Content-Length is too small') },
      },
      { request: { method: 'POST' }, response: { status: 400 } },
    ])
  })

  it('by plain HTTP at an HTTPS port is told so', async () => {
    const send = await start({ tls })
    const { body, head, requests } = await send(
      line('GET /acme/resource HTTP/1.1').replace('localhost', 'localhost:4010'),
    )
    expect(JSON.parse(body)).toMatchObject({
      statusCode: 400,
      message: 'This port serves HTTPS, but the request came by plain HTTP. Send it to https://localhost:4010.',
    })
    expect(head).toMatch(/access-control-allow-origin/i)
    expect(requests).toMatchObject([{ request: { method: 'GET', url: '/acme/resource' }, response: { status: 400 } }])
  })

  it('in the middle of its body gets CORS headers', async () => {
    const send = await start({ auth: 'off' })
    const { status, head } = await send(`${post('Transfer-Encoding: chunked\r\n')}zz\r\n`)
    expect(status).toBe(400)
    expect(head).toMatch(/access-control-allow-origin/i)
  })

  it('is read in one pass, however many spaces it has', async () => {
    const send = await start()
    const spaces = ' '.repeat(60_000)
    for (let at = 0; at < 3; at += 1) {
      const { status, body } = await send(`FOO /a${spaces}b HTTP/1.1\r\nHost: a\r\n\r\n`)
      expect([status, body]).toEqual([405, expect.stringContaining('FOO is not allowed')])
      expect((await send(`FOO /a HTTP/1.1\r\nHost: a\r\nX-A: b${spaces}c\r\n\r\n`)).status).toBe(405)
    }
  })

  it.each([
    ['Content-Length', 'Content-Length: 20\r\n', '{}'],
    ['chunks', 'Transfer-Encoding: chunked\r\n', '5\r\n{}'],
  ])('is told that its body with %s is incomplete if the client ends it early', async (_name, header, body) => {
    const server = await startServer({ port: 0, auth: 'off' })
    onTestFinished(() => server.close())
    const socket = await openSocket(server.port)
    socket.end(`${post(header)}${body}`)
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('The request body ended before it was complete.')
  })
})

describe('a request line and headers of up to 64 KiB each', () => {
  it('are accepted', async () => {
    const send = await start({ auth: 'off' })
    const target = `GET /acme/resource?stringParameter=${'x'.repeat(65_000)} HTTP/1.1`
    const { status } = await send(line(target, `X-Long: ${'x'.repeat(65_000)}\r\nConnection: close\r\n`))
    expect(status).toBe(200)
  })
})

describe('an idle connection', () => {
  it('stays open for 75 seconds', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const response = await fetch(`${server.url}/acme/resource`)
    expect(response.headers.get('Keep-Alive')).toBe('timeout=75')
  })
})
