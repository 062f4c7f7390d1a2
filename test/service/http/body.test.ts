import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors.ts'
import { readBytes, decodeUtf8 } from '../../../src/service/http/body.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const LIMIT = 1000

/** A body in pieces that counts how many of them were read. */
function createChunks(chunk: Uint8Array, times: number) {
  let taken = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 1
      if (taken > times) controller.close()
      else controller.enqueue(chunk)
    },
  })
  return { stream, taken: () => taken }
}

/** Compresses with the platform; returns the bytes in one piece. */
async function compress(bytes: Uint8Array<ArrayBuffer>, format: 'gzip' | 'deflate') {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream(format))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://mock/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

async function statusOf(reading: Promise<unknown>): Promise<number> {
  const fault: unknown = await reading.then(
    () => undefined,
    (fault: unknown) => fault,
  )
  if (fault instanceof Problem) return fault.status
  throw fault ?? new Error('The body was read')
}

describe('readBytes', () => {
  it.each([
    ['without a declared length', {}],
    ['with a declared length', { 'Content-Length': '5' }],
    ['without an encoding', { 'Content-Encoding': 'identity' }],
  ])('reads a body %s', async (_case, headers) => {
    expect(decodeUtf8(await readBytes(post('hello', headers), LIMIT))).toBe('hello')
  })

  it('reads a body that arrives in pieces', async () => {
    const { stream } = createChunks(encode('abc'), 3)
    expect(decodeUtf8(await readBytes(post(stream), LIMIT))).toBe('abcabcabc')
  })

  it('reads nothing without a body', async () => {
    expect(await readBytes(post(null), LIMIT)).toHaveLength(0)
  })

  it.each(['hello', null])('reads the body %j if a browser does not stream it', async (body) => {
    const request = post(body)
    Object.defineProperty(request, 'body', { value: undefined })
    expect(decodeUtf8(await readBytes(request, LIMIT))).toBe(body ?? '')
  })

  it.each(['gzip', 'deflate', 'x-gzip', 'GZIP'] as const)('decompresses %s', async (name) => {
    const bytes = await compress(encode('hello'), name === 'deflate' ? 'deflate' : 'gzip')
    expect(decodeUtf8(await readBytes(post(bytes, { 'Content-Encoding': name }), LIMIT))).toBe('hello')
  })

  it('accepts a body of exactly the limit', async () => {
    expect(await readBytes(post(new Uint8Array(LIMIT)), LIMIT)).toHaveLength(LIMIT)
  })

  it.each([
    ['a declared length above the limit', post('x', { 'Content-Length': '1001' })],
    ['a body longer than declared', post(new Uint8Array(1001), { 'Content-Length': '10' })],
    ['a body of undeclared length above the limit', post(new Uint8Array(1001))],
  ])('refuses %s', async (_case, request) => {
    expect(await statusOf(readBytes(request, LIMIT))).toBe(413)
  })

  it('stops reading an endless body', async () => {
    const { stream, taken } = createChunks(new Uint8Array(400), Infinity)
    expect(await statusOf(readBytes(post(stream), LIMIT))).toBe(413)
    expect(taken()).toBeLessThan(10)
  })

  it('stops decompressing at the limit', async () => {
    const bomb = await compress(new Uint8Array(5_000_000), 'gzip')
    expect(bomb.byteLength).toBeLessThan(10_000)
    expect(await statusOf(readBytes(post(bomb, { 'Content-Encoding': 'gzip' }), 10_000))).toBe(413)
  })

  it('refuses an unknown encoding', async () => {
    expect(await statusOf(readBytes(post('x', { 'Content-Encoding': 'br' }), LIMIT))).toBe(415)
  })

  it.each([
    ['is not compressed', encode('hello')],
    ['is truncated', encode('')],
  ])('refuses a gzip body that %s', async (_case, bytes) => {
    const whole = await compress(encode('hello'), 'gzip')
    const body = bytes.length === 0 ? whole.slice(0, -6) : bytes
    expect(await statusOf(readBytes(post(body, { 'Content-Encoding': 'gzip' }), LIMIT))).toBe(400)
  })

  it('refuses a truncated body', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error('socket hang up'))
      },
    })
    expect(await statusOf(readBytes(post(broken), LIMIT))).toBe(400)
  })
})

describe('toText', () => {
  it('drops a byte order mark', () => {
    expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe('a')
  })

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a truncated character', [0xe2, 0x82]],
  ])('refuses %s', (_case, bytes) => {
    expect(() => decodeUtf8(new Uint8Array(bytes))).toThrow('Request body does not contain valid JSON.')
  })
})
