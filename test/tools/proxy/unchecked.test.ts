import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import { createHttpClient } from '../../../src/edges/node/http-client.ts'
import { TABLE, startProxy } from './proxying.ts'
import { startUpstream } from './upstream.ts'

afterEach(() => vi.restoreAllMocks())

const TAKEN = '{"version":2,"objectTypeProperty":{},"kept":true}'
const OK = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${TAKEN.length}\r\n\r\n${TAKEN}`

/** Starts a proxy in front of a service that accepts everything. */
async function startBoth(options: Parameters<typeof startProxy>[1] = {}, answer = OK) {
  const { url, received } = await startUpstream(answer)
  const parts = { upstream: url, client: createHttpClient(), ...options }
  return { ...(await startProxy(() => Response.error(), parts)), received }
}

/** Operations that accept a body, each with its own path. */
const TAKERS = operationIds.filter((id) => {
  const { body }: Endpoint = endpoints[id]
  return body !== undefined
})

interface Taken {
  readonly what: string
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly encoding?: string
}

const BODIES: readonly Taken[] = [
  { what: 'bytes', type: 'application/octet-stream', body: new Uint8Array([0, 255, 10, 13]) },
  { what: 'an invalid image', type: 'image/png', body: new Uint8Array([137, 80, 78]) },
  { what: 'nothing', type: 'application/json', body: new Uint8Array() },
  { what: 'broken JSON', type: 'application/json', body: new TextEncoder().encode('{"version":1,"actions":[') },
  { what: 'JSON of another shape', type: 'application/json', body: new TextEncoder().encode('[null]') },
  {
    what: 'members of other types',
    type: 'application/json',
    body: new TextEncoder().encode('{"version":"1","actions":{"a":1}}'),
  },
  { what: 'deep JSON', type: 'application/json', body: new TextEncoder().encode('['.repeat(200_000)) },
  { what: 'text that is not UTF-8', type: 'application/json', body: new Uint8Array([0xc3, 0x28]) },
  { what: 'what is not gzip', type: 'application/json', body: new TextEncoder().encode('{}'), encoding: 'gzip' },
  { what: 'an unknown encoding', type: 'application/json', body: new TextEncoder().encode('{}'), encoding: 'secret' },
  { what: 'gzip of nothing sound', type: 'application/json', body: new Uint8Array(gzipSync('{')), encoding: 'gzip' },
]

describe('content that the contract refuses and the service accepts', () => {
  describe.each(TAKERS)('%s', (operation) => {
    const { method, path } = endpoints[operation]
    const target = path.replaceAll(/\{\w+\}/g, 'acme')

    it.each(BODIES)('is relayed unchanged, and so is the response: $what', async ({ type, body, encoding }) => {
      const { ask, received } = await startBoth()
      const headers = { 'Content-Type': type, ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }) }
      const reply = await ask(method, target, { headers, body })
      expect([reply.status, reply.text]).toEqual([200, TAKEN])
      expect(received).toEqual([expect.objectContaining({ line: `${method} ${target}` })])
      expect(received[0]?.body.equals(body)).toBe(true)
    })
  })

  it('is a violation', async () => {
    const { ask } = await startBoth()
    const { status, violations } = await ask('POST', TABLE, {
      headers: { 'Content-Type': 'application/octet-stream' },
      body: 'any',
    })
    expect([status, violations]).toEqual([200, expect.arrayContaining(['Error request.headers.Content-Type'])])
  })

  it.each([
    ['deep', '['.repeat(200_000)],
    ['broken', '{"version":'],
    ['not UTF-8', '\xff\xfe'],
  ])('may be in the response: %s JSON', async (_what, text) => {
    const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
    const { proxy } = await startBoth({}, answer)
    const response = await proxy.fetch(new Request(`http://proxy${TABLE}`))
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toBe(text)
    expect(response.headers.get('Sl-Violations')).toContain('UnexpectedBody')
  })
})

describe('an internal error of the proxy', () => {
  it.each([
    ['the check of the answer', 'responses', 'Warning response', '{"version":1,"actions":[]}'],
    ['the check of the request', 'query', 'Warning request', '{"version":"1"}'],
  ] as const)('loses no bytes on either side, and is logged: %s', async (_what, part, violation, body) => {
    const onFault = vi.fn()
    const { ask, received } = await startBoth({ onFault })
    // A check may fail in any way: here, part of the table is unreadable.
    vi.spyOn(endpoints.updateResource, part, 'get').mockImplementation(fail)
    const headers = { 'Content-Type': 'application/json' }
    const { status, text, violations } = await ask('POST', TABLE, { headers, body })
    expect([status, text]).toEqual([200, TAKEN])
    expect(violations).toContain(violation)
    expect(received[0]?.body.toString()).toBe(body)
    expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ message: 'spoilt' }), expect.any(String))
  })

  it('loses no bytes on either side, and is logged: the recording', async () => {
    const onFault = vi.fn()
    const { ask } = await startBoth({ onFault, recorder: { see: fail, flush: async () => undefined } })
    const { status, text } = await ask('GET', TABLE)
    expect([status, text]).toEqual([200, TAKEN])
    expect(onFault).toHaveBeenCalledOnce()
  })
})

function fail(): never {
  throw new TypeError('spoilt')
}

describe('a conditional request', () => {
  it.each([
    ['If-None-Match', 304, ['D5 response.status']],
    ['If-Modified-Since', 304, ['D5 response.status']],
    ['If-Match', 412, ['D5 response.status']],
    ['X-Other', 304, ['Error response.status']],
    ['If-None-Match', 418, ['Errors response.status']],
  ])('with %s may get %i, and causes at most a difference', async (name, status, expected) => {
    const { ask } = await startBoth({}, `HTTP/1.1 ${status} Odd\r\nETag: "1"\r\nContent-Length: 0\r\n\r\n`)
    const reply = await ask('GET', TABLE, { headers: { [name]: '"1"' } })
    expect([reply.status, [...reply.violations, ...reply.differences]]).toEqual([status, expected])
  })
})
