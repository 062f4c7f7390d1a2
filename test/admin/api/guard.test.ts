import { request as httpRequest } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SetupError } from '../../../src/errors.ts'
import { createMock } from '../../../src/mock.ts'
import { startServer } from '../../../src/edges/node/server.ts'
import type { LogLine } from '../../../src/sessions/journal/record.ts'
import { createAsk } from './ask.ts'

const SESSIONS = '/__admin/sessions'
const token = 'a secret that nobody guesses: ü'
const encoded = 'c2VjcmV0'

describe('the Host of a request to the admin API', () => {
  it.each([
    ['localhost', undefined, 200],
    ['localhost:4010', undefined, 200],
    ['LOCALHOST.:4010', undefined, 200],
    ['127.0.0.1:4010', undefined, 200],
    ['127.8.9.10', undefined, 200],
    ['[::1]:4010', undefined, 200],
    ['api.eu.gcp.localhost:4010', undefined, 200],
    ['evil.example', undefined, 403],
    ['evil.example:4010', undefined, 403],
    ['localhost.evil.example', undefined, 403],
    ['127.0.0.1.evil.example', undefined, 403],
    ['notlocalhost', undefined, 403],
    ['192.168.1.5:4010', undefined, 403],
    ['192.168.1.5:4010', '192.168.1.5', 200],
    ['[fe80::1]:4010', 'fe80::1', 200],
    ['mock.internal:4010', 'mock.internal', 200],
    ['192.168.1.6', '192.168.1.5', 403],
    ['10.1.2.3:4010', '0.0.0.0', 200],
    ['[fe80::1]', '::', 200],
    ['evil.example', '0.0.0.0', 403],
    ['trusted.example:8080', undefined, 200],
  ])('%s, with --host %s, gets %i', async (named, host, status) => {
    const { ask } = await createAsk({
      ...(host === undefined ? {} : { host }),
      adminOrigins: ['https://trusted.example'],
    })
    for (const path of ['/__admin/health', '/__admin/health/live', '/__admin/health/ready']) {
      expect((await ask('GET', path, { headers: { Host: named } })).status).toBe(200)
    }
    for (const path of [SESSIONS, '/@s1/__admin', '/__admin/version']) {
      const reply = await ask('GET', path, { headers: { Host: named } })
      expect([path, reply.status]).toEqual([path, status])
      if (status === 403)
        expect(reply.text).toMatch(/Use localhost or the --host address, or allow this name with --admin-origin\./)
    }
  })

  it('may be any with the right token in Authorization', async () => {
    const { ask } = await createAsk({ adminToken: encoded })
    const statusOf = async (headers: Record<string, string>, path = SESSIONS) =>
      (await ask('GET', path, { headers: { Host: 'mock:4010', ...headers } })).status
    expect(await statusOf({ Authorization: `Bearer ${encoded}` })).toBe(200)
    expect(await statusOf({ Authorization: 'Bearer wrong' })).toBe(403)
    expect(await statusOf({ Cookie: `mock-admin-token=${encoded}` })).toBe(403)
    expect(await statusOf({}, `/__admin?token=${encoded}`)).toBe(403)
    expect(await statusOf({ Authorization: `Bearer ${encoded}`, Origin: 'https://evil.example' })).toBe(403)
  })

  it('is checked in an absolute request target too', async () => {
    const { ask } = await createAsk()
    const statusOf = async (url: string, headers: Record<string, string>) => (await ask('GET', url, { headers })).status
    expect(await statusOf('http://evil.example/__admin/sessions', { Host: 'localhost' })).toBe(403)
    const origin = { Host: 'localhost', Origin: 'http://evil.example' }
    expect(await statusOf('http://evil.example/__admin/sessions', origin)).toBe(403)
    expect(await statusOf('http://localhost/__admin/sessions', { Host: 'localhost' })).toBe(200)
  })

  it('is checked over a socket too', async () => {
    const server = await startServer({ port: 0, auth: 'off' })
    onTestFinished(() => server.close())
    const statusOf = (host: string) =>
      new Promise((resolve, reject) => {
        const options = { port: server.port, path: SESSIONS, headers: { Host: host } }
        httpRequest(options, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end()
      })
    expect(await statusOf('rebound.example')).toBe(403)
    expect(await statusOf('localhost')).toBe(200)
  })
})

describe('the origin of a request to the admin API', () => {
  const allowed = 'http://localhost:3000'

  it.each<[string, Record<string, string>, number]>([
    ['no origin', {}, 200],
    ['its own', { Origin: 'http://localhost:4010' }, 200],
    ['an allowed one', { Origin: allowed }, 200],
    ['another one', { Origin: 'https://evil.example' }, 403],
    ['another port', { Origin: 'http://localhost:4011' }, 403],
    ['another scheme', { Origin: 'https://localhost:4010' }, 403],
    ['a page in a sandbox', { Origin: 'null' }, 403],
    ["the dashboard's own page", { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }, 200],
    ['an image on another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image' }, 403],
    ['an image on another port', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'image' }, 403],
    [
      'a link on another site',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
      403,
    ],
  ])('%s is handled', async (_case, headers, status) => {
    const { ask } = await createAsk({ adminOrigins: [allowed] })
    const reply = await ask('GET', SESSIONS, { headers })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe(headers['Origin'] === allowed ? allowed : null)
  })

  it("may be another site's if a link leads to the start page", async () => {
    const { ask } = await createAsk()
    const visit = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
    const headers = (destination: string) => ({ headers: { ...visit, 'Sec-Fetch-Dest': destination } })
    expect((await ask('GET', '/__admin', headers('document'))).status).toBe(200)
    expect((await ask('GET', '/__admin', headers('iframe'))).status).toBe(403)
  })

  it('gets a remedy only if one exists', async () => {
    const { ask } = await createAsk()
    const remedyFor = async (origin: string) => (await ask('GET', SESSIONS, { headers: { Origin: origin } })).text
    expect(await remedyFor('https://evil.example')).toContain('Allow it with --admin-origin https://evil.example.')
    expect(await remedyFor('null')).toContain(
      'Open the page from a web server, and allow its origin with --admin-origin.',
    )
  })

  it('is refused before anything happens', async () => {
    const { ask } = await createAsk()
    const headers = { Origin: 'https://evil.example', 'X-Mock-Session': 'theirs' }
    await ask('POST', '/__admin/reset', { headers })
    expect((await ask('GET', SESSIONS)).text).not.toContain('theirs')
  })

  it('is checked for a preflight, whatever --cors allows', async () => {
    const { ask } = await createAsk({ adminOrigins: [allowed], adminToken: encoded })
    const preflight = (origin: string) =>
      ask('OPTIONS', '/__admin/state', {
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'PUT',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      })
    const { status, headers } = await preflight(allowed)
    expect(status).toBe(204)
    expect(headers.get('Access-Control-Allow-Origin')).toBe(allowed)
    expect(headers.get('Access-Control-Allow-Methods')).toContain('PUT')
    expect(headers.get('Access-Control-Allow-Headers')).toBe('authorization,content-type')
    const refused = await preflight('https://evil.example')
    expect(refused.status).toBe(403)
    expect(refused.headers.has('Access-Control-Allow-Origin')).toBe(false)
  })

  it.each(['http://localhost:3000/', 'localhost:3000', '*', ''])('cannot be allowed as %j', async (origin) => {
    await expect(createMock({ adminOrigins: [origin] })).rejects.toThrow(SetupError)
  })
})

describe('the token of the admin API', () => {
  const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } })

  it.each<[string, Record<string, string>, number]>([
    ['the token', { Authorization: `Bearer ${encoded}` }, 200],
    ['the token with a lowercase scheme', { Authorization: `bearer ${encoded}` }, 200],
    ['none', {}, 401],
    ['a wrong token', { Authorization: 'Bearer wrong' }, 401],
    ['a longer token', { Authorization: `Bearer ${encoded}x` }, 401],
    ['the token doubled', { Authorization: `Bearer ${encoded}${encoded}` }, 401],
    ['a prefix of the token', { Authorization: `Bearer ${encoded.slice(0, -1)}` }, 401],
    ['another scheme', { Authorization: `Basic ${encoded}` }, 401],
    ['a wrong cookie', { Cookie: 'mock-admin-token=wrong' }, 401],
    ['the cookie', { Cookie: `a=b; mock-admin-token=${encoded}` }, 200],
  ])('%s is handled', async (_case, headers, status) => {
    const { ask } = await createAsk({ adminToken: encoded })
    const reply = await ask('GET', SESSIONS, { headers })
    expect(reply.status).toBe(status)
    if (status === 401) expect(reply.headers.get('WWW-Authenticate')).toContain('Bearer realm="__admin"')
    expect(reply.text).not.toContain(encoded)
  })

  it('is required on every path but health, and for every origin', async () => {
    const { ask } = await createAsk({ adminToken: encoded })
    const connection = { remoteAddress: '203.0.113.7' }
    for (const path of ['', '/state', '/requests', '/metrics', '/version', '/unknown']) {
      expect((await ask('GET', `/__admin${path}`)).status).toBe(401)
    }
    for (const path of ['/health', '/health/live', '/health/ready']) {
      expect((await ask('GET', `/__admin${path}`, { connection })).status).toBe(200)
    }
    expect((await ask('GET', SESSIONS, { connection, ...bearer(encoded) })).status).toBe(200)
  })

  it.each([
    ['127.0.0.1', 200],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
    ['203.0.113.7', 403],
    ['::ffff:203.0.113.7', 403],
    [undefined, 403],
  ])('may be absent for a client at %s: %i', async (remoteAddress, status) => {
    const { ask } = await createAsk()
    const reply = await ask('GET', SESSIONS, { connection: { remoteAddress } })
    expect(reply.status).toBe(status)
    if (status === 403) expect(reply.text).toContain('Start the mock with --admin-token')
    expect((await ask('GET', '/__admin/health', { connection: { remoteAddress } })).status).toBe(200)
  })

  it('in a link is moved to a cookie', async () => {
    const { ask } = await createAsk({ adminToken: token })
    const { status, headers } = await ask('GET', `/@s1/__admin?token=${encodeURIComponent(token)}&tab=journal`)
    expect([status, headers.get('Location'), headers.get('Referrer-Policy')]).toEqual([
      303,
      '/@s1/__admin?tab=journal',
      'no-referrer',
    ])
    // Other sessions are accessed if no path names one.
    for (const [at, path] of ['/@s1/__admin', '/__admin'].entries()) {
      const cookie = headers.getSetCookie()[at] ?? ''
      expect(cookie).toMatch(/^mock-admin-token=[^;]+; Path=[^;]+; HttpOnly; SameSite=Strict$/)
      const [pair = ''] = cookie.split(';')
      expect([
        cookie.includes(`Path=${path};`),
        (await ask('GET', path, { headers: { Cookie: pair } })).status,
      ]).toEqual([true, 200])
    }
  })

  it('in a link is refused if it is wrong, and on other paths', async () => {
    const { ask } = await createAsk({ adminToken: encoded })
    const wrong = await ask('GET', '/__admin?token=wrong')
    expect([wrong.status, wrong.headers.has('Set-Cookie')]).toEqual([401, false])
    expect((await ask('GET', `${SESSIONS}?token=${encoded}`)).status).toBe(401)
  })

  it('is removed from a link if the mock has no token', async () => {
    const { ask } = await createAsk()
    const { status, headers } = await ask('GET', '/__admin?token=any')
    expect([status, headers.get('Location'), headers.has('Set-Cookie')]).toEqual([303, '/__admin', false])
  })

  it.each<[string, string, Record<string, string>, boolean]>([
    ['over TLS', 'https://localhost:4010', {}, true],
    ['behind a proxy that ends TLS', 'http://localhost:4010', { 'X-Forwarded-Proto': 'https' }, true],
    ['behind an admin origin with https', 'http://demo.example.com', {}, true],
    ['over HTTP', 'http://localhost:4010', { 'X-Forwarded-Proto': 'http' }, false],
    ['behind an admin origin with http', 'http://lan.example.com', {}, false],
  ])('has a cookie %s that is secure or not', async (_where, origin, headers, isSecure) => {
    const adminOrigins = ['https://demo.example.com', 'http://lan.example.com']
    const { ask } = await createAsk({ adminToken: encoded, adminOrigins })
    const { status, headers: answered } = await ask('GET', `${origin}/__admin?token=${encoded}`, { headers })
    expect([status, /; Secure(?:;|$)/.test(answered.get('Set-Cookie') ?? '')]).toEqual([303, isSecure])
  })

  it('has a cookie for the folder before a semicolon, which ends the path of a cookie', async () => {
    const { ask } = await createAsk({ adminToken: encoded })
    const { status, headers } = await ask('GET', `/a;b/c/__admin?token=${encoded}`)
    expect([status, headers.getSetCookie().map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1])]).toEqual([303, ['/']])
  })

  it('is not logged', async () => {
    const lines: LogLine[] = []
    const { ask } = await createAsk({ adminToken: encoded, onRequest: (line) => lines.push(line) })
    await ask('GET', `/__admin?token=${encoded}`)
    expect(lines.map(({ target }) => target)).toEqual(['/__admin?token=[redacted]'])
  })

  it('may not be empty', async () => {
    await expect(createMock({ adminToken: '' })).rejects.toThrow('The option adminToken must be a non-empty string.')
  })
})
