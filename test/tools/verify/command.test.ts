import { once } from 'node:events'
import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import type { ServerOptions } from '../../../src/app/options/options.ts'
import type { Report } from '../../../src/tools/verify/report.ts'
import { COMMAND, run, start } from '../../edges/cli/command.ts'
import { openPseudoTerminal } from '../../edges/cli/pseudo-terminal.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { parseXml } from './xml.ts'

async function serve(options: ServerOptions = {}): Promise<string> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server.url
}

const readReport = (stdout: string): Report => JSON.parse(stdout) as Report

describe('resource-mock verify', () => {
  it('passes every check over a socket', async () => {
    const result = await run(['verify', await serve(), '--allow-writes', '--reporter', 'json', '--client', 'a:b'])
    const { counts, leftovers, subjects } = readReport(result.stdout)
    expect([result.status, result.stderr, counts.failed, leftovers, subjects.length]).toEqual([0, '', 0, [], 19])
  })

  it.each([
    ['any token', ['--token', 'abc'], {}, {}],
    ['a token that contains its scopes', ['--token', 'manage_project:acme'], {}, { auth: 'strict' as const }],
    ['the known client', ['--client', 'shop:secret'], {}, { auth: 'strict' as const, clients: ['shop:secret'] }],
    ['a token from the environment', [], { RESOURCE_MOCK_VERIFY_TOKEN: 'abc' }, {}],
    ['a client from the environment', [], { RESOURCE_MOCK_VERIFY_CLIENT: 'a:b' }, {}],
  ])('uses %s', async (_case, args, env, options) => {
    const url = await serve(options)
    const only = ['--only', 'getAction', '--reporter', 'json']
    const { status, stdout } = await run(['verify', url, ...only, ...args], { env })
    const { held, failed } = readReport(stdout).counts
    expect([status, failed, held > 0]).toEqual([0, 0, true])
  })

  it('gets its tokens from --token-url', async () => {
    const [url, tokens] = [await serve({ tokenSecret: 'shared' }), await serve({ tokenSecret: 'shared' })]
    const args = ['--client', 'a:b', '--token-url', `${tokens}/oauth/token`, '--reporter', 'json']
    const { status, stdout } = await run(['verify', url, ...args, '--only', 'getResourceById'])
    expect([status, readReport(stdout).counts]).toEqual([0, { held: 24, failed: 0, untried: 0 }])
  })

  it.each([
    ['pretty', (text: string) => text.includes('  ✓ returns 401 for a request without a token')],
    ['json', (text: string) => readReport(text).counts.held > 0],
    ['junit', (text: string) => parseXml(text.trimEnd()).children.length === 1],
    ['tap', (text: string) => text.startsWith('TAP version 14\n1..12\nok 1 - getAction ')],
  ])('reports as %s, without colours unless on a terminal', async (reporter, isRight) => {
    const url = await serve()
    const { status, stdout } = await run(['verify', url, '--token', 'a', '--only', 'getAction', '--reporter', reporter])
    expect([status, isRight(stdout), stdout.includes('\u001B')]).toEqual([0, true, false])
  })

  it('uses colours on a terminal', async () => {
    const url = await serve()
    const { stdout } = await run(['verify', url, '--token', 'a', '--only', 'getAction'], { env: { FORCE_COLOR: '1' } })
    expect(stdout).toContain('\u001B[32m✓\u001B[39m')
  })

  it('shows its progress on a terminal', async () => {
    const line = `'${process.execPath}' '${COMMAND}' verify ${await serve()} --token a --only getAction`
    const shown = await openPseudoTerminal(line).waitFor(/not tried\./)
    expect(shown).toContain('\r\u001B[K1 examined, getAction last …\r\u001B[KgetAction GET /{projectKey}')
  })

  it('folds long lists on a terminal, unless --verbose is given', async () => {
    const line = `'${process.execPath}' '${COMMAND}' verify ${await serve()} --token a --only getAction`
    const folded = await openPseudoTerminal(line).waitFor(/not tried\./)
    expect(folded).toMatch(/✓\S* \d+ checks passed/)
    expect(folded).not.toContain('returns 401 for a request without a token')
    const full = await openPseudoTerminal(`${line} --verbose`).waitFor(/not tried\./)
    expect(full).toContain('returns 401 for a request without a token')
  })

  it('compares with the report of --since', async () => {
    const folder = await createTemporaryFolder()
    const [good, bad] = [await serve(), await serve({ scenario: 'not-found' })]
    const args = ['--token', 'a', '--only', 'getResourceById']
    const before = await run(['verify', bad, ...args, '--reporter', 'json'], { cwd: folder })
    await writeFile(join(folder, 'last.json'), before.stdout)
    const after = await run(['verify', good, ...args, '--since', 'last.json'], { cwd: folder })
    expect(after.stdout).toMatch(/^Since the earlier report: \d+ better, 0 worse, 0 newly tried and failed\.$/m)
    expect(after.stdout).toMatch(/^ {2}Better: getResourceById\/status, /m)
    const json = await run(['verify', good, ...args, '--since', 'last.json', '--reporter', 'json'], { cwd: folder })
    expect(readReport(json.stdout).since?.better).toContain('getResourceById/status')
  })

  it.each([
    ['a missing file', 'none.json', 'none.json", which cannot be read. Use an existing file'],
    ['another file', 'other.json', 'other.json is not a report of verify. Write one with --reporter json'],
  ])('refuses --since with %s, before it sends anything', async (_case, name, sentence) => {
    const folder = await createTemporaryFolder()
    await writeFile(join(folder, 'other.json'), '{}')
    const result = await run(['verify', 'http://127.0.0.1:1', '--token', 'a', '--since', name], { cwd: folder })
    expect([result.status, result.stdout]).toEqual([2, ''])
    expect(result.stderr).toContain(sentence)
  })

  it('exits with 1 if something failed', async () => {
    const url = await serve({ scenario: 'not-found' })
    const { status, stdout } = await run(['verify', url, '--token', 'a', '--only', 'getResourceById'])
    expect([status, stdout.includes('status: expected 200, got 404')]).toEqual([1, true])
  })

  it.each([
    [
      'an option is invalid',
      ['--token', 'a', '--only', 'nothing'],
      '--only must be operation ids, anyPath or tokenEndpoints',
    ],
    ['there is no token', [], 'verify needs credentials.'],
    ['the token is rejected', ['--token', 'foreign'], 'rejects the token: GET /acme/resource?limit=1 returned 401.'],
  ])('exits with 2 if %s', async (_case, args, sentence) => {
    const { status, stdout, stderr } = await run(['verify', await serve({ auth: 'strict' }), ...args])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
  })

  it('exits with 2 if nothing listens there', async () => {
    const { url, close } = await startServer({ port: 0 })
    await close()
    const { status, stderr } = await run(['verify', url, '--token', 'a'])
    expect([status, stderr]).toEqual([
      2,
      `${url} cannot be verified: GET /acme/resource?limit=1 got no response: ECONNREFUSED. Check the URL and that the service is running.\n`,
    ])
  })

  it('exits with 2 if nothing could be tried', async () => {
    const { status, stdout } = await run(['verify', await serve(), '--token', 'a', '--only', 'createResource'])
    expect([status, stdout.includes('○ not tried: it writes; pass --allow-writes to include it')]).toEqual([2, true])
  })

  it('exits with 2 if no response arrives in time', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const { status, stderr } = await run(['verify', `http://127.0.0.1:${port}`, '--token', 'a', '--timeout', '50ms'])
    expect([status, stderr.includes('got no response: no response within 50 ms.')]).toEqual([2, true])
  })

  it('removes what it wrote when it is interrupted', async () => {
    // Slow enough to keep it busy for some seconds.
    const server = await startServer({ port: 0, delay: { from: 20, to: 20 } })
    onTestFinished(() => server.close())
    const headers = { Authorization: 'Bearer a' }
    const ask = async () => (await fetch(`${server.url}/acme/resource?limit=0`, { headers })).json() as Promise<object>
    const before = await ask()

    const events = await fetch(`${server.url}/__admin/events`)
    const running = start(['verify', server.url, '--client', 'a:b', '--allow-writes'])
    let told = ''
    for await (const chunk of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      told += chunk
      if (told.includes('createResource')) break
    }
    running.process.kill('SIGINT')
    expect(await running.ended).toBe(2)
    expect(running.output.stderr).toBe('Stopping: deleting created data first.\n')
    expect(running.output.stdout).toContain('Interrupted. Everything written so far was removed.')
    expect(await ask()).toEqual(before)
  })
})
