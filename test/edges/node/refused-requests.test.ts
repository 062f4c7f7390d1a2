import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { ServerOptions } from '../../../src/node.ts'
import type { LogLine } from '../../../src/sessions/journal/record.ts'
import { openSocket, sendRaw } from '../../support/raw-request.ts'

const ORIGIN = 'http://localhost:5173'
const HEADERS = `Host: localhost\r\nOrigin: ${ORIGIN}\r\n`
const line = (text: string, more = '') => `${text}\r\n${HEADERS}${more}\r\n`
const post = (more: string) => line('POST /acme/resource HTTP/1.1', more)

interface Entry {
  readonly request: {
    readonly method: string
    readonly url: string
  }
  readonly response: { readonly status: number }
}

/** Starts a server and returns a function that sends bytes to it, and what it logged and recorded then. */
async function start(options: ServerOptions = {}) {
  const logged: LogLine[] = []
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
    'Methods are case-sensitive: send PATCH, not patch.',
    '-',
    '/',
  ],
  ['an unknown method', line('FOO /acme/resource HTTP/1.1'), 405, 'The request method is not known.', '-', '/'],
  ['text', 'HELO localhost\r\n\r\n', 400, 'Invalid method encountered.', '-', '/'],
  ['a raw character', line('GET /acme/resource?a=ü HTTP/1.1'), 400, 'Invalid char in url query.', '-', '/'],
  ['a list in Content-Length', post('Content-Length: 2, 2\r\n'), 400, 'Invalid character in Content-Length.', '-', '/'],
  ['a header name with a space', post('My Header: secret\r\n'), 400, 'Invalid header token.', '-', '/'],
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
    'headers over 1 MiB',
    line('GET /acme/resource HTTP/1.1', `X-Long: ${'x'.repeat(1_050_000)}\r\n`),
    431,
    'The request line or the headers exceed 64 KiB.',
    '-',
    '/',
  ],
  [
    'a request line over 64 KiB',
    line(`GET /acme/resource?a=${'x'.repeat(65_536)} HTTP/1.1`),
    414,
    'The request line exceeds 64 KiB.',
    'GET',
    `/acme/resource?a=${'x'.repeat(65_536)}`,
  ],
]

describe('a request that the server refuses', () => {
  it.each(refused)('is explained, logged and recorded: %s', async (_what, text, status, sentence, method, url) => {
    const send = await start()
    const answer = await send(text)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: status, message: expect.stringContaining(sentence) })
    const origin = method === '-' ? String.raw`\*` : ORIGIN
    expect(answer.head).toMatch(new RegExp(`\r\naccess-control-allow-origin: ${origin}\r\n`, 'i'))
    expect(answer.head.includes('\r\nallow: ')).toBe(status === 405)
    expect(answer.logged).toMatchObject([{ method, target: url, status, session: 'default' }])
    expect(answer.requests).toMatchObject([{ request: { method, url }, response: { status } }])
  })

  it.each([
    ['Host', line('GET /acme/resource HTTP/1.1').replace('localhost', 'me:s3cret@localhost')],
    ['target', line('GET ftp://me:s3cret@a.test/acme?access_token=s3cret HTTP/1.1')],
  ])('shows no user information of its %s', async (_what, text) => {
    const send = await start()
    const answer = await send(text)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer)).not.toContain('s3cret')
  })

  it.each(['off', 'https://shop.example.com'])('shows nothing to pages of any origin with --cors %s', async (cors) => {
    const send = await start({ cors })
    expect((await send(line('patch /acme/resource HTTP/1.1'))).head).not.toMatch(/access-control-allow-origin/i)
  })

  it('in the middle of its body gets CORS headers', async () => {
    const send = await start({ auth: 'off' })
    const { status, head, body } = await send(`${post('Transfer-Encoding: chunked\r\n')}zz\r\n`)
    expect(status).toBe(400)
    expect(head).toMatch(/access-control-allow-origin/i)
    expect(body).toContain('Invalid character in chunk size.')
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
    expect(answer).toContain('Invalid EOF state.')
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

describe('a request target in absolute form', () => {
  it('is served, and its authority replaces the Host header', async () => {
    const send = await start({ auth: 'off' })
    const answer = await send(
      line('GET HTTP://me:s3cret@a.test:80?access_token=s3cret HTTP/1.1', 'Connection: close\r\n'),
    )
    expect(answer.status).toBe(200)
    expect(answer.logged).toMatchObject([{ target: '/?access_token=[redacted]' }])
    expect(JSON.stringify(answer)).not.toContain('s3cret')
  })
})
