import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { serveHalfBuilt } from '../../tools/verify/half-built.ts'
import { call, callFor, overCommand, overHttp, overStdio, start, transports } from './client.ts'

const MOST_BYTES = 4096
const hat = { key: 'hat', objectTypeProperty: {} }
const FIRST_ID = '00000000-0000-4000-8000-000000000001'

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

/** Records the size of each answer in bytes. */
function measure(client: Client) {
  const sizes: (readonly [tool: string, bytes: number])[] = []
  return {
    sizes,
    async ask(name: string, args: Record<string, unknown> = {}) {
      const answer = await call(client, name, args)
      sizes.push([name, sizeOf(answer.text)])
      return answer
    },
  }
}

/** The tools whose answers are too large, with their sizes. */
const findLarge = (sizes: readonly (readonly [string, number])[]) => sizes.filter(([, bytes]) => bytes > MOST_BYTES)

describe.each(transports)('an agent with %s', (_name, reach) => {
  it('finds the cause of a conflict in 8 calls and 12 KB', async () => {
    const { ask, sizes } = measure(await reach((await start()).url))
    const path = `/acme/resource/${FIRST_ID}`
    const body = { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'red' }] }
    await ask('list_scenarios')
    await ask('seed_resources', { records: [hat] })
    await ask('activate_scenarios', { names: ['conflict-once'] })
    await ask('send_request', { method: 'POST', path, body })
    await ask('list_requests')
    expect((await ask('explain_failure')).value).toMatchObject({ cause: { kind: 'conflict' } })
    await ask('send_request', { method: 'POST', path, body: { ...body, version: 2 } })
    expect((await ask('query_resources', { where: 'key = "hat"' })).value).toMatchObject({
      results: [{ version: 3, someProperty: 'red' }],
    })
    expect(sizes.length).toBeLessThanOrEqual(8)
    expect(sizes.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(12 * 1024)
    expect(findLarge(sizes)).toEqual([])
  })

  it('gets at most 4 KB from each tool by default', async () => {
    const client = await reach((await start()).url)
    const { ask, sizes } = measure(client)
    const text = 'a'.repeat(5000)
    const large = { objectTypeProperty: { arrayOfStringExample: [text] } }
    const headers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x-own-${at}`, 'b'.repeat(200)]))
    await ask('seed_resources', { records: Array.from({ length: 200 }, (_, at) => ({ ...large, key: `hat-${at}` })) })
    await ask('query_resources')
    const wide = 'ü'.repeat(20_000)
    await ask('seed_resources', { records: [{ ...large, key: 'wide', someProperty: wide }] })
    expect((await ask('query_resources')).value).toMatchObject({
      results: [{ key: 'wide', someProperty: expect.stringMatching(/^ü+…$/) }],
      readOn: expect.stringContaining('whole: true'),
    })
    const sent = await ask('send_request', { method: 'POST', path: '/acme/resource', body: large, headers })
    await ask('get_request', { id: (sent.value as { id: string }).id })
    await ask('send_request', { method: 'POST', path: '/acme/resource', body: { key: wide } })
    for (let version = 1; version <= 20; version += 1) {
      const body = { version, actions: [{ action: 'changeSomeProperty', someProperty: text + version }] }
      await ask('send_request', { method: 'POST', path: `/acme/resource/${FIRST_ID}`, body })
    }
    const body = { version: 1, actions: [{ action: 'setKey', key: 'hat' }] }
    await ask('send_request', { method: 'POST', path: `/acme/resource/${FIRST_ID}`, body, headers })
    await ask('explain_failure')
    await ask('send_request', { method: 'GET', path: `/acme/resorce?where=${text}` })
    await ask('explain_failure')
    await ask('list_requests')
    await ask('send_request', { method: 'GET', path: '/acme/resource/searchApiPattern' })
    await ask('coverage')
    await ask('activate_scenarios', { names: Array.from({ length: 200 }, (_, at) => `no-${at}`) })
    await ask('define_scenario', { name: 'x', scenario: { rules: Array.from({ length: 200 }, () => ({ efect: 1 })) } })
    await ask('seed_resources', { records: Array.from({ length: 200 }, () => ({ kee: 1 })) })
    await ask('snapshot', { name: 'one' })
    await ask('restore', { name: 'one' })
    await ask('move_clock', { advance: '2h' })
    await ask('list_scenarios')
    await ask('reset_session')
    expect(findLarge(sizes)).toEqual([])
    const tools = (await client.listTools()).tools.map(({ name }) => name)
    expect(tools.filter((name) => sizes.every(([tool]) => tool !== name && name !== 'verify_provider'))).toEqual([])
  })
})

describe('an answer', () => {
  it('of verify_provider says what to fix first, and stays small however much is wrong', async () => {
    const url = await serveHalfBuilt({ created: 200, namesIds: false, lists: false })
    const args = { url, client: 'a:b', allowWrites: true, quick: true, only: ['createResource', 'queryResources'] }
    const { text } = await call(await overCommand((await start()).url), 'verify_provider', args)
    expect(JSON.parse(text)).toMatchObject({
      fixFirst: expect.stringMatching(/^createResource answers 200, not 201/),
      mismatches: expect.arrayContaining([expect.stringContaining('the mock answers')]),
      omitted: { mismatches: expect.any(Number) },
      readOn: expect.stringContaining('only'),
    })
    expect(sizeOf(text)).toBeLessThanOrEqual(MOST_BYTES)
  })

  it('of query_resources that was cut can be read on by its offset', async () => {
    const client = await overHttp((await start()).url)
    const ids: string[] = []
    for (let total = 1; ids.length < total;) {
      const page = await callFor<Page>(client, 'query_resources', { sort: 'createdAt asc', offset: ids.length })
      expect(page.results.length).toBeGreaterThan(0)
      if (ids.length === 0) {
        expect(page).toMatchObject({
          omitted: { results: 20 - page.results.length },
          readOn: expect.stringContaining('Pass offset'),
        })
      }
      ids.push(...page.results.map(({ id }) => id))
      total = page.total
    }
    expect(new Set(ids).size).toBe(26)
  })

  it.each([[undefined], [{ method: 'GET' }]])(
    'of list_requests can be read on, with the pattern %j',
    async (pattern) => {
      const client = await overHttp((await start()).url)
      for (let at = 0; at < 5; at += 1) await callFor(client, 'query_resources', { limit: 0 })
      const ids: string[] = []
      for (let size = 2; size === 2;) {
        const before = ids.at(-1)
        const { requests } = await callFor<Requests>(client, 'list_requests', {
          limit: 2,
          ...(pattern === undefined ? {} : { pattern }),
          ...(before === undefined ? {} : { before }),
        })
        ids.push(...requests.map(({ id }) => id))
        size = requests.length
      }
      expect(new Set(ids).size).toBe(5)
    },
  )

  it('has bodies as JSON, with large integers as strings, or as text', async () => {
    const client = await overHttp((await start()).url)
    const large = { objectTypeProperty: { arrayOfIntExample: [1] } }
    const path = '/acme/resource'
    const sent = await callFor<Sent>(client, 'send_request', { method: 'POST', path, body: large })
    expect(await callFor(client, 'get_request', { id: sent.id })).toMatchObject({
      request: { body: large },
      response: { body: { objectTypeProperty: { arrayOfIntExample: [1] } } },
    })
    const exact = '{"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}'
    const { response } = await callFor<Sent>(client, 'send_request', { method: 'POST', path, body: exact })
    expect(response.body).toMatchObject({ objectTypeProperty: { arrayOfIntExample: ['9223372036854775807'] } })
    const other = await callFor<Sent>(client, 'send_request', { method: 'POST', path, body: 'a,b' })
    expect(await callFor(client, 'get_request', { id: other.id })).toMatchObject({ request: { body: 'a,b' } })
  })

  it('is complete if whole is true', async () => {
    const client = await overHttp((await start()).url)
    const path = '/acme/resource'
    const brief = await callFor<Sent>(client, 'send_request', { method: 'GET', path })
    expect(brief).toMatchObject({
      omitted: { 'response.body.results': expect.any(Number) },
      readOn: expect.stringContaining('get_request'),
    })
    const { response, ...members } = await callFor<Sent>(client, 'get_request', { id: brief.id, whole: true })
    expect(response).toMatchObject({ body: { count: 20, results: expect.objectContaining({ length: 20 }) } })
    expect(members).not.toHaveProperty('omitted')
  })

  it('of send_request has no request, and the headers of the response', async () => {
    const client = await overHttp((await start()).url)
    const sent = await callFor<Sent>(client, 'send_request', { method: 'GET', path: '/acme/resource?limit=0' })
    expect(sent.response.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' })
    expect(sent).not.toHaveProperty('request')
  })
})

it('seed_resources replaces the resources of one project, or of all, until reset_session', async () => {
  const client = await overHttp((await start()).url)
  const readKeys = async (projectKey: string) => {
    const { results } = await callFor<Page>(client, 'query_resources', { projectKey, whole: true })
    return results.map(({ key = '' }) => key).toSorted((a, b) => a.localeCompare(b))
  }
  await callFor(client, 'seed_resources', { records: [hat, { ...hat, key: 'cap', id: 'own' }] })
  expect([await readKeys('acme'), await readKeys('other')]).toEqual([
    ['cap', 'hat'],
    ['cap', 'hat'],
  ])
  await callFor(client, 'seed_resources', { records: [], projectKey: 'other' })
  expect([await readKeys('acme'), await readKeys('other')]).toEqual([['cap', 'hat'], []])
  await callFor(client, 'reset_session')
  expect(await readKeys('acme')).toHaveLength(20)
})

interface Page {
  readonly total: number
  readonly results: readonly { readonly id: string; readonly key?: string }[]
}

interface Requests {
  readonly requests: readonly { readonly id: string }[]
}

interface Sent {
  readonly id: string
  readonly response: { readonly headers: object; readonly body: unknown }
}

describe('a tool', () => {
  it('has a title, and says whether it changes or replaces something', async () => {
    const { tools } = await (await overCommand((await start()).url)).listTools()
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true)
    expect(destructive.map(({ name }) => name)).toEqual([
      'define_scenario',
      'seed_resources',
      'send_request',
      'snapshot',
      'restore',
      'reset_session',
      'verify_provider',
    ])
    for (const { name, title, annotations } of tools) {
      expect(title, name).toEqual(expect.any(String))
      expect(annotations?.readOnlyHint === true && annotations.destructiveHint, name).toBe(false)
    }
  })

  it('moves the clock', async () => {
    const client = await overHttp((await start()).url)
    expect(await callFor(client, 'move_clock', { now: '2030-01-31T12:00:00Z' })).toMatchObject({
      now: expect.stringMatching(/^2030-01-31T12:00/),
    })
    expect(await callFor(client, 'move_clock', { advance: '2h' })).toMatchObject({
      now: expect.stringMatching(/^2030-01-31T14:00/),
    })
  })

  it('defines a scenario without a description', async () => {
    const client = await overHttp((await start()).url)
    const scenario = { rules: [{ effect: { answer: { status: 503 } } }] }
    expect(await callFor(client, 'define_scenario', { name: 'down', scenario })).toEqual({ active: [] })
  })

  it('shows the schema of a scenario', async () => {
    const { tools } = await (await overHttp((await start()).url)).listTools()
    const schema = tools.find(({ name }) => name === 'define_scenario')?.inputSchema
    expect(schema?.properties).toMatchObject({
      scenario: { required: ['rules'], properties: { rules: { type: 'array' }, description: { type: 'string' } } },
    })
  })

  it.each([
    [
      'define_scenario',
      { name: 'a', scenario: { rules: [{ efect: {} }, { effect: { answer: { status: 'x' } }, times: 0 }] } },
      [
        /"scenario\.rules\[0\]\.efect"\. Did you mean "effect"\?/,
        /scenario\.rules\[0\]\.effect/,
        /scenario\.rules\[1\]\.times/,
      ],
    ],
    ['seed_resources', { records: [{ kee: 1 }, { key: 1 }] }, [/records\[0\]\.kee".*"key"\?/, /records\[1\]\.key/]],
    ['query_resources', { projectkey: 'acme', limit: -1 }, [/Did you mean "projectKey"\?/, /limit/]],
  ])('%s reports all faults of %j at once', async (tool, args, patterns) => {
    const { isError, text } = await call(await overHttp((await start()).url), tool, args)
    expect(isError).toBe(true)
    for (const pattern of patterns) expect(text).toMatch(pattern)
  })

  it.each([
    ['get_request', { id: 'none' }, 'list_requests lists the ids of requests.'],
    ['restore', { name: 'none' }, 'no snapshot "none"'],
    ['activate_scenarios', { names: ['slwo'] }, 'Did you mean "slow"?'],
    ['verify_provider', { url: 'http://127.0.0.1:1', client: 'a:b' }, 'Check'],
  ])('%s explains why it refuses %j', async (tool, args, sentence) => {
    const { isError, text } = await call(await overCommand((await start()).url), tool, args)
    expect([isError, text]).toEqual([true, expect.stringContaining(sentence)])
  })

  it('reports what failed when it verifies a service', async () => {
    const { url } = await start({ scenario: 'not-found' })
    const report = await call(await overCommand(url), 'verify_provider', {
      url,
      only: ['getResourceById', 'getResourceByKey'],
    })
    expect(report.value).toMatchObject({
      mismatches: expect.arrayContaining([expect.stringContaining('getResourceById')]),
    })
    expect(sizeOf(report.text)).toBeLessThanOrEqual(MOST_BYTES)
  })
})

describe('the OpenAPI resource', () => {
  it('describes each operation by itself', async () => {
    const client = await overHttp((await start()).url)
    const { contents } = await client.readResource({ uri: 'mock://openapi/updateResource' })
    const [first] = contents
    const document: unknown = JSON.parse(first !== undefined && 'text' in first ? first.text : '')
    expect(document).toMatchObject({
      paths: { '/{projectKey}/resource/{id}': { post: { operationId: 'updateResource' } } },
      components: { schemas: { UpdateRequest: expect.anything() } },
    })
    expect(JSON.stringify(document)).not.toContain('Cart')
  })

  it('suggests the name of an operation', async () => {
    const client = await overHttp((await start()).url)
    await expect(client.readResource({ uri: 'mock://openapi/updateResorce' })).rejects.toThrow(
      'Did you mean "updateResource"?',
    )
  })
})

it('two agents without --url each get a mock on a free port, and its address', async () => {
  const clients = await Promise.all([overStdio(), overStdio()])
  const urls = await Promise.all(
    clients.map(async (client) => (await callFor<{ url: string }>(client, 'list_scenarios')).url),
  )
  expect(new Set(urls).size).toBe(2)
  for (const [at, url] of urls.entries()) {
    expect(clients[at]?.getInstructions()).toContain(url)
    expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
  }
})
