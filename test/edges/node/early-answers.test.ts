import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MOST_DISCARDED } from '../../../src/edges/node/early-response.ts'
import { startServer } from '../../../src/node.ts'
import type { RunningServer, ServerOptions } from '../../../src/node.ts'
import { PATIENCE } from '../../support/patience.ts'
import { pick } from '../../support/thorough.ts'

const MEBIBYTE = 1024 * 1024

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

interface Upload {
  readonly path: string
  readonly type: string
  readonly size: number
  readonly isChunked?: boolean
  readonly isKeptAlive?: boolean
}

/**
 * Uploads like Node's own client: it keeps writing while the response arrives. Returns the status, or the code of the
 * error.
 */
function upload({ port }: RunningServer, { path, type, size, isChunked, isKeptAlive }: Upload) {
  return new Promise<number | string | undefined>((resolve) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      ...(isKeptAlive === true ? {} : { agent: false }),
      headers: {
        Authorization: 'Bearer any',
        'Content-Type': type,
        ...(isChunked === true ? {} : { 'Content-Length': size }),
      },
    })
    sent.on('error', (fault: NodeJS.ErrnoException) => resolve(fault.code))
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)))
    const piece = Buffer.alloc(65_536, 'a')
    let left = size
    function write(): void {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(left, piece.length))
        left -= next.length
        if (sent.write(next)) continue
        sent.once('drain', write)
        return
      }
      sent.end()
    }
    write()
  })
}

const IMAGES = '/acme/resource/images'
/** The outcome depends on which side is faster. */
const TRIES = pick(10, 3)

describe('a body that is not read to its end', () => {
  it.each<readonly [string, number, Upload]>([
    ['an image that is too large', 413, { path: IMAGES, type: 'image/png', size: 11 * MEBIBYTE }],
    [
      'a chunked image that is too large',
      413,
      { path: IMAGES, type: 'image/png', size: 11 * MEBIBYTE, isChunked: true },
    ],
    [
      'an image that is too large on a keep-alive connection',
      413,
      { path: IMAGES, type: 'image/png', size: 11 * MEBIBYTE, isChunked: true, isKeptAlive: true },
    ],
    ['a JSON body that is too large', 413, { path: '/acme/resource', type: 'application/json', size: 2 * MEBIBYTE }],
    [
      'a chunked JSON body that is too large',
      413,
      { path: '/acme/resource', type: 'application/json', size: 2 * MEBIBYTE, isChunked: true },
    ],
    ['a body of another media type', 415, { path: '/acme/resource', type: 'text/plain', size: 2 * MEBIBYTE }],
    [
      'a body for an unknown endpoint',
      404,
      { path: '/nowhere', type: 'text/plain', size: 2 * MEBIBYTE, isChunked: true },
    ],
    [
      'a form that is too large',
      413,
      {
        path: '/oauth/token',
        type: 'application/x-www-form-urlencoded',
        size: 2 * MEBIBYTE,
        isChunked: true,
        isKeptAlive: true,
      },
    ],
  ])('gets its response every time: %s', async (_case, status, one) => {
    const server = await start({ maxBody: 100_000 })
    const answers = []
    for (let tried = 0; tried < TRIES; tried += 1) answers.push(await upload(server, one))
    expect(answers).toEqual(Array.from({ length: TRIES }, () => status))
  })

  it('gets its response before it has arrived', async () => {
    const { port } = await start({ maxBody: 100 })
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(
      'POST /acme/resource HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer any\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    )
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    await vi.waitUntil(() => received.includes('\r\n\r\n{'), PATIENCE)
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    socket.write(`${' '.repeat(1000)}GET /acme/resource?limit=1 HTTP/1.1\r\nHost: mock\r\nConnection: close\r\n\r\n`)
    await once(socket, 'close')
    expect(received).toMatch(/\}HTTP\/1\.1 401 /)
  })

  it('is refused if it arrives in one piece with its head', async () => {
    const { port } = await start({ maxBody: 100 })
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const body = '{"objectTypeProperty":{}}'.padEnd(101)
    socket.write(
      `POST /acme/resource HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer any\r\nContent-Type: application/json\r\nContent-Length: 101\r\n\r\n${body}`,
    )
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('is not read indefinitely, and causes no warnings', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => void warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const server = await start({ maxBody: 100 })
    const size = MOST_DISCARDED * 4
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
    socket.resume()
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.write(
      `POST /acme/resource HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer any\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
    )
    const piece = Buffer.alloc(MEBIBYTE, 'a')
    for (let sent = 0; sent < size && !socket.destroyed; sent += piece.length) {
      if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
    await closed
    expect(socket.bytesWritten).toBeLessThan(size)
    expect(warnings).toEqual([])
  })
})
