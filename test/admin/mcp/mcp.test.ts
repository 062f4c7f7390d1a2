import { readFileSync } from 'node:fs'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { call, callFor, overHttp, overStdio, start, transports } from './client.ts'

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

const READING = ['list_scenarios', 'query_resources', 'list_requests', 'get_request', 'explain_failure', 'coverage']
const ALL = [
  'list_scenarios',
  'activate_scenarios',
  'define_scenario',
  'seed_resources',
  'query_resources',
  'send_request',
  'list_requests',
  'get_request',
  'explain_failure',
  'coverage',
  'snapshot',
  'restore',
  'reset_session',
  'move_clock',
]

const hat = { id: '00000000-0000-4000-8000-00000000000a', key: 'hat', objectTypeProperty: {} }
const update = { version: 1, actions: [{ action: 'setKey', key: 'cap' }] }

it('docs/mcp.md lists every tool, in their order', () => {
  const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Tools\n')
  const [table = ''] = section.split('\n## ')
  const cells = Array.from(table.matchAll(/^\| (`\w+[ `].*?) \|/gm), ([, cell = '']) => cell)
  const names = cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)/g), ([, name]) => name))
  expect(names).toEqual([...ALL, 'verify_provider'])
})

describe.each(transports)('%s', (_name, reach) => {
  it('explains a conflict caused by a scenario, and how to recover', async () => {
    const client = await reach((await start()).url)
    await callFor(client, 'seed_resources', { records: [hat] })
    await callFor(client, 'activate_scenarios', { names: ['conflict-once'] })
    const path = `/acme/resource/${hat.id}`
    const sent = await callFor<{ id: string }>(client, 'send_request', { method: 'POST', path, body: update })
    expect(sent).toMatchObject({ operation: 'updateResource', response: { status: 409 } })
    expect(await callFor(client, 'explain_failure')).toMatchObject({
      id: sent.id,
      sentence: expect.stringMatching(
        /^You sent version 1, but version 2 had been current since .* UTC, written by the scenario conflict-once,/,
      ),
      cause: { kind: 'conflict', code: 'ConcurrentModification', scenarios: ['conflict-once'] },
      versions: [{ version: 2, writer: { kind: 'scenario', scenario: 'conflict-once' } }, { version: 1 }],
      decisions: expect.arrayContaining([expect.objectContaining({ id: 'D18' })]),
      remedy: expect.stringContaining('send it with the version just read'),
    })
  })

  it("explains a request with a resource key, including the resource's versions", async () => {
    const client = await reach((await start()).url)
    await callFor(client, 'seed_resources', { records: [hat] })
    await callFor(client, 'activate_scenarios', { names: ['not-found'] })
    await callFor(client, 'send_request', { method: 'GET', path: '/acme/resource/key=hat' })
    expect(await callFor(client, 'explain_failure')).toMatchObject({ status: 404, versions: [{ version: 1 }] })
  })

  it('explains a request without an operation by its near misses', async () => {
    const client = await reach((await start()).url)
    await callFor(client, 'send_request', { method: 'GET', path: '/acme/resorce' })
    expect(await callFor(client, 'explain_failure')).toMatchObject({
      status: 404,
      nearMisses: expect.arrayContaining([expect.objectContaining({ operation: 'queryResources' })]),
      decisions: [{ id: 'D24' }],
    })
  })

  it('lists the first 50 invalid values of a call, and counts the rest', async () => {
    const client = await reach((await start()).url)
    const { isError, text } = await call(client, 'seed_resources', { records: Array.from({ length: 2000 }, () => 1) })
    expect(isError).toBe(true)
    expect(text).toContain('records[48]: JSON Object expected.')
    expect(text).toContain('1951 more values in the body are invalid.')
    expect(text).not.toContain('records[49]')
    const name = 'x'.repeat(50_000)
    const named = await call(client, 'send_request', { method: 'GET', path: '/', headers: { [name]: 1 } })
    expect(named).toMatchObject({ isError: true })
    expect(named.text.length).toBeLessThan(5000)
  })

  it('rejects requests with more than 200 headers', async () => {
    const client = await reach((await start()).url)
    const headers = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, 'a']))
    const sent = await call(client, 'send_request', { method: 'GET', path: '/acme/resource', headers })
    expect(sent).toMatchObject({ isError: true, text: expect.stringContaining('at most 200 headers expected.') })
  })

  it('defines a scenario, and explains an invalid one', async () => {
    const client = await reach((await start()).url)
    const scenario = { description: 'Down', rules: [{ effect: { answer: { status: 503 } } }] }
    await callFor(client, 'define_scenario', { name: 'down', scenario })
    await callFor(client, 'activate_scenarios', { names: ['down'] })
    expect(await callFor(client, 'query_resources', { projectKey: 'acme' })).toMatchObject({ status: 503 })
    expect(await callFor(client, 'list_scenarios')).toMatchObject({ active: ['down'] })
    const wrong = await call(client, 'activate_scenarios', { names: ['dwon'] })
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('Did you mean "down"?') })
  })

  it('isolates sessions', async () => {
    const client = await reach((await start()).url)
    await callFor(client, 'seed_resources', { records: [hat], projectKey: 'acme', session: 'a' })
    const query = { projectKey: 'acme', where: 'key = "hat"', limit: 1 }
    const a = await callFor(client, 'query_resources', { ...query, session: 'a' })
    const other = await callFor(client, 'query_resources', query)
    expect([a, other]).toMatchObject([{ total: 1 }, { total: 0 }])
    expect(await callFor(client, 'list_requests', { session: 'a', limit: 5 })).toMatchObject({ requests: [{}] })
  })

  it('creates and restores snapshots, and resets the session', async () => {
    const client = await reach((await start()).url)
    const count = () => callFor(client, 'query_resources')
    await callFor(client, 'seed_resources', { records: [hat] })
    await callFor(client, 'snapshot', { name: 'one' })
    await callFor(client, 'seed_resources', { records: [] })
    await callFor(client, 'restore', { name: 'one' })
    expect(await count()).toMatchObject({ total: 1 })
    await callFor(client, 'reset_session')
    expect(await callFor(client, 'list_requests')).toEqual({ requests: [] })
    expect(await count()).not.toMatchObject({ total: 1 })
  })

  it('shows requests like the journal, without secrets', async () => {
    const client = await reach((await start()).url)
    const path = '/oauth/token?grant_type=client_credentials'
    const headers = { Authorization: `Basic ${btoa('shop:hush-hush')}` }
    const sent = await call(client, 'send_request', { method: 'POST', path, headers })
    const { requests } = await callFor<{ requests: { id: string }[] }>(client, 'list_requests', {
      pattern: { method: 'POST', urlPath: '/oauth/token' },
    })
    const kept = await call(client, 'get_request', { id: requests[0]?.id })
    expect(kept.value).toMatchObject(sent.value ?? {})
    expect(kept.value).toMatchObject({ request: { method: 'POST' }, response: { status: 200 } })
    expect(kept.text).toContain('[redacted]')
    expect(kept.text).not.toContain(btoa('shop:hush-hush'))
  })

  it.each([
    ['/__admin/shutdown', 'sends to the service'],
    ['/@other/__admin/reset', 'sends to the service'],
    ['/x/../__admin/reset', 'sends to the service'],
    ['/@other/acme/resource', 'pass session: "other"'],
  ])('sends no requests to %s', async (path, sentence) => {
    const client = await reach((await start()).url)
    const refused = await call(client, 'send_request', { method: 'POST', path })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(sentence) })
  })

  it('reports coverage', async () => {
    const client = await reach((await start()).url)
    await callFor(client, 'query_resources')
    const { unmet, of } = await callFor<{ of: number; unmet: { operations: string[] } }>(client, 'coverage')
    expect(unmet).toMatchObject({
      answers: { queryResources: expect.arrayContaining(['400', '503 (unavailable)', 'invalid_token (unauthorized)']) },
      scenarios: expect.arrayContaining(['conflict-once']),
      recoveries: expect.arrayContaining(['conflict']),
    })
    expect(unmet.operations).not.toContain('queryResources')
    const only = await callFor<{ of: number }>(client, 'coverage', { only: ['queryResources'] })
    expect(only).toMatchObject({ unmet: { operations: [] } })
    expect(only.of).toBeLessThan(of)
  })

  it('reads the contract, the decisions and the scenario schema', async () => {
    const client = await reach((await start()).url)
    const { resources } = await client.listResources()
    const texts = await Promise.all(
      resources.map(async ({ uri }) => {
        const { contents } = await client.readResource({ uri })
        const [first] = contents
        return [uri, JSON.parse(first !== undefined && 'text' in first ? first.text : '')] as const
      }),
    )
    expect(Object.fromEntries(texts)).toMatchObject({
      'mock://openapi': {
        operations: expect.arrayContaining([
          expect.objectContaining({ operation: 'updateResource', uri: 'mock://openapi/updateResource' }),
        ]),
      },
      'mock://decisions': { D24: 'unknown paths and methods' },
      'mock://scenario-schema': { properties: { rules: expect.anything() } },
    })
  })
})

describe('POST /__admin/mcp', () => {
  it('has all tools except the one that calls other services', async () => {
    expect(await namesOf(await overHttp((await start()).url))).toEqual(ALL)
  })

  it('uses the session in its URL', async () => {
    const { url, mock } = await start()
    await callFor(await overHttp(`${url}/@a`), 'activate_scenarios', { names: ['slow'] })
    const ask = async (path: string): Promise<unknown> => (await mock.fetch(path)).json()
    expect(await ask('/@a/__admin/scenarios/active')).toEqual({ active: ['slow'] })
    expect(await ask('/__admin/scenarios/active')).toEqual({ active: [] })
  })

  it('requires the admin token', async () => {
    const { url } = await start({ adminToken: 'secret' })
    await expect(overHttp(url)).rejects.toThrow()
    expect(await namesOf(await overHttp(url, { Authorization: 'Bearer secret' }))).toEqual(ALL)
  })

  it('rejects pages of other origins', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/__admin/mcp`, { method: 'POST', headers: { Origin: 'https://evil.example' } })
    expect(response.status).toBe(403)
  })
})

describe('resource-mock mcp', () => {
  it('starts its own mock, which apps can reach', async () => {
    const client = await overStdio('--scenario', 'slow')
    expect(await namesOf(client)).toEqual([...ALL, 'verify_provider'])
    expect(await callFor(client, 'list_scenarios')).toMatchObject({ active: ['slow'] })
    const [, url = ''] = /(http:\/\/[\d.:]+)\./.exec(client.getInstructions() ?? '') ?? []
    expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
  })

  it('omits tools that change anything with --read-only', async () => {
    const client = await overStdio('--read-only')
    expect(await namesOf(client)).toEqual(READING)
    const refused = await client.callTool({ name: 'reset_session', arguments: {} }).catch((fault: unknown) => fault)
    expect(JSON.stringify(refused instanceof Error ? refused.message : refused)).toContain('reset_session')
  })

  it('verifies another service', async () => {
    const { url } = await start()
    const report = await call(await overStdio('--url', url), 'verify_provider', { url, only: ['getResourceById'] })
    expect(report).toMatchObject({ isError: false, value: { mismatches: [] } })
  })

  it('reports that no mock is running', async () => {
    const refused = await call(await overStdio('--url', 'http://127.0.0.1:1'), 'list_scenarios')
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('No mock responds') })
  })
})

it('POST /__admin/mcp rejects arrays of messages, which would block other requests', async () => {
  const { url } = await start()
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const send = (body: unknown) =>
    fetch(`${url}/__admin/mcp`, { method: 'POST', headers, body: ` ${JSON.stringify(body)}` })
  expect((await send(message)).status).toBe(200)
  const refused = await send([message])
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('Send one JSON-RPC message')])
})

it('POST /__admin/mcp sends integers to the service with all digits', async () => {
  const { url } = await start()
  const resource = '{"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}'
  const call = `{"name":"send_request","arguments":{"method":"POST","path":"/acme/resource","body":${resource}}}`
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`
  await fetch(`${url}/__admin/mcp`, { method: 'POST', headers, body })
  const created = await fetch(`${url}/acme/resource?limit=500`, { headers: { Authorization: 'Bearer any' } })
  expect(await created.text()).toContain('[9223372036854775807]')
})
