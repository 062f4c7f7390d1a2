import { describe, expect, it } from 'vitest'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

/** The id of the newest request of the journal. */
async function findNewest(ask: Ask): Promise<string> {
  const { requests } = (await ask('GET', '/__admin/requests?limit=1')).body as {
    readonly requests: readonly { readonly id: string }[]
  }
  return requests[0]?.id ?? expect.fail('The journal is empty.')
}

interface Offered {
  readonly name: string
  readonly scenario: { readonly rules: readonly { readonly match: object; readonly effect: object }[] }
  readonly matches: readonly { readonly match: string; readonly hits: number }[]
  readonly meta: { readonly of: number }
}

/** The scenario for the newest request. */
async function offer(ask: Ask, match = 'path'): Promise<Offered> {
  const { body } = await ask('GET', `/__admin/requests/${await findNewest(ask)}/scenario?match=${match}`)
  return body as Offered
}

/** Defines the scenario and activates it. */
async function save(ask: Ask, { name, scenario }: Offered): Promise<void> {
  expect((await ask('PUT', `/__admin/scenarios/${name}`, { json: scenario })).status).toBeLessThan(300)
  expect((await ask('PUT', '/__admin/scenarios/active', { json: { active: [name] } })).status).toBe(200)
}

describe('GET /__admin/requests/{id}/scenario', () => {
  it('returns a scenario for more or fewer requests, with how many in the journal each would have hit', async () => {
    const { ask } = await createAsk()
    for (const path of [
      '/acme/resource/1',
      '/acme/resource/2',
      '/acme/resource',
      '/acme/resource/1?optionalQueryParameter=a',
    ])
      await ask('GET', path)
    const { name, scenario, matches, meta } = await offer(ask, 'request')
    expect(matches).toEqual([
      { match: 'operation', hits: 3 },
      { match: 'path', hits: 2 },
      { match: 'request', hits: 1 },
    ])
    expect(meta).toEqual({ of: 4 })
    expect(name).toBe('getResourceById-404')
    expect(scenario.rules).toEqual([
      {
        match: { operation: 'getResourceById', path: '/acme/resource/1', query: { optionalQueryParameter: 'a' } },
        effect: {
          answer: {
            status: 404,
            error: { code: 'ResourceNotFound', message: "The Resource with ID '1' was not found." },
          },
        },
      },
    ])
  })

  it('returns a scenario that causes the response again', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    await ask('GET', path, { headers: { 'X-Mock-Scenario': 'rate-limited' } })
    await ask('GET', path, { headers: { 'X-Mock-Scenario': 'unavailable' } })
    await save(ask, await offer(ask))
    const { status, headers } = await ask('GET', path)
    expect([status, headers.get('Retry-After'), headers.get('X-Mock-Scenario')]).toEqual([
      503,
      '1',
      'getResourceById-503',
    ])
  })

  it('causes a conflict by a concurrent write, so that the retry can succeed', async () => {
    const { ask } = await createAsk()
    const path = await create(ask)
    expect(await update(ask, path, 7)).toBe(409)
    const offered = await offer(ask, 'request')
    expect(offered.scenario.rules[0]).toMatchObject({
      // The version differs the next time.
      match: { operation: 'updateResource', body: { actions: [{ action: 'doSomeThing' }] } },
      effect: { advanceVersion: 1 },
    })
    expect(offered.matches).toContainEqual({ match: 'request', hits: 1 })
    await save(ask, offered)
    expect(await update(ask, path, 1)).toBe(409)
  })

  it('breaks the connection as it was broken', async () => {
    const { ask } = await createAsk()
    await expect(ask('GET', '/acme/resource', { headers: { 'X-Mock-Scenario': 'offline' } })).rejects.toThrow(TypeError)
    await save(ask, await offer(ask))
    await expect(ask('GET', '/acme/resource')).rejects.toThrow(TypeError)
  })

  it('repeats the body of a success', async () => {
    const { ask } = await createAsk()
    const first = await ask('GET', '/acme/resource?limit=2')
    await save(ask, await offer(ask, 'operation'))
    await create(ask)
    expect((await ask('GET', '/acme/resource')).body).toEqual(first.body)
  })

  it('refuses a request that matched no operation', async () => {
    const { ask } = await createAsk()
    await ask('GET', '/acme/nothing')
    const { status, text } = await ask('GET', `/__admin/requests/${await findNewest(ask)}/scenario`)
    expect([status, text]).toEqual([400, expect.stringContaining('matched no operation')])
  })
})
