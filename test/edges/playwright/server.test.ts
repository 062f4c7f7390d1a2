import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../../src/node.ts'
import type { ServerOptions } from '../../../src/node.ts'
import { createPageMock } from '../../../src/edges/playwright/page-mock.ts'
import { useServer } from '../../../src/edges/playwright/server.ts'
import type { MockServer, MockServerOptions, ServerChoice } from '../../../src/edges/playwright/server.ts'
import { createTemporaryFolder } from '../cli/temporary-folder.ts'
import { listen } from '../../support/listen.ts'

const NOTHING: ServerChoice = {
  mockUrl: undefined,
  mockAdminToken: undefined,
  mockOptions: undefined,
  root: import.meta.dirname,
}

const useNothing = async (): Promise<void> => {}

/** The mock of a test's page, at a server that stands in for it. */
async function connect(server: Server) {
  const url = `http://127.0.0.1:${await listen(server)}`
  const parts = { server: { url }, name: 'one', baseURL: undefined, sessionBy: 'cookie' } as const
  return createPageMock({ ...parts, ignoresHttpsErrors: undefined })
}

describe('the mock of a worker', () => {
  it('is started for the worker and stops with it', async () => {
    let url = ''
    await useServer({ ...NOTHING, mockOptions: { adminToken: 'secret' } }, async (server) => {
      url = server.url
      expect(server).toEqual({ url, adminToken: 'secret' })
      expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
    })
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
  })

  it('stops even if the worker fails', async () => {
    let url = ''
    const using = useServer(NOTHING, async (server) => {
      url = server.url
      throw new Error('The worker failed.')
    })
    await expect(using).rejects.toThrow('The worker failed.')
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
  })

  it('is the running one, which keeps running afterward', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const use = vi.fn<(given: MockServer) => Promise<void>>(useNothing)
    await useServer({ ...NOTHING, mockUrl: `${server.url}/` }, use)
    expect(use).toHaveBeenCalledWith({ url: server.url, adminToken: undefined })
    expect((await fetch(`${server.url}/__admin/health`)).status).toBe(200)
  })

  it.each<[string, Partial<ServerChoice>, string]>([
    ['an address without a mock', { mockUrl: 'http://127.0.0.1:1' }, 'No mock responds at http://127.0.0.1:1'],
    ['an invalid URL', { mockUrl: 'localhost' }, '"localhost" is not the URL of a mock'],
    ['a mock with a missing fixtures folder', { mockOptions: { fixtures: 'nowhere' } }, 'mockOptions.fixtures is "'],
  ])('cannot be %s', async (_what, choice, message) => {
    await expect(useServer({ ...NOTHING, ...choice }, useNothing)).rejects.toThrow(message)
  })

  it('may have any certificate if Playwright ignores HTTPS errors', async () => {
    const [cert = '', key = ''] = await Promise.all(
      ['cert', 'key'].map((name) => readFile(join(import.meta.dirname, `../cli/tls/${name}.pem`), 'utf8')),
    )
    const server = await startServer({ port: 0, tls: { cert, key } })
    onTestFinished(() => server.close())
    const choice = { ...NOTHING, mockUrl: server.url }
    const parts = { server, name: 'one', baseURL: undefined, sessionBy: 'cookie', ignoresHttpsErrors: true } as const
    await useServer({ ...choice, ignoresHttpsErrors: true }, useNothing)
    // A file may ignore them with `test.use`, so only the requests of a test fail.
    await useServer({ ...choice, mockOptions: {} }, useNothing)
    const strict = createPageMock({ ...parts, ignoresHttpsErrors: false })
    await expect(strict.seed([])).rejects.toThrow('is not trusted')
    const mock = createPageMock(parts)
    await mock.seed([{ key: 'mine', objectTypeProperty: {} }])
    const response = await mock.fetch('/acme/resource', { headers: { Authorization: 'Bearer any' } })
    expect(await response.json()).toMatchObject({ results: [{ key: 'mine' }] })
    expect(await mock.share()).toContain('<!doctype html>')
    await mock.retire()
  })

  it('gets what a test reports over one connection', async () => {
    let connections = 0
    const sent: string[] = []
    const stub = createServer((request, response) => {
      sent.push(`${request.method} ${request.url}`)
      request.resume().once('end', () => response.end('{ "requests": 0 }'))
    }).on('connection', () => {
      connections += 1
    })
    const mock = await connect(stub)
    const test = { run: 'nightly', title: ['passes'], file: 'a.spec.ts', line: 1 }
    await mock.start(test, undefined)
    const outcome = { status: 'passed', duration: 1 } as const
    const ended = await mock.end(test, { outcome, needsCoverage: false, keepsSession: false })
    expect(ended).toMatchObject({ hasRequests: false, isRetired: true })
    expect(sent).toEqual(Array.from({ length: 2 }, () => 'PUT /__admin/sessions/one/test'))
    expect(connections).toBe(1)
  })

  it('may be behind a proxy that redirects its requests', async () => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const proxy = createServer(({ url }, response) => {
      response.writeHead(308, { Location: `${server.url}${url}` }).end()
    })
    const mock = await connect(proxy)
    await mock.seed([{ key: 'mine', objectTypeProperty: {} }])
    const headers = { Authorization: 'Bearer any' }
    const response = await server.mock.session('one').fetch('/acme/resource', { headers })
    expect(await response.json()).toMatchObject({ results: [{ key: 'mine' }] })
  })

  it('is the running one if its options match', async () => {
    const texts = { 'resources.json': '[]' }
    const options: ServerOptions = {
      auth: 'strict',
      scenario: ['slow', 'flaky'],
      delay: { from: 1, to: 2 },
      generate: 0,
    }
    const server = await startServer({ port: 0, ...options, fixtures: texts, tokenSecret: 'hush', adminToken: 'hush' })
    onTestFinished(() => server.close())
    const fixtures = await createTemporaryFolder({ 'resources.json': '[]' })
    const choice = { ...NOTHING, mockUrl: server.url, mockAdminToken: 'hush' }
    const use = vi.fn<(given: MockServer) => Promise<void>>(useNothing)
    await useServer({ ...choice, mockOptions: { ...options, fixtures: texts } }, use)
    await useServer({ ...choice, mockOptions: { ...options, scenario: 'slow,flaky', fixtures } }, use)
    expect(use).toHaveBeenCalledTimes(2)
  })

  it.each<[ServerOptions, MockServerOptions, string]>([
    [{ auth: 'off' }, {}, 'auth is "off" instead of the default'],
    [{}, { auth: 'strict', seed: 7 }, 'auth is the default instead of "strict"; seed is the default instead of 7'],
    [{ scenario: 'slow' }, { scenario: 'flaky' }, 'scenario is ["slow"] instead of ["flaky"]'],
    [{ clock: '2026-01-31T12:00:00Z' }, {}, 'clock is "2026-01-31T12:00:00.000Z" instead of the default'],
    [{ fixtures: { 'resources.json': '[]' } }, {}, 'its fixtures are other files'],
    [{}, { fixtures: { 'resources.json': '[]' } }, 'its fixtures are the built-in ones'],
    [
      { scenarios: { 'a.json': '{"description":"A","rules":[{"effect":{"delay":{"fixedDelayMilliseconds":1}}}]}' } },
      {},
      'its scenarios are other files',
    ],
  ])('is rejected if it was started with %j and %j is expected', async (options, mockOptions, differences) => {
    const server = await startServer({ port: 0, ...options })
    onTestFinished(() => server.close())
    await expect(useServer({ ...NOTHING, mockUrl: server.url, mockOptions }, useNothing)).rejects.toThrow(
      `The mock at ${server.url} does not match mockOptions: ${differences}. Perhaps it was already running, and reuseExistingServer reused it. Stop it, use another port, or correct mockOptions.`,
    )
  })

  it('requires its admin token', async () => {
    const server = await startServer({ port: 0, adminToken: 'secret' })
    onTestFinished(() => server.close())
    const choice = { ...NOTHING, mockUrl: server.url }
    await expect(useServer(choice, useNothing)).rejects.toThrow('The admin API requires a token.')
    await useServer({ ...choice, mockAdminToken: 'secret' }, useNothing)
  })
})
