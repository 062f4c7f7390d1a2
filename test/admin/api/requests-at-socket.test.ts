import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import type { RunningServer } from '../../../src/edges/node/server.ts'

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
})

/** Sends lines unchanged, and waits for the first line of the response. */
async function send(lines: readonly string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(lines.join('\r\n'))
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString('latin1').split('\r\n')[0] ?? ''
}

interface Logged {
  readonly request: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly clientIp: string
  }
  readonly response: { readonly headers: Readonly<Record<string, string>> }
}

async function lastExchange(): Promise<Logged> {
  const response = await fetch(`${server.url}/__admin/requests?limit=1`)
  const { requests } = (await response.json()) as { readonly requests: readonly Logged[] }
  return requests[0] ?? expect.fail('the journal is empty')
}

const last = async (): Promise<Logged['request']> => (await lastExchange()).request

describe('the journal of a server', () => {
  it('joins headers as all other readers of requests do', async () => {
    const lines = [
      'GET /acme/resource HTTP/1.1',
      'Host: localhost',
      'X-A: 1',
      'x-a: 2',
      'Cookie: a=1',
      'Cookie: b=2',
      '',
      '',
    ]
    expect(await send(lines)).toBe('HTTP/1.1 401 Unauthorized')
    const { headers, clientIp } = await last()
    expect(headers).toEqual({ host: 'localhost', 'x-a': '1, 2', cookie: 'a=[redacted]; b=[redacted]' })
    expect(clientIp).toBe('127.0.0.1')
  })

  it.each([
    ['a body', '/acme/resource'],
    ['a non-ASCII body', '/acme/resource/%E2%98%95'],
  ])('has the length of %s as it was sent', async (_what, path) => {
    const response = await fetch(server.url + path, { headers: { Authorization: 'Bearer any' } })
    const { byteLength } = await response.arrayBuffer()
    expect(byteLength).toBeGreaterThan(0)
    expect(response.headers.get('Content-Length')).toBe(String(byteLength))
    expect((await lastExchange()).response.headers['content-length']).toBe(String(byteLength))
  })

  it('keeps the headers of a later exchange with fewer of them apart', async () => {
    const ask = (path: string) => fetch(server.url + path, { headers: { Authorization: 'Bearer any' } })
    for (const path of ['/acme/resource', '/acme/resource/none', '/acme/resource']) {
      const response = await ask(path)
      await response.arrayBuffer()
      const { headers } = (await lastExchange()).response
      expect(headers['x-correlation-id']).toBe(response.headers.get('X-Correlation-ID'))
      expect(Object.keys(headers).every((name) => response.headers.get(name) === headers[name])).toBe(true)
    }
  })

  it.each([
    ['POST /acme/resource HTTP/1.1', '401 Unauthorized'],
    ['POST /acme/resourc HTTP/1.1', '404 Not Found'],
    ['PUT /acme/resource/1 HTTP/1.1', '405 Method Not Allowed'],
  ])('has the body of %s, which is refused unread', async (line, status) => {
    expect(await send([line, 'Host: localhost', 'Content-Length: 13', '', 'what was sent'])).toBe(`HTTP/1.1 ${status}`)
    expect((await last()).body).toBe('what was sent')
  })

  it('does not delay a response until an incomplete body arrives', async () => {
    const lines = ['POST /acme/resourc HTTP/1.1', 'Host: localhost', 'Content-Length: 13', '', 'what']
    expect(await send(lines)).toBe('HTTP/1.1 404 Not Found')
    expect((await last()).body).toBe('')
  })
})
