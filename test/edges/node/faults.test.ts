import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { faultNames } from '../../../src/service/http/connection.ts'
import { startServer } from '../../../src/node.ts'
import type { LogLine, RunningServer, ServerOptions } from '../../../src/node.ts'
import { PATIENCE } from '../../support/patience.ts'

const PATH = '/acme/resource/namespace-action-with-example'
const get = (path = PATH, more = '') => `GET ${path} HTTP/1.1\r\nHost: mock\r\n${more}\r\n`

/** A scenario file whose one rule has an effect. */
const scenario = (effect: object, more: object = {}) =>
  JSON.stringify({ description: 'For a test', rules: [{ ...more, effect }] })

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, auth: 'off', ...options })
  onTestFinished(() => server.close())
  return server
}

const startWith = (effect: object, more: object = {}, options: ServerOptions = {}) =>
  start({ scenarios: { 'test.json': scenario(effect, more) }, scenario: 'test', ...options })

interface Client {
  readonly socket: Socket
  /** All received data, once the connection is closed; `code` is that of the error that closed it. */
  readonly ended: Promise<{ readonly text: string; readonly code: string | undefined }>
  received(): string
}

function watch(socket: Socket): Client {
  const chunks: Buffer[] = []
  let code: string | undefined
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', (fault: NodeJS.ErrnoException) => {
    code = fault.code
  })
  onTestFinished(() => void socket.destroy())
  const received = () => Buffer.concat(chunks).toString('latin1')
  const ended = new Promise<Awaited<Client['ended']>>((resolve) => {
    socket.once('close', () => resolve({ text: received(), code }))
  })
  return { socket, received, ended }
}

async function send({ port }: RunningServer, text: string): Promise<Client> {
  const client = watch(connect(port, '127.0.0.1'))
  client.socket.write(text)
  await once(client.socket, 'connect')
  return client
}

const exchange = async (server: RunningServer, text = get()) => (await send(server, text)).ended

/** The journal of the mock so far, including a request that is held without a response. */
async function readJournal({ mock }: RunningServer): Promise<readonly unknown[]> {
  const response = await mock.fetch('http://mock/__admin/requests')
  return ((await response.json()) as { readonly requests: readonly unknown[] }).requests
}

/** The body of a chunked response, in its received pieces. */
function parseChunks(text: string): readonly string[] {
  const chunks: string[] = []
  let rest = text.slice(text.indexOf('\r\n\r\n') + 4)
  for (;;) {
    const size = Number.parseInt(rest, 16)
    if (!(size > 0)) return chunks
    const begin = rest.indexOf('\r\n') + 2
    chunks.push(rest.slice(begin, begin + size))
    rest = rest.slice(begin + size + 2)
  }
}

describe('over a socket', () => {
  it('CONNECTION_RESET_BY_PEER is a reset', async () => {
    expect(await exchange(await startWith({ fault: 'CONNECTION_RESET_BY_PEER' }))).toEqual({
      text: '',
      code: 'ECONNRESET',
    })
  })

  it.each(['CONNECTION_RESET_BEFORE_OPERATION', 'CONNECTION_RESET_AFTER_OPERATION'])(
    '%s is a reset after an interim response, so that browsers do not send the request again',
    async (fault) => {
      const { text } = await exchange(await startWith({ fault }))
      expect(text).toBe('HTTP/1.1 102 Processing\r\n\r\n')
    },
  )

  it.each([
    ['CONNECTION_RESET_BEFORE_OPERATION', 0],
    ['CONNECTION_RESET_AFTER_OPERATION', 1],
  ])('%s makes fetch reject, and %i resources are created', async (fault, count) => {
    const { url, mock } = await startWith({ fault }, { match: { operation: 'createResource' } })
    const body = JSON.stringify({ key: 'linen-shirt', objectTypeProperty: {} })
    const headers = { 'Content-Type': 'application/json' }
    await expect(fetch(`${url}/acme/resource`, { method: 'POST', body, headers })).rejects.toThrow('fetch failed')
    const response = await mock.fetch('/acme/resource/key=linen-shirt')
    expect(response.status).toBe(count === 1 ? 200 : 404)
  })

  it('CONNECTION_RESET_AFTER_OPERATION does not replace the error response of a refused operation', async () => {
    const { url } = await startWith({ fault: 'CONNECTION_RESET_AFTER_OPERATION' })
    const response = await fetch(`${url}/acme/resource/key=missing`)
    expect(response.status).toBe(404)
  })

  it('EMPTY_RESPONSE closes without a byte, and without a reset', async () => {
    expect(await exchange(await startWith({ fault: 'EMPTY_RESPONSE' }))).toEqual({ text: '', code: undefined })
  })

  it('EMPTY_RESPONSE reads the whole request first, so that it does not reset', async () => {
    const server = await startWith({ fault: 'EMPTY_RESPONSE' })
    const body = 'x'.repeat(5_000_000)
    const head = `POST /acme/resource HTTP/1.1\r\nHost: mock\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    expect(await exchange(server, head + body)).toEqual({ text: '', code: undefined })
  })

  it('RANDOM_DATA_THEN_CLOSE is not HTTP', async () => {
    const { text, code } = await exchange(await startWith({ fault: 'RANDOM_DATA_THEN_CLOSE' }))
    expect(code).toBeUndefined()
    expect(text).not.toBe('')
    expect(text).not.toContain('HTTP/1.1')
  })

  it('MALFORMED_RESPONSE_CHUNK is a valid head and a chunk without a size', async () => {
    const { text, code } = await exchange(await startWith({ fault: 'MALFORMED_RESPONSE_CHUNK' }))
    expect(code).toBeUndefined()
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toMatch(/\r\nTransfer-Encoding: chunked\b/i)
    expect(head).toMatch(/\r\nX-Mock-Scenario: test\b/i)
    expect(body).not.toMatch(/^[0-9a-f]/i)
    expect(body).not.toBe('')
  })

  it('TRUNCATED_BODY is the head of the real response, and half of its body', async () => {
    const whole = await (await fetch(`${(await start()).url}${PATH}`)).text()
    const { text, code } = await exchange(await startWith({ fault: 'TRUNCATED_BODY' }))
    expect(code).toBeUndefined()
    const end = text.indexOf('\r\n\r\n')
    expect(text.slice(0, end)).toMatch(new RegExp(`\\r\\nContent-Length: ${Buffer.byteLength(whole)}\\b`, 'i'))
    expect(text.slice(end + 4)).toBe(whole.slice(0, Math.floor(whole.length / 2)))
  })

  it('TRUNCATED_BODY does not affect HEAD, which has no body', async () => {
    const { text } = await exchange(await startWith({ fault: 'TRUNCATED_BODY' }), get().replace('GET', 'HEAD'))
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/)
  })

  it.each<readonly [string, string]>([
    ['CONNECTION_RESET_BY_PEER', 'ECONNRESET'],
    ['EMPTY_RESPONSE', 'UND_ERR_SOCKET'],
    ['RANDOM_DATA_THEN_CLOSE', 'HPE_INVALID_CONSTANT'],
  ])('%s makes fetch reject with %s', async (fault, code) => {
    const { url } = await startWith({ fault })
    await expect(fetch(url + PATH)).rejects.toMatchObject({ message: 'fetch failed', cause: { code } })
  })

  it.each<readonly [string, string]>([
    ['MALFORMED_RESPONSE_CHUNK', 'HPE_INVALID_CHUNK_SIZE'],
    ['TRUNCATED_BODY', 'UND_ERR_SOCKET'],
  ])('%s makes reading the body reject with %s', async (fault, code) => {
    const { url } = await startWith({ fault })
    const response = await fetch(url + PATH)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toMatchObject({ message: 'terminated', cause: { code } })
  })

  it.each(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE', 'MALFORMED_RESPONSE_CHUNK', 'TRUNCATED_BODY'])(
    '%s also ends a keep-alive connection',
    async (fault) => {
      const server = await startWith({ fault }, { after: 1 })
      const client = await send(server, get())
      await vi.waitUntil(() => client.received().includes('"cartId"'), PATIENCE)
      const before = client.received().length
      client.socket.write(get())
      const { text } = await client.ended
      expect(text.slice(before).split('\r\n')[0]).toBe(
        fault === 'CONNECTION_RESET_BY_PEER' || fault === 'EMPTY_RESPONSE' ? '' : 'HTTP/1.1 200 OK',
      )
    },
  )

  it('a fault waits its turn: earlier pipelined requests are answered first', async () => {
    const slow = scenario({ delay: { fixedDelayMilliseconds: 50 } }, { match: { headers: { 'X-Slow': '*' } } })
    const cut = scenario({ fault: 'EMPTY_RESPONSE' }, { match: { headers: { 'X-Cut': '*' } } })
    const server = await start({ scenarios: { 'slow.json': slow, 'cut.json': cut }, scenario: ['slow', 'cut'] })
    const { text } = await exchange(server, get(PATH, 'X-Slow: 1\r\n') + get(PATH, 'X-Cut: 1\r\n'))
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1)
    expect(text).toMatch(/\}$/)
  })

  it('over TLS a reset is an end without a response', async () => {
    const tlsFile = (name: string) => readFile(new URL(`../cli/tls/${name}.pem`, import.meta.url), 'utf8')
    const [cert, key] = await Promise.all([tlsFile('cert'), tlsFile('key')])
    const server = await startWith({ fault: 'CONNECTION_RESET_BY_PEER' }, {}, { tls: { cert, key } })
    const client = watch(connectSecurely({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false }))
    client.socket.write(get())
    expect((await client.ended).text).toBe('')
  })

  it.each([false, true])('is the same with lightweight globals: %s', async (lightweightGlobals) => {
    const before = [globalThis.Request, globalThis.Response] as const
    onTestFinished(() => void Object.assign(globalThis, { Request: before[0], Response: before[1] }))
    const server = await startWith({ fault: 'EMPTY_RESPONSE' }, { match: { body: { a: 1 } } }, { lightweightGlobals })
    const post = (body: string) =>
      `POST /acme/resource/namespace-action HTTP/1.1\r\nHost: mock\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    expect((await exchange(server, post('{"a":1,"b":2}'))).text).toBe('')
    expect((await exchange(server, post('{"a":2,"b":2}'))).text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"a":2,"b":2\}$/)
  })

  describe.each([false, true])('with lightweight globals: %s', (lightweightGlobals) => {
    it.each(faultNames)('%s is not an error of the mock, and the journal has what was sent', async (fault) => {
      const before = [globalThis.Request, globalThis.Response] as const
      onTestFinished(() => void Object.assign(globalThis, { Request: before[0], Response: before[1] }))
      const onFault = vi.fn()
      const server = await startWith({ fault }, {}, { lightweightGlobals, onFault })
      const head = 'Host: mock\r\nContent-Type: application/json\r\nContent-Length: 7\r\n'
      const client = await send(server, `POST /acme/resource/namespace-action HTTP/1.1\r\n${head}\r\n{"a":1}`)
      await vi.waitUntil(async () => (await readJournal(server)).length > 0, PATIENCE)
      expect(await readJournal(server)).toMatchObject([
        { request: { body: '{"a":1}' }, response: { status: 0, fault } },
      ])
      if (fault !== 'TIMEOUT') await client.ended
      await server.close()
      expect(onFault).not.toHaveBeenCalled()
    })
  })

  it('logs that there was no response, and reports no error', async () => {
    const entries: LogLine[] = []
    const onFault = vi.fn()
    const server = await startWith(
      { fault: 'EMPTY_RESPONSE' },
      {},
      { onRequest: (entry) => entries.push(entry), onFault },
    )
    await exchange(server)
    await vi.waitUntil(() => entries.length > 0, PATIENCE)
    expect(entries).toMatchObject([{ status: 0, operation: 'getActionWithExample', scenarios: ['test'] }])
    expect(onFault).not.toHaveBeenCalled()
  })
})

describe('TIMEOUT', () => {
  it('stalls until the client disconnects', async () => {
    const entries: LogLine[] = []
    const note = (entry: LogLine): void => {
      if (entry.target === PATH) entries.push(entry)
    }
    const server = await startWith({ fault: 'TIMEOUT' }, {}, { onRequest: note })
    const leaving = new AbortController()
    const stalled = fetch(server.url + PATH, { signal: leaving.signal })
    await vi.waitUntil(async () => (await readJournal(server)).length > 0, PATIENCE)
    leaving.abort(new DOMException('The client has waited long enough.', 'TimeoutError'))
    await expect(stalled).rejects.toMatchObject({ name: 'TimeoutError' })
    await vi.waitUntil(() => entries.length > 0, PATIENCE)
    expect(entries).toMatchObject([{ status: 0, scenarios: ['test'] }])
  })

  it('does not keep the server from closing', async () => {
    const server = await startWith({ fault: 'TIMEOUT' }, { match: { query: { stall: '*' } } })
    const stalled = await send(server, get(`${PATH}?stall=1`))
    await fetch(server.url + PATH)
    await server.close()
    expect((await stalled.ended).text).toBe('')
  })

  it('does not keep the server from closing, even if it starts during the close', async () => {
    const stall = scenario({ fault: 'TIMEOUT' })
    const late = scenario({ delay: { fixedDelayMilliseconds: 50 } })
    const server = await start({ scenarios: { 'late.json': late, 'stall.json': stall }, scenario: ['late', 'stall'] })
    const stalled = await send(server, get())
    const probe = fetch(server.url + PATH, { headers: { 'X-Mock-Scenario': 'none' } })
    expect((await probe).status).toBe(200)
    await server.close()
    expect((await stalled.ended).text).toBe('')
  })
})

describe('chunkedDribbleDelay', () => {
  it.each([1, 5, 40])('sends the body in %i pieces', async (numberOfChunks) => {
    const server = await startWith({ chunkedDribbleDelay: { numberOfChunks, totalDuration: 80 } })
    const { text } = await exchange(server, get(PATH, 'Connection: close\r\n'))
    const chunks = parseChunks(text)
    expect(chunks).toHaveLength(numberOfChunks)
    expect(chunks.join('')).toBe(await (await fetch(`${(await start()).url}${PATH}`)).text())
  })

  it('sends a body with fewer bytes than pieces byte by byte', async () => {
    const server = await startWith({ chunkedDribbleDelay: { numberOfChunks: 50, totalDuration: 40 } })
    await fetch(`${server.url}/acme/resource/namespace-action`, {
      method: 'POST',
      body: '[1,2]',
      headers: { 'Content-Type': 'application/json' },
    })
    const { text } = await exchange(server, get('/acme/resource/namespace-action', 'Connection: close\r\n'))
    expect(parseChunks(text)).toEqual(['[', '1', ',', '2', ']'])
  })
})

describe('a client that disconnects', () => {
  it.each<readonly [string, object]>([
    ['a delay', { delay: { fixedDelayMilliseconds: 60_000 } }],
    ['a dribble', { chunkedDribbleDelay: { numberOfChunks: 2, totalDuration: 60_000 } }],
    ['a timeout', { fault: 'TIMEOUT' }],
  ])('during %s leaves nothing that keeps the server open', async (_what, effect) => {
    const entries: LogLine[] = []
    const server = await startWith(effect, {}, { onRequest: (entry) => entries.push(entry) })
    const client = await send(server, get())
    await fetch(server.url + PATH, { headers: { 'X-Mock-Scenario': 'none' } })
    client.socket.resetAndDestroy()
    await client.ended
    await vi.waitUntil(() => entries.length === 2, PATIENCE)
    await server.close()
  })
})
