import { once } from 'node:events'
import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../src/edges/node/server.ts'
import type { VerifyReport } from '../../../src/tools/verify/report.ts'
import { tolerances } from '../../../src/tools/verify/compare/tolerances.ts'
import { COMMAND, run, runHere, start } from '../../edges/cli/command.ts'
import { openPseudoTerminal } from '../../edges/cli/pseudo-terminal.ts'
import { createTemporaryFolder } from '../../edges/cli/temporary-folder.ts'
import { serve } from '../../support/serve.ts'
import { listen } from './services/service.ts'
import { createTerse } from './services/terse.ts'
import { parseXml } from './xml.ts'

const readReport = (stdout: string): VerifyReport => JSON.parse(stdout) as VerifyReport

describe('resource-mock verify', () => {
  // Everything is in command.slow.test.ts.
  it('finds no mismatch over a socket', async () => {
    const args = ['--allow-writes', '--quick', '--seed', '2', '--reporter', 'json', '--client', 'a:b']
    const result = await run(['verify', await serve({ auth: 'strict' }), ...args, '--only', 'lifecycle,uploads,scopes'])
    const { mismatches, leftovers, requests, seed } = readReport(result.stdout)
    expect([result.status, result.stderr, mismatches, leftovers, seed]).toEqual([0, '', [], [], 2])
    expect(requests).toBeGreaterThan(20)
  })

  it.each([
    ['any token', ['--token', 'abc'], {}, {}],
    ['a token that contains its scopes', ['--token', 'manage_project:acme'], {}, { auth: 'strict' as const }],
    ['the known client', ['--client', 'shop:secret'], {}, { auth: 'strict' as const, clients: ['shop:secret'] }],
    ['a token from the environment', [], { RESOURCE_MOCK_VERIFY_TOKEN: 'abc' }, {}],
    ['a client from the environment', [], { RESOURCE_MOCK_VERIFY_CLIENT: 'a:b' }, {}],
  ])('uses %s', async (_case, args, env, options) => {
    const url = await serve(options)
    const { status, stdout } = await runHere(['verify', url, '--only', 'heads', '--reporter', 'json', ...args], { env })
    const { mismatches, conversations } = readReport(stdout)
    expect([status, mismatches, conversations[0]?.compared]).toEqual([0, [], expect.any(Number)])
  })

  it('gets its tokens from --token-url', async () => {
    const [url, tokens] = [await serve({ tokenSecret: 'shared' }), await serve({ tokenSecret: 'shared' })]
    const args = ['--client', 'a:b', '--token-url', `${tokens}/oauth/token`, '--reporter', 'json']
    const { status, stdout } = await runHere(['verify', url, ...args, '--only', 'scopes'])
    expect([status, readReport(stdout).mismatches]).toEqual([0, []])
  })

  it.each([
    ['pretty', (text: string) => text.startsWith('✓ heads ')],
    ['json', (text: string) => readReport(text).requests > 0],
    ['junit', (text: string) => parseXml(text.trimEnd()).children.length === 1],
    ['tap', (text: string) => text.startsWith('TAP version 14\n1..1\nok 1 - heads')],
  ])('reports as %s, without colours unless on a terminal', async (reporter, isRight) => {
    const url = await serve()
    const { status, stdout } = await runHere(['verify', url, '--token', 'a', '--only', 'heads', '--reporter', reporter])
    expect([status, isRight(stdout), stdout.includes('\u001B')]).toEqual([0, true, false])
  })

  it('uses colours on a terminal', async () => {
    const url = await serve()
    const { stdout } = await runHere(['verify', url, '--token', 'a', '--only', 'heads'], { env: { FORCE_COLOR: '1' } })
    expect(stdout).toContain('\u001B[32m✓\u001B[39m')
  })

  it('shows its progress on a terminal, and folds long lists unless --verbose is given', async () => {
    const line = `'${process.execPath}' '${COMMAND}' verify ${await serve()} --token a --only carts`
    const folded = await openPseudoTerminal(line).waitFor(/no violations, no differences\./)
    expect(folded).toContain('\r\u001B[K1 conversations, carts last …')
    expect(folded).toMatch(/✓\S* 1 conversation alike/)
    const full = await openPseudoTerminal(`${line} --verbose`).waitFor(/no violations, no differences\./)
    expect(full).toMatch(/✓\S* carts/)
  })

  it('prints what the contract leaves free, without a URL', async () => {
    const { status, stdout } = await runHere(['verify', '--tolerances'])
    expect(status).toBe(0)
    for (const { frees, word } of tolerances) expect(stdout).toContain(`${frees}\n    ${word}\n`)
  })

  it('compares with the report of --since', async () => {
    const folder = await createTemporaryFolder()
    const [good, bad] = [await serve(), await serve({ scenario: 'not-found' })]
    const args = ['--token', 'a', '--only', 'reads']
    const before = await runHere(['verify', bad, ...args, '--reporter', 'json'], { cwd: folder })
    await writeFile(join(folder, 'last.json'), before.stdout)
    const after = await runHere(['verify', good, ...args, '--since', 'last.json'], { cwd: folder })
    expect(after.stdout).toMatch(/^Since the earlier report: 1 better, 0 worse\.$/m)
    expect(after.stdout).toMatch(/^ {2}Better: reads$/m)
    const json = await runHere(['verify', good, ...args, '--since', 'last.json', '--reporter', 'json'], { cwd: folder })
    expect(readReport(json.stdout).since?.better).toEqual(['reads'])
  })

  it.each([
    ['a missing file', 'none.json', 'none.json", which cannot be read. Use an existing file'],
    ['another file', 'other.json', 'other.json is not a report of verify. Write one with --reporter json'],
  ])('refuses --since with %s, before it sends anything', async (_case, name, sentence) => {
    const folder = await createTemporaryFolder({ 'other.json': '{}' })
    const result = await runHere(['verify', 'http://127.0.0.1:1', '--token', 'a', '--since', name], { cwd: folder })
    expect([result.status, result.stdout]).toEqual([2, ''])
    expect(result.stderr).toContain(sentence)
  })

  it('exits with 1 if an answer contradicts the specification', async () => {
    const url = await serve({ scenario: 'not-found' })
    const args = ['--token', 'a', '--only', 'getResourceById', '--quick']
    const { status, stdout } = await runHere(['verify', url, ...args])
    expect([status, stdout.includes('✗ getResourceById: ')]).toEqual([1, true])
  })

  it.each([
    [0, []],
    [1, ['--fail-on', 'any']],
  ] as const)('exits with %d if answers differ from decisions alone, with %j', async (expected, args) => {
    const service = await listen(createTerse())
    onTestFinished(() => service.close())
    const line = ['verify', service.url, '--client', 'a:b', '--only', 'heads', ...args]
    const { status, stdout } = await runHere(line)
    expect([status, stdout.includes('≠ '), stdout.includes('✗ ')]).toEqual([expected, true, false])
  })

  it.each([
    [
      'an option is invalid',
      ['--token', 'a', '--only', 'nothing'],
      '--only must be operation ids, anyPath or names of conversations',
    ],
    ['there is no token', [], 'verify needs credentials.'],
    ['the token is rejected', ['--token', 'foreign'], 'rejects the token: GET /acme/resource?limit=1 returned 401.'],
  ])('exits with 2 if %s', async (_case, args, sentence) => {
    const { status, stdout, stderr } = await runHere(['verify', await serve({ auth: 'strict' }), ...args])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
  })

  it('exits with 2 if nothing listens there', async () => {
    const { url, close } = await startServer({ port: 0 })
    await close()
    const { status, stderr } = await runHere(['verify', url, '--token', 'a'])
    expect([status, stderr]).toEqual([
      2,
      `${url} cannot be verified: GET /acme/resource?limit=1 got no response: ECONNREFUSED. Check the URL and that the service is running.\n`,
    ])
  })

  it('exits with 2 if nothing could be compared', async () => {
    const { status, stdout } = await runHere(['verify', await serve(), '--token', 'a', '--only', 'lifecycle'])
    expect([status, stdout.includes('no violations')]).toEqual([2, true])
  })

  it('exits with 2 if no response arrives in time', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const { status, stderr } = await runHere([
      'verify',
      `http://127.0.0.1:${port}`,
      '--token',
      'a',
      '--timeout',
      '50ms',
    ])
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
    const running = start(['verify', server.url, '--client', 'a:b', '--allow-writes', '--quick'])
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
