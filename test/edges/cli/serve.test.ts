import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { get as getSecurely } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { AUTHORIZED, run, runHere, start } from './command.ts'
import { createTemporaryFolder } from './temporary-folder.ts'
import { listen } from '../../support/listen.ts'

const TLS = new URL('tls/', import.meta.url)
const cert = new URL('cert.pem', TLS).pathname
const key = new URL('key.pem', TLS).pathname

/** A request that is in progress once the mock waits for its body, which `finish` sends. */
async function beginRequest(url: string) {
  const request = httpRequest(`${url}/acme/resource`, {
    method: 'POST',
    headers: { ...AUTHORIZED.headers, 'Content-Type': 'application/json', Expect: '100-continue' },
  })
  request.on('error', () => undefined)
  request.flushHeaders()
  await once(request, 'continue')
  return async function finish(): Promise<number | undefined> {
    request.end('{"objectTypeProperty":{}}')
    const [response] = await once(request, 'response')
    response.resume()
    return response.statusCode
  }
}

describe('ready line', () => {
  it('is the only standard output, and appears once the port accepts connections', async () => {
    const mock = start(['--port', '0'])
    const url = await mock.ready
    const { port } = new URL(url)
    expect(mock.output.stdout).toBe(`Listening on port ${port} (http://127.0.0.1:${port})\n`)
    expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
    await mock.stop()
    expect(mock.output.stdout).toBe(`Listening on port ${port} (http://127.0.0.1:${port})\n`)
  })

  const REMOTE = 'The admin API only accepts requests from this machine. To use it from others, set --admin-token.'
  it.each([
    ['0.0.0.0', [], 'http://127.0.0.1:', [REMOTE]],
    ['0.0.0.0', ['--admin-token', 'hush'], 'http://127.0.0.1:', []],
    ['localhost', [], 'http://localhost:', []],
    ['::1', [], 'http://[::1]:', []],
  ])(
    'for the host %s with %j names %s, and the log mentions the admin API: %j',
    async (host, args, address, messages) => {
      const mock = start(['--port', '0', '--host', host, ...args])
      const url = await mock.ready
      expect(url.startsWith(address)).toBe(true)
      expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
      await mock.stop()
      const lines = mock.output.stderr.split('\n').filter((line) => line !== '' && !line.includes('"target"'))
      const [, ...notes] = lines.map((line) => JSON.parse(line) as unknown)
      expect(notes).toMatchObject(messages.map((message) => ({ level: 'info', message })))
    },
  )

  it('has an https URL with a certificate, and the mock serves it', async () => {
    const url = await start(['--port', '0', '--tls-cert', cert, '--tls-key', key]).ready
    expect(url).toMatch(/^https:/)
    const ca = await readFile(cert)
    const [response] = await once(getSecurely(`${url}/acme/resource`, { ...AUTHORIZED, ca }), 'response')
    expect(response.statusCode).toBe(200)
    response.destroy()
  })
})

describe('exit status', () => {
  it('is 0 after SIGTERM even if nobody reads the log', async () => {
    const mock = start(['--port', '0', '--log', 'json'])
    const url = await mock.ready
    mock.process.stderr.pause()
    // More than the buffers of a pipe and its streams hold.
    const long = 'x'.repeat(7_000)
    for (let count = 0; count < 100; count += 1) await fetch(`${url}/acme/resource/${long}`, AUTHORIZED)
    mock.process.kill('SIGTERM')
    expect(await once(mock.process, 'exit')).toEqual([0, null])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is 0 after %s even if a client keeps its connection open',
    async (signal) => {
      const mock = start(['--port', '0'])
      await fetch(`${await mock.ready}/acme/resource`, AUTHORIZED)
      mock.process.kill(signal)
      expect(await mock.ended).toBe(0)
    },
  )

  it('is 0 after the response to a request in progress, which is logged', async () => {
    const mock = start(['--port', '0', '--log', 'json'])
    const finish = await beginRequest(await mock.ready)
    mock.process.kill('SIGTERM')
    expect(await finish()).toBe(201)
    expect(await mock.ended).toBe(0)
    expect(mock.output.stderr).toContain('"target":"/acme/resource","status":201')
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('after a second %s is %i, immediately', async (signal, status) => {
    const mock = start(['--port', '0'])
    await beginRequest(await mock.ready)
    mock.process.kill(signal)
    let hasEnded = false
    void mock.ended.then(() => (hasEnded = true))
    // Within a quarter of a second of the first, a second one is treated as npm's echo of it.
    await vi.waitUntil(() => hasEnded || !mock.process.kill(signal), { timeout: PATIENCE, interval: 100 })
    expect(await mock.ended).toBe(status)
  })

  it.each(['signal', 'shutdown'])('waits for the time of --drain after a %s, and serves until then', async (how) => {
    const mock = start(['--port', '0', '--drain', '1h', '--log', 'silent'])
    const url = await mock.ready
    const ready = async () => (await fetch(`${url}/__admin/health/ready`)).status
    expect(await ready()).toBe(200)
    if (how === 'signal') mock.process.kill('SIGTERM')
    else expect((await fetch(`${url}/__admin/shutdown`, { method: 'POST' })).status).toBe(200)
    await vi.waitUntil(async () => (await ready()) === 503, PATIENCE)
    expect((await fetch(`${url}/__admin/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
    let hasEnded = false
    void mock.ended.then(() => (hasEnded = true))
    await vi.waitUntil(() => hasEnded || !mock.process.kill('SIGTERM'), { timeout: PATIENCE, interval: 100 })
    expect(await mock.ended).toBe(143)
  })

  it('is 0 once the time of --drain is over', async () => {
    const mock = start(['--port', '0', '--drain', '1ms'])
    await mock.ready
    expect(await mock.stop()).toBe(0)
  })

  it('is 1 if the port is in use, and the message names the port', async () => {
    const port = await listen(createServer())
    const { status, stdout, stderr } = await run(['--port', String(port)])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use\\. .* choose another port, such as --port.*\\n$`),
    )
  })
})

describe('exits with 2 and one sentence for', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['an unknown option', ['--prot', '1'], 'Unknown option "--prot". Did you mean "--port"?'],
    ['an invalid value', ['--auth', 'lenien'], '--auth must be off, lenient or strict, not "lenien".'],
    [
      'an option of another command',
      ['scenarios', '--seed', '1'],
      'The option --seed belongs to "resource-mock" and "resource-mock verify".',
    ],
    ['an unknown command', ['srve'], 'Did you mean "serve"?'],
    ['a missing configuration file', ['--config', 'nope.json'], 'nope.json", which cannot be read.'],
    [
      'a host that is not an address of this machine',
      ['--port', '0', '--host', '192.0.2.1'],
      'The host "192.0.2.1" is not an address of this machine.',
    ],
    [
      'an unknown scenario',
      ['--scenario', 'conflit'],
      'Unknown scenario "conflit". Did you mean "conflict"? The scenarios are: conflict, conflict-once, custom1,',
    ],
    ['one unknown scenario among several', ['-s', 'slow', '-s', 'flaky,conflit'], 'Did you mean "conflict"?'],
    ['a missing scenarios folder', ['--scenarios', 'nope'], 'which is not a readable folder.'],
    ['a missing fixtures folder', ['--fixtures', 'nope'], 'which is not a readable folder.'],
    ['a certificate without a key', ['--tls-cert', cert], '--tls-cert requires --tls-key.'],
    ['a key without a certificate', ['--tls-key', key], '--tls-key requires --tls-cert.'],
    ['a missing certificate', ['--tls-cert', 'nope.pem', '--tls-key', key], '--tls-cert is "'],
    [
      'an invalid certificate',
      ['--tls-cert', new URL('README.md', TLS).pathname, '--tls-key', key],
      'Cannot read the TLS certificate.',
    ],
    ['an invalid key', ['--tls-cert', cert, '--tls-key', cert], 'Cannot read the TLS key.'],
    [
      'a key of another certificate',
      ['--tls-cert', cert, '--tls-key', new URL('other-key.pem', TLS).pathname],
      'The TLS key does not match the TLS certificate.',
    ],
    ['a state file that is a folder', ['--persist', '/'], 'Cannot use the state file /: it is a folder.'],
    ['a state file in a missing folder', ['--persist', '/nope/state.json'], 'its folder does not exist.'],
  ])('%s', async (_what, args, sentence) => {
    const { status, stdout, stderr } = await runHere(args, { cwd: await createTemporaryFolder() })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).toMatch(/^[^\n]+\n$/)
  })

  it('a broken scenario, naming file, line and column', async () => {
    const folder = await createTemporaryFolder({ 'mine.json': '{\n  "description": "Mine",\n  "ruels": []\n}' })
    const { status, stderr } = await run(['--port', '0', '--scenarios', folder])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^Scenario mine\.json:3:3 [^\n]*Did you mean "rules"\?[^\n]*\n$/)
  })

  it.each(['text: "a\\r\\nX-Evil: 1"', 'text: "caf\\u00e9 \\u2615"'])(
    'a scenario whose response has a header that HTTP forbids: %s',
    async (header) => {
      const folder = await createTemporaryFolder({
        'mine.yaml': `description: Mine\nrules:\n  - effect: { answer: { status: 503, headers: { ${header} } } }\n`,
      })
      const { status, stderr } = await runHere(['--port', '0', '--scenarios', folder])
      expect(status).toBe(2)
      expect(stderr).toMatch(/^Scenario mine\.yaml:3:\d+ rules\[0\]\.effect\.answer\.headers\.text: a header value/)
    },
  )

  it('a broken fixture, naming the file', async () => {
    const folder = await createTemporaryFolder({ 'resources.json': '[{ "id": 5 }]' })
    const { status, stderr } = await runHere(['--port', '0', '--fixtures', folder])
    expect(status).toBe(2)
    expect(stderr).toContain('resources.json')
    expect(stderr).not.toContain('    at ')
  })
})

describe('settings', () => {
  it('come from flag, environment and configuration file, in this order', async () => {
    const folder = await createTemporaryFolder()
    await mkdir(join(folder, 'mine'))
    await writeFile(join(folder, 'mine', 'action.json'), '{ "mine": true }')
    await writeFile(
      join(folder, 'resource-mock.config.json'),
      '{ "port": 1, "host": "192.0.2.1", "fixtures": "mine", "auth": "strict" }',
    )
    const url = await start(['--auth', 'off'], { cwd: folder, env: { PORT: '0', HOST: '127.0.0.1' } }).ready
    const response = await fetch(`${url}/acme/resource/namespace-action`)
    expect(await response.json()).toEqual({ mine: true })
  })

  it('come from a configuration file in JavaScript', async () => {
    const folder = await createTemporaryFolder({
      'package.json': '{ "type": "module" }',
      'resource-mock.config.js': `export default { port: Number('0'), auth: 'off' }`,
    })
    const url = await start([], { cwd: folder }).ready
    expect((await fetch(`${url}/acme/resource`)).status).toBe(200)
  })

  it.each([
    ['the flag', ['--scenario', 'read-only', '-s', 'unavailable-twice'], {}],
    ['the environment', [], { RESOURCE_MOCK_SCENARIO: 'read-only, unavailable-twice' }],
  ])('make the scenarios of %s active, in their order', async (_what, args, env) => {
    const url = await start(['--port', '0', ...args], { env }).ready
    const draft = {
      method: 'POST',
      headers: { ...AUTHORIZED.headers, 'Content-Type': 'application/json' },
      body: '{"objectTypeProperty":{}}',
    }
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) statuses.push((await fetch(`${url}/acme/resource`, draft)).status)
    expect(statuses).toEqual([503, 503, 403])
  })

  it('reach the admin API', async () => {
    const args = ['--admin-token', 'hush', '--admin-origin', 'http://shop.test,http://other.test', '--journal', '1']
    const url = await start(['--port', '0', ...args]).ready
    const headers = { Authorization: 'Bearer hush' }
    expect((await fetch(`${url}/__admin/scenarios`)).status).toBe(401)
    for (const [origin, status] of [
      ['http://other.test', 200],
      ['http://evil.test', 403],
    ] as const) {
      const response = await fetch(`${url}/__admin/scenarios`, { headers: { ...headers, Origin: origin } })
      expect(response.status).toBe(status)
    }
    for (const at of [1, 2]) await fetch(`${url}/acme/resource?limit=${at}`, AUTHORIZED)
    const journal = (await (await fetch(`${url}/__admin/requests`, { headers })).json()) as { requests: unknown[] }
    expect(journal.requests).toHaveLength(1)
  })

  it('load scenarios from a folder, with response body files of any type', async () => {
    const folder = await createTemporaryFolder({
      'page.yaml':
        'description: A page\nrules:\n  - effect: { answer: { status: 502, bodyFile: page.html, headers: { Content-Type: text/html } } }\n',
      'page.html': '<p>Bad gateway</p>',
      '.hidden.json': 'broken',
    })
    const url = await start(['--port', '0', '--scenarios', folder, '--scenario', 'page']).ready
    const response = await fetch(`${url}/acme/resource`, AUTHORIZED)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([502, 'text/html'])
    expect(await response.text()).toBe('<p>Bad gateway</p>')
  })

  it('allow generated resources', async () => {
    const folder = await createTemporaryFolder({ 'resources.json': '[]' })
    const url = await start(['--port', '0', '--fixtures', folder, '--generate', '3']).ready
    expect(await (await fetch(`${url}/acme/resource`, AUTHORIZED)).json()).toMatchObject({ total: 3 })
  })
})

describe('log on standard error', () => {
  it.each([
    [[], /^\{"level":"info","time":"[^"]+","method":"GET","target":"\/acme\/resource\?limit=1","status":200,.*\}\n$/m],
    [['--log', 'pretty'], /^\d\d:\d\d:\d\d GET {5}\/acme\/resource\?limit=1 +200 /m],
  ])('with %j', async (args, pattern) => {
    const mock = start(['--port', '0', ...args])
    await fetch(`${await mock.ready}/acme/resource?limit=1`, AUTHORIZED)
    await mock.stop()
    expect(mock.output.stderr).toMatch(pattern)
  })

  it('starts with what the mock serves and the address of the dashboard', async () => {
    const folder = await createTemporaryFolder({ 'resources.json': '[]' })
    const plain = start(['--port', '0', '--log', 'json'])
    expect((await plain.notes()()).message).toBe(
      `No active scenarios. Built-in fixtures. Auth is lenient: any bearer token works. Dashboard: ${await plain.ready}/__admin`,
    )
    const args = ['--port', '0', '--log', 'json', '--scenario', 'slow,flaky', '--fixtures', '.', '--auth', 'strict']
    const own = start(args, { cwd: folder })
    expect((await own.notes()()).message).toBe(
      `Active scenarios: slow, flaky. Fixtures from ./ (1 file). Auth is strict: only issued tokens work, and tokens that spell out scopes, such as view_test:acme. Dashboard: ${await own.ready}/__admin`,
    )
    expect(own.output.stdout).toMatch(/^Listening on port [^\n]+\n$/)
  })

  it('starts without the address of the dashboard if it is disabled', async () => {
    const mock = start(['--port', '0', '--log', 'json', '--no-admin'])
    expect((await mock.notes()()).message).toMatch(/ works$/)
  })

  it('does not log a fault of a scenario as an error of the mock', async () => {
    const mock = start(['--port', '0', '--log', 'silent', '--scenario', 'offline'])
    const url = await mock.ready
    for (const method of ['GET', 'POST']) {
      await expect(fetch(`${url}/acme/resource`, { ...AUTHORIZED, method })).rejects.toThrow('fetch failed')
    }
    await mock.stop()
    expect(mock.output.stderr).toBe('')
  })

  it('has no secrets of addresses', async () => {
    const targets = [
      '/oauth/token?grant_type=client_credentials&client_secret=hush',
      '/@s/oauth/x/customers/token?password=hush',
      '/__admin?token=hush',
    ]
    const mock = start(['--port', '0', '--log', 'json'])
    const url = await mock.ready
    for (const target of targets) await fetch(url + target, { method: 'POST' })
    await mock.stop()
    expect(mock.output.stderr.match(/"target":"/g)).toHaveLength(targets.length)
    expect(mock.output.stderr).not.toContain('hush')
  })

  it('has a line for every request, even the last ones before a signal', async () => {
    const mock = start(['--port', '0', '--log', 'json'])
    const url = await mock.ready
    await Promise.all(Array.from({ length: 200 }, (_, at) => fetch(`${url}/acme/resource/${at}`, AUTHORIZED)))
    expect(await mock.stop()).toBe(0)
    const requests = mock.output.stderr.split('\n').filter((line) => line.includes('"target":"/acme/resource/'))
    expect(requests).toHaveLength(200)
  })

  it('may be closed by its reader: the mock continues', async () => {
    const mock = start(['--port', '0', '--log', 'json'])
    const url = await mock.ready
    mock.process.stderr.destroy()
    mock.process.stdout.destroy()
    for (let count = 0; count < 5; count += 1) {
      expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
    }
    expect(await mock.stop()).toBe(0)
  })

  it('is coloured if FORCE_COLOR is set', async () => {
    const mock = start(['--port', '0', '--log', 'pretty'], { env: { FORCE_COLOR: '1' } })
    await fetch(`${await mock.ready}/acme/resource`, AUTHORIZED)
    await mock.stop()
    expect(mock.output.stderr).toContain('\u001B[32m200\u001B[39m')
  })
})

it.each([
  ['an uncaught exception', `throw new Error('stray')`],
  ['an unhandled rejection', `Promise.reject(new Error('stray'))`],
])('does not hide %s: it ends with the stack', async (_what, statement) => {
  const folder = await createTemporaryFolder({
    'stray.mjs': `process.on('SIGWINCH', () => { ${statement} })\nexport default { port: 0, log: 'json' }`,
  })
  const mock = start(['--config', 'stray.mjs'], { cwd: folder })
  await mock.ready
  mock.process.kill('SIGWINCH')
  expect(await mock.ended).toBe(1)
  expect(mock.output.stderr).toMatch(/Error: stray\n\s+at .*stray\.mjs/)
})

describe('the admin API', () => {
  it('ends the process like SIGTERM', async () => {
    const mock = start(['--port', '0', '--log', 'json'])
    const response = await fetch(`${await mock.ready}/__admin/shutdown`, { method: 'POST' })
    expect(response.ok).toBe(true)
    expect(await mock.ended).toBe(0)
    expect(mock.output.stderr).toContain('/__admin/shutdown')
  })

  it('does not delay the end with open event streams', async () => {
    const mock = start(['--port', '0'])
    const response = await fetch(`${await mock.ready}/__admin/events`)
    expect(response.status).toBe(200)
    expect(await mock.stop()).toBe(0)
    await response.text()
  })
})

it('init writes a folder that serve starts from', async () => {
  const folder = await createTemporaryFolder()
  const { status, stdout } = await run(['init'], { cwd: folder })
  expect(status).toBe(0)
  expect(stdout).toMatch(/then run: npx resource-mock\n/)
  const url = await start(['--port', '0', '--scenario', 'my-scenario'], { cwd: folder }).ready
  expect((await fetch(`${url}/acme/resource`, AUTHORIZED)).status).toBe(200)
})

it('shows its help and its version on standard output', async () => {
  expect(await runHere(['--help'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('--max-sessions <n>'),
    stderr: '',
  })
  expect(await run(['--version'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  })
})

describe('an error about a value that was not typed', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, object, string]>([
    [
      'the variable HOST, as conda sets it',
      { HOST: 'x86_64-conda-linux-gnu' },
      {},
      'The value of --host comes from the environment variable HOST.',
    ],
    [
      'the variable RESOURCE_MOCK_SCENARIO',
      { RESOURCE_MOCK_SCENARIO: 'slow,conflit' },
      {},
      'The value of --scenario comes from the environment variable RESOURCE_MOCK_SCENARIO.',
    ],
    [
      'the configuration file, by its flag',
      {},
      { persist: 'none/state.json' },
      'The value of --persist comes from resource-mock.config.json.',
    ],
    [
      'the configuration file, by its value',
      {},
      { scenario: ['slow', 'conflit'] },
      'The value of --scenario comes from resource-mock.config.json.',
    ],
  ])('names %s', async (_what, env, config, sentence) => {
    const cwd = await createTemporaryFolder({ 'resource-mock.config.json': JSON.stringify({ port: 0, ...config }) })
    const { status, stderr } = await runHere([], { cwd, env })
    expect(status).toBe(2)
    expect(stderr).toMatch(new RegExp(`^[^\\n]+ ${sentence}\\n$`))
    expect(stderr.match(/The value of/g)).toHaveLength(1)
  })

  it('names the variable PORT if the port is in use', async () => {
    const { status, stderr } = await runHere([], { env: { PORT: String(await listen(createServer())) } })
    expect(status).toBe(1)
    expect(stderr).toContain('The value of --port comes from the environment variable PORT.')
  })
})
