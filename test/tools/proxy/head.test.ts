import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OperationId } from '../../../src/service/contract/endpoints.ts'
import { paths } from '../../../src/service/contract/paths.ts'
import { startServer, startServerOf } from '../../../src/edges/node/server.ts'
import { createHttpClient } from '../../../src/edges/node/http-client.ts'
import { createProxy } from '../../../src/tools/proxy/proxy.ts'
import { startUpstream } from './upstream.ts'

const ID = 'df3775a4-90ef-4965-b751-d48698f3949f'

/** Every operation that HEAD matches, with a path that exists in the service below. */
const HEADS = paths.flatMap(({ template, operations }) => {
  const id = operations.get('HEAD') ?? operations.get('GET')
  const path = template.replace('{projectKey}', 'acme').replace('{id}', ID).replace('{key}', 'chair')
  return id === undefined ? [] : [[id, path] as const]
})

const HEADERS = { Authorization: 'Bearer any', Accept: 'application/json', 'Storefront-Locale': 'de-DE' }

/** Starts a proxy on a socket. */
async function startProxyTo(upstream: string): Promise<string> {
  const server = await startServerOf((options) => createProxy({ ...options, upstream, client: createHttpClient() }), {
    port: 0,
  })
  onTestFinished(() => server.close())
  return server.url
}

/** Starts a mock on a socket, with a resource that has a key. */
async function startService(): Promise<string> {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const init = { method: 'POST', headers: { ...HEADERS, 'Content-Type': 'application/json' } }
  await fetch(`${server.url}/acme/resource`, { ...init, body: '{"key":"chair","objectTypeProperty":{}}' })
  return server.url
}

async function head(url: string) {
  const sent = request(url, { method: 'HEAD', headers: HEADERS }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const body = await buffer(response)
  return { status: response.statusCode, headers: response.headers, length: body.length }
}

/** The response of a service to HEAD for a missing resource. */
const MISSING =
  'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 240\r\n\r\n'

describe('HEAD through the proxy', () => {
  it.each(HEADS)('has no violations with 200: %s', async (operation: OperationId, path) => {
    const service = await startService()
    const [own, passed] = [await head(service + path), await head((await startProxyTo(service)) + path)]
    expect([passed.status, passed.headers['x-mock-operation'], passed.length]).toEqual([200, operation, 0])
    expect(passed.headers['sl-violations']).toBe('[]')
    expect(passed.headers['content-length']).toBe(own.headers['content-length'])
  })

  it.each(HEADS)('has no violations with 404: %s', async (_operation, path) => {
    const { url } = await startUpstream(MISSING)
    const { status, headers, length } = await head((await startProxyTo(url)) + path)
    expect([status, headers['content-length'], length]).toEqual([404, '240', 0])
    expect(headers['sl-violations']).toBe('[]')
  })

  it('has a violation with an undocumented status', async () => {
    const { url } = await startUpstream('HTTP/1.1 206 Partial Content\r\nContent-Length: 0\r\n\r\n')
    const { headers } = await head(`${await startProxyTo(url)}/acme/resource`)
    expect(headers['sl-violations']).toContain('expected a documented status (200, 400, 401, ')
  })
})
