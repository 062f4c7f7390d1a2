import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFolder } from '../../../src/edges/node/folder.ts'
import { AUTHORIZED, runHere, start } from '../../edges/cli/command.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { serve } from '../../support/serve.ts'
import { startProxyOf } from './proxying.ts'

const QUIET = ['--port', '0', '--log', 'json']

const send = (url: string, method: string, json: unknown) =>
  fetch(url, {
    method,
    headers: { ...AUTHORIZED.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  })

describe('resource-mock proxy', () => {
  it('records the fixtures of a mock unchanged', async () => {
    const folder = await createTemporaryFolder()
    const proxy = start(['proxy', await serve(), '--record', 'mine', ...QUIET], { cwd: folder })
    const url = await proxy.ready
    const created = await send(`${url}/acme/resource`, 'POST', { key: 'chair', objectTypeProperty: {} })
    expect([created.status, created.headers.get('Sl-Violations')]).toEqual([201, '[]'])
    const list = await (await fetch(`${url}/acme/resource?limit=500`, AUTHORIZED)).json()
    expect(await proxy.stop()).toBe(0)
    expect(readdirSync(join(folder, 'mine')).toSorted()).toEqual(['.recorded-project', 'resources.json'])

    const mock = await serve({ fixtures: await readFolder('fixtures', join(folder, 'mine')) })
    const again = await fetch(`${mock}/acme/resource?limit=500`, AUTHORIZED)
    expect(await again.json()).toEqual(list)
  })

  it('logs how a request breaks the contract', async () => {
    const proxy = start(['proxy', await serve(), ...QUIET])
    const { status } = await send(`${await proxy.ready}/acme/resource`, 'POST', { objectTypeProperty: [] })
    expect(status).toBe(400)
    await proxy.stop()
    const line = proxy.output.stderr.split('\n').find((one) => one.includes('createResource'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      status: 400,
      warnings: [expect.stringMatching(/^Error at request\.body/)],
    })
  })

  it('tells once, at its end, where the service decides otherwise than the mock', async () => {
    const { url } = await startProxyOf((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"version":1,"objectTypeProperty":{}}')
    })
    const proxy = start(['proxy', url, '--port', '0', '--log', 'pretty'])
    const target = `${await proxy.ready}/acme/resource/a`
    for (const one of [target, target]) expect((await fetch(one, AUTHORIZED)).headers.get('Sl-Violations')).toBe('[]')
    expect(proxy.output.stderr).not.toContain('ETag')
    await proxy.stop()
    const lines = proxy.output.stderr.split('\n').map((line) => line.trim())
    expect(lines.slice(lines.findIndex((line) => line.includes('Where the mock differs')))).toEqual([
      expect.stringContaining('Where the mock differs from your service: tests that rely on it may pass here'),
      '≠ decisions, "Errors": 2 times, such as GET /{projectKey}/resource/{id}, response.headers.X-Content-Type-Options: expected a value, got nothing.',
      '≠ D5, identity of a resource: 4 times, such as GET /{projectKey}/resource/{id}, response.headers.ETag: expected a value, got nothing.',
      '',
    ])
  })

  it('serves from the mock while the service is down, with --fallback and without a token', async () => {
    const { url } = await startProxyOf((request) => request.socket.destroy())
    const plain = start(['proxy', url, ...QUIET])
    const fallback = start(['proxy', url, '--fallback', '--timeout', '5s', ...QUIET])
    const answers = [
      await fetch(`${await plain.ready}/acme/resource`, AUTHORIZED),
      await fetch(`${await fallback.ready}/acme/resource`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([502, 200])
    expect(answers[1]?.headers.get('X-Mock-Fallback')).toBe('unreachable')
  })

  it("breaks the client's own connection if the fallback mock is to break it", async () => {
    const { url } = await startProxyOf((request) => request.socket.destroy())
    const proxy = start(['proxy', url, '--fallback', ...QUIET])
    const headers = { ...AUTHORIZED.headers, 'X-Mock-Scenario': 'offline' }
    await expect(fetch(`${await proxy.ready}/acme/resource`, { headers })).rejects.toMatchObject({
      cause: { code: 'ECONNRESET' },
    })
  })

  it.each([
    [['proxy'], 'The argument <url> is missing.'],
    [['proxy', 'localhost:3000'], 'The upstream "localhost:3000" is not the URL of a service.'],
    [
      ['proxy', 'http://localhost:1', '--timeout', '5'],
      '--timeout must be a duration above 0, with a unit, such as 1h, 30m, 90s or 500ms, not "5".',
    ],
    [['proxy', 'http://localhost:1', '--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
    [['proxy', 'http://localhost:1', '--records', 'a'], 'Did you mean "--record"?'],
    [['proxy', 'http://localhost:1', 'http://localhost:2'], 'Unknown command or argument "http://localhost:2".'],
    [['proxy', 'http://localhost:1', '--record', 'package.json'], 'which cannot be used'],
    [['proxy', 'http://localhost:1', '--record', 'fixtures'], 'but not from a recording'],
  ])('exits with 2 and an error message: %j', async (args, sentence) => {
    const { status, stderr } = await runHere(args)
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('is described by its help', async () => {
    const { stdout } = await runHere(['proxy', '--help'])
    for (const flag of ['--record <dir>', '--fallback', '--timeout <time>', '--port <n>', '--host <addr>']) {
      expect(stdout).toContain(flag)
    }
    expect((await runHere(['--help'])).stdout).toContain('proxy')
  })
})
