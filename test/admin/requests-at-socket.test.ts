import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import type { RunningServer } from '../../src/node/server.ts'

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
})

/** Sends lines as they are, and waits for the first that comes back. */
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
}

async function last(): Promise<Logged['request']> {
  const response = await fetch(`${server.url}/__admin/requests?limit=1`)
  const { requests } = (await response.json()) as { readonly requests: readonly Logged[] }
  return requests[0]?.request ?? expect.fail('the journal is empty')
}

describe('the journal of a server', () => {
  it('has headers as every reader of requests joins them', async () => {
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
    ['POST /acme/resource HTTP/1.1', '401 Unauthorized'],
    ['POST /acme/resourc HTTP/1.1', '404 Not Found'],
    ['PUT /acme/resource/1 HTTP/1.1', '405 Method Not Allowed'],
  ])('has the body of %s, which is refused unread', async (line, status) => {
    expect(await send([line, 'Host: localhost', 'Content-Length: 13', '', 'what was sent'])).toBe(`HTTP/1.1 ${status}`)
    expect((await last()).body).toBe('what was sent')
  })

  it('does not keep a client waiting that still owes its body', async () => {
    const lines = ['POST /acme/resourc HTTP/1.1', 'Host: localhost', 'Content-Length: 13', '', 'what']
    expect(await send(lines)).toBe('HTTP/1.1 404 Not Found')
    expect((await last()).body).toBe('')
  })
})
