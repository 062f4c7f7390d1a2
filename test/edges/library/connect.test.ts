import { createServer } from 'node:http'
import { setupServer } from 'msw/node'
import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SetupError, connectMock } from '../../../src/index.ts'
import { startServer } from '../../../src/node.ts'
import { listen } from '../../support/listen.ts'

async function start(adminToken?: string) {
  const server = await startServer({ port: 0, auth: 'off', ...(adminToken === undefined ? {} : { adminToken }) })
  onTestFinished(() => server.close())
  return server
}

describe('connectMock', () => {
  it('shares the sessions of a server with all other clients of it', async () => {
    const { url, mock } = await start()
    await connectMock(url).session('shared').use('not-found')
    const response = await mock.session('shared').fetch('/acme/resource/key=any-key')
    expect(response.headers.get('X-Mock-Scenario')).toBe('not-found')
  })

  it.each([
    ['not a URL', 'is not the URL of a mock'],
    ['ftp://mock', 'is not the URL of a mock'],
    ['http://mock/@one', 'names a session'],
  ])('refuses the address %s', (url, sentence) => {
    expect(() => connectMock(url)).toThrow(SetupError)
    expect(() => connectMock(url)).toThrow(sentence)
  })

  it('reports if no mock responds', async () => {
    const session = connectMock('http://127.0.0.1:1').session('one')
    await expect(session.reset()).rejects.toThrow(
      'No mock responds at http://127.0.0.1:1 (bad port). Start one with resource-mock,',
    )
  })

  it('reports a certificate that Node does not trust', async () => {
    const [cert = '', key = ''] = await Promise.all(
      ['cert', 'key'].map((name) => readFile(new URL(`../cli/tls/${name}.pem`, import.meta.url), 'utf8')),
    )
    const server = await startServer({ port: 0, tls: { cert, key } })
    onTestFinished(() => server.close())
    await expect(connectMock(server.url).session('one').reset()).rejects.toThrow(
      `The certificate of the mock at ${server.url} is not trusted (self-signed certificate). Set the environment variable NODE_EXTRA_CA_CERTS`,
    )
  })

  it('reports that MSW refused the request', async () => {
    const msw = setupServer()
    msw.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => msw.close())
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => printed.mockRestore())
    // As in a test file that imports the library after MSW has replaced fetch.
    vi.resetModules()
    const { connectMock: connect } = await import('../../../src/index.ts')
    const url = 'http://127.0.0.1:4010'
    await expect(connect(url).session('one').reset()).rejects.toThrow(
      /^MSW did not let the request to the mock at http:\/\/127\.0\.0\.1:4010 pass \(.*\)\. Pass it through/,
    )
  })

  it('is not affected by MSW that starts later', async () => {
    const { url } = await start()
    const msw = setupServer()
    msw.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => msw.close())
    await connectMock(url).session('one').reset()
  })

  it.each([404, 200])('reports a response that is not from a mock, with status %i', async (status) => {
    const port = await listen(createServer((_request, response) => response.writeHead(status).end('<html>')))
    const session = connectMock(`http://127.0.0.1:${port}`).session('one')
    await expect(session.reset()).rejects.toThrow(`responded with status ${status}, but is not a mock`)
  })

  it.each([[undefined], ['wrong']])('reports a missing or wrong admin token', async (token) => {
    const { url } = await start('right')
    const session = connectMock(url, token === undefined ? {} : { token }).session('one')
    await expect(session.reset()).rejects.toThrow('Send the --admin-token value as Authorization: Bearer.')
    await connectMock(url, { token: 'right' }).session('one').reset()
  })

  it('sends nothing elsewhere', async () => {
    const session = connectMock('http://127.0.0.1:4010').session('one')
    await expect(session.fetch('http://example.com/acme/resource')).rejects.toThrow(
      'session.fetch sends requests to the mock at http://127.0.0.1:4010, but http://example.com/acme/resource has another origin.',
    )
  })
})
