import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createServer, preview } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resourceMock } from '../../../src/vite.ts'
import { AUTHORIZED, createFolder, createQuietLogger, startDevServer } from './dev-server.ts'

describe('the mock under other servers of Vite', () => {
  it('is part of the preview server', async () => {
    const logger = createQuietLogger()
    const server = await preview({
      root: await createFolder(),
      configFile: false,
      customLogger: logger,
      plugins: [resourceMock({ scenario: 'empty' })],
      preview: { host: '127.0.0.1', port: 0 },
    })
    onTestFinished(() => server.close())
    const [local = ''] = server.resolvedUrls?.local ?? []
    const found = await fetch(`${local}api/acme/resource`, { headers: AUTHORIZED })
    expect(await found.json()).toMatchObject({ total: 0 })
    server.printUrls()
    expect(logger.lines.at(-1)).toBe(`  ➜  Mock:    ${local}api (scenario empty)`)
  })

  it('is part of another server in middleware mode', async () => {
    const vite = await createServer({
      root: await createFolder(),
      configFile: false,
      appType: 'custom',
      customLogger: createQuietLogger(),
      plugins: [resourceMock()],
      server: { middlewareMode: true, ws: false },
    })
    const server = createHttpServer(vite.middlewares).listen(0, '127.0.0.1')
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await vite.close()
    })
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
    const found = await fetch(`${url}/acme/resource?limit=1`, { headers: AUTHORIZED })
    expect(await found.json()).toMatchObject({ count: 1 })
    await expect(
      fetch(`${url}/acme/resource`, { headers: { ...AUTHORIZED, 'X-Mock-Scenario': 'offline' } }),
    ).rejects.toThrow(TypeError)
  })

  it('starts again when the server restarts', async () => {
    const { vite, url } = await startDevServer()
    const events = await fetch(`${url}/api/__admin/events`)
    await vite.restart()
    await expect(events.text()).rejects.toThrow(TypeError)
    const found = await fetch(`${url}/api/acme/resource`, { headers: AUTHORIZED })
    expect(found.status).toBe(200)
  })

  describe('over HTTP/2', () => {
    async function openSession() {
      const [cert, key] = await Promise.all(
        ['cert.pem', 'key.pem'].map((file) => readFile(new URL(`../cli/tls/${file}`, import.meta.url))),
      )
      const { url } = await startDevServer({}, { server: { https: { cert: cert ?? '', key: key ?? '' } } })
      const session = connect(url, { ca: cert ?? '' })
      onTestFinished(() => session.destroy())
      return (headers: Record<string, string>) =>
        session.request({ ':path': '/api/acme/resource?limit=1', authorization: 'Bearer any', ...headers })
    }

    it('answers', async () => {
      const send = await openSession()
      const [headers] = await once(send({}), 'response')
      expect(headers[':status']).toBe(200)
    })

    it.each([
      'EMPTY_RESPONSE',
      'MALFORMED_RESPONSE_CHUNK',
      'RANDOM_DATA_THEN_CLOSE',
      'CONNECTION_RESET_BY_PEER',
      'TRUNCATED_BODY',
    ])('breaks with %s', async (fault) => {
      const send = await openSession()
      const define = send({ ':method': 'PUT', ':path': '/api/__admin/scenarios/breaking' })
      define.end(JSON.stringify({ description: 'Breaks', rules: [{ effect: { fault } }] }))
      const [defined] = await once(define.resume(), 'response')
      expect(defined[':status']).toBe(201)
      await expect(once(send({ 'x-mock-scenario': 'breaking' }).resume(), 'end')).rejects.toThrow()
    })
  })
})
