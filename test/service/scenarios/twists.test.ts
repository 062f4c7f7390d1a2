import { describe, expect, it } from 'vitest'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { createClient, draft, errorOf, idOf, keysOf } from '../../support/client.ts'
import type { Client } from '../../support/client.ts'
import { hurry } from '../../support/hurry.ts'

type Rules = readonly object[]

/** A client of a mock whose one scenario, `test`, has these rules and applies if the header names it. */
const createWith = (rules: Rules, options: MockOptions = {}) =>
  createClient({ ...options, scenarios: { 'test.json': JSON.stringify({ description: 'For a test', rules }) } })
const played = { 'X-Mock-Scenario': 'test' }

const base = '/acme/resource'
const create = async (client: Client, key: string) => `${base}/${idOf(await client.post(base, draft({}, key)))}`
const nothing = [{ action: 'doSomeThing' }]

describe('advanceVersion', () => {
  it('is a real concurrent write: the 409 has the current version, and a retry with it succeeds', async () => {
    const client = await createWith([
      { match: { operation: 'updateResource' }, times: 1, effect: { advanceVersion: 3 } },
    ])
    const path = await create(client, 'abc')
    const refused = await client.post(path, { version: 1, actions: nothing }, played)
    expect(errorOf(refused)).toMatchObject({ status: 409, code: 'ConcurrentModification', currentVersion: 4 })
    expect(refused.headers.get('X-Mock-Scenario')).toBe('test')
    expect((await client.get(path)).body).toMatchObject({ version: 4 })
    expect((await client.get(path, { Prefer: 'identity=body' })).body).toMatchObject({
      someProperty: 'Changed by another writer',
    })
    expect(await client.post(path, { version: 4, actions: nothing }, played)).toMatchObject({
      status: 200,
      body: { version: 5 },
    })
  })

  it('finds a resource by its key too', async () => {
    const client = await createWith([{ effect: { advanceVersion: 1 } }])
    await create(client, 'abc')
    expect((await client.get(`${base}/key=abc`, played)).body).toMatchObject({ version: 2 })
  })

  it('ignores resources that do not exist', async () => {
    const client = await createWith([{ effect: { advanceVersion: 1 } }])
    expect((await client.get(`${base}/none`, played)).status).toBe(404)
    expect((await client.get(base, played)).status).toBe(200)
  })

  it('comes after validation: a refused request increments nothing', async () => {
    const client = await createWith([{ effect: { advanceVersion: 1 } }])
    const path = await create(client, 'abc')
    expect((await client.post(path, { version: 'one', actions: [] }, played)).status).toBe(400)
    expect((await client.get(path)).body).toMatchObject({ version: 1 })
  })
})

describe('a twist before an end', () => {
  const writer = { match: { operation: 'updateResource' }, effect: { advanceVersion: 1 } }
  const timeout = { status: 503, error: { code: 'OverCapacity', message: 'Too late.' } }

  it.each([
    ['an answer after validation', { answer: timeout }, 503],
    ['an answer at the gateway', { answer: { ...timeout, stage: 'gateway' } }, 503],
    ['an exhausted rate limit', { rateLimit: { requests: 1, perSeconds: 3600 } }, 429],
  ])('comes before %s', async (_case, effect, status) => {
    const client = await createWith([writer, { match: { operation: 'updateResource' }, effect }])
    const path = await create(client, 'abc')
    const update = { version: 1, actions: nothing }
    // A limit allows the first one, which the writer affects too.
    const moved = status === 429 ? [await client.post(path, update, played)].length + 1 : 1
    const ended = await client.post(path, update, played)
    expect(ended.status).toBe(status)
    expect(ended.headers.get('X-Mock-Scenario')).toBe('test')
    expect((await client.get(path)).body).toMatchObject({ version: 1 + moved })
  })

  it('comes before a broken connection', async () => {
    const client = await createWith([
      writer,
      { match: { operation: 'updateResource' }, effect: { fault: 'EMPTY_RESPONSE' } },
    ])
    const path = await create(client, 'abc')
    await expect(client.post(path, { version: 1, actions: nothing }, played)).rejects.toThrow()
    expect((await client.get(path)).body).toMatchObject({ version: 2 })
  })

  it('does not come after it', async () => {
    const client = await createWith([
      { match: { operation: 'updateResource' }, effect: { answer: { ...timeout, stage: 'gateway' } } },
      writer,
    ])
    const path = await create(client, 'abc')
    expect((await client.post(path, { version: 1, actions: nothing }, played)).status).toBe(503)
    expect((await client.get(path)).body).toMatchObject({ version: 1 })
  })

  it('is counted once', async () => {
    const client = await createWith([
      { ...writer, times: 1 },
      { match: { operation: 'updateResource' }, times: 2, effect: { answer: { ...timeout, stage: 'gateway' } } },
    ])
    const path = await create(client, 'abc')
    for (let sent = 0; sent < 2; sent += 1) await client.post(path, { version: 1, actions: nothing }, played)
    expect((await client.post(path, { version: 2, actions: nothing }, played)).body).toMatchObject({ version: 3 })
  })
})

describe('dropScopes', () => {
  it.each<readonly [readonly string[], string, number, number]>([
    [['manage_test'], 'view_test:acme,manage_test:acme', 200, 403],
    [['manage_test'], 'manage_project:acme', 200, 403],
    [['manage_test', 'view_test'], 'manage_project:acme', 403, 403],
    [['*'], 'anything', 403, 403],
    [['manage_products'], 'anything', 200, 201],
  ])('%j of the token %s', async (dropScopes, token, read, write) => {
    const client = await createWith([{ effect: { dropScopes } }])
    const headers = { ...played, Authorization: `Bearer ${token}` }
    expect((await client.get(base, headers)).status).toBe(read)
    const { status, headers: answered } = await client.post(base, draft(), headers)
    expect(status).toBe(write)
    if (status === 403) expect(answered.get('WWW-Authenticate')).toContain('error="insufficient_scope"')
  })

  it('takes them from every token, even if none is required', async () => {
    const client = await createWith([{ effect: { dropScopes: ['*'] } }], { auth: 'off' })
    expect(errorOf(await client.get(base, { ...played, Authorization: undefined }))).toMatchObject({
      status: 403,
      message: 'Insufficient scope. One of the following scopes is missing: manage_test:acme view_test:acme.',
    })
    expect((await client.get(`${base}/namespace-action`, played)).status).toBe(200)
  })
})

describe('expireToken', () => {
  it('is a 401 that a client cannot distinguish from a real one', async () => {
    const client = await createWith([{ times: 1, effect: { expireToken: true } }])
    const refused = await client.get(base, played)
    expect(errorOf(refused)).toMatchObject({ status: 401, code: 'invalid_token' })
    expect(refused.body).toMatchObject({ error: 'invalid_token' })
    expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer realm="acme", error="invalid_token"')
    expect((await client.get(base, played)).status).toBe(200)
  })
})

describe('hideResources', () => {
  it('hides the resources, and deletes none', async () => {
    const client = await createWith([{ effect: { hideResources: true } }])
    const path = await create(client, 'abc')
    expect((await client.get(base, played)).body).toMatchObject({ total: 0, results: [] })
    expect((await client.head(base, played)).status).toBe(404)
    for (const one of [path, `${base}/key=abc`]) expect((await client.get(one, played)).status).toBe(404)
    expect((await client.delete(path, played)).status).toBe(404)
    expect(keysOf(await client.get(base))).toEqual(['abc'])
  })

  it('still allows writes to the project', async () => {
    const client = await createWith([{ effect: { hideResources: true } }])
    expect((await client.post(base, draft({}, 'new'), played)).status).toBe(201)
    expect(keysOf(await client.get(base))).toEqual(['new'])
  })
})

describe('generate', () => {
  it('adds resources to reads: in lists, by id and by key, the same ones each time', async () => {
    const client = await createWith([{ effect: { generate: 25 } }])
    await create(client, 'own')
    const page = await client.get(`${base}?limit=2`, played)
    expect(page.body).toMatchObject({ count: 2, total: 26 })
    expect(keysOf(page)).toEqual(['own', 'generated-1'])
    const { results } = page.body as { readonly results: readonly { readonly id: string }[] }
    expect((await client.get(`${base}/${results[1]?.id}`, played)).status).toBe(200)
    expect((await client.get(`${base}/key=generated-25`, played)).status).toBe(200)
    expect((await client.get(`${base}/key=generated-26`, played)).status).toBe(404)
    expect((await client.get(`${base}?limit=2`, played)).text).toBe(page.text)
    expect((await client.get(base)).body).toMatchObject({ total: 1 })
  })

  it('allows writes to the resources of the project itself', async () => {
    const client = await createWith([{ effect: { generate: 5 } }])
    const path = await create(client, 'own')
    expect(await client.post(path, { version: 1, actions: nothing }, played)).toMatchObject({
      status: 200,
      body: { version: 2 },
    })
    expect((await client.post(base, draft({}, 'new'), played)).status).toBe(201)
    expect(keysOf(await client.get(base))).toEqual(['own', 'new'])
  })
})

describe('generated resources', () => {
  it.each<readonly [string, (client: Client, path: string) => Promise<{ readonly status: number }>]>([
    ['an update', async (client, path) => client.post(path, { version: 1, actions: nothing }, played)],
    ['a deletion', async (client, path) => client.delete(path, played)],
  ])('are 404 for %s, and stay unchanged', async (_what, write) => {
    const client = await createWith([{ effect: { generate: 3 } }])
    const page = await client.get(base, played)
    const [first] = (page.body as { readonly results: readonly { readonly id: string }[] }).results
    expect((await write(client, `${base}/${first?.id}`)).status).toBe(404)
    expect((await client.get(base, played)).text).toBe(page.text)
  })

  it('does not affect a draft with its key, which creates another resource', async () => {
    const client = await createWith([{ effect: { generate: 3 } }])
    expect(await client.post(base, draft({}, 'generated-1'), played)).toMatchObject({
      status: 201,
      body: { version: 1 },
    })
    expect(keysOf(await client.get(base))).toEqual(['generated-1'])
    const page = await client.get(base, played)
    expect(page.body).toMatchObject({ count: 3, total: 3 })
    expect(keysOf(page)).toEqual(['generated-1', 'generated-2', 'generated-3'])
  })

  it('can be written to if the mock starts with it', async () => {
    const client = await createClient({ generate: 1 })
    const path = `${base}/${idOf(await client.post(base, draft({}, 'generated-1')))}`
    expect((await client.delete(path)).status).toBe(200)
    expect((await client.get(`${base}/key=generated-1`)).status).toBe(404)
  })
})

describe('twists together', () => {
  it('all apply, in total', async () => {
    const client = await createWith([
      { effect: { advanceVersion: 1 } },
      { effect: { advanceVersion: 2 } },
      { effect: { delay: { fixedDelayMilliseconds: 1 } } },
    ])
    const path = await create(client, 'abc')
    expect((await client.get(path, played)).body).toMatchObject({ version: 4 })
  })

  it('yield between many rules, effects and writers', async () => {
    const rules = Array.from({ length: 20 }, () => ({ effect: { advanceVersion: 1 } }))
    const client = await createWith(rules)
    const path = await create(client, 'abc')
    const yields = hurry()
    expect((await client.get(path, played)).body).toMatchObject({ version: 21 })
    // The rules after the tenth are gone through at both stages, and their effects at one.
    expect(yields.mock.calls.length).toBeGreaterThanOrEqual(3 * 10 + rules.length)
  })

  it('never yield between few rules, so that a test with fake timers can advance a delay at once', async () => {
    const client = await createWith(
      Array.from({ length: 10 }, () => ({ effect: { delay: { fixedDelayMilliseconds: 1 } } })),
    )
    const path = await create(client, 'abc')
    const yields = hurry()
    expect((await client.get(path, played)).status).toBe(200)
    expect(yields).not.toHaveBeenCalled()
  })

  it('end with the first answer: only the effects before it apply', async () => {
    const client = await createWith([
      { effect: { advanceVersion: 1 } },
      { effect: { answer: { status: 503 } } },
      { effect: { advanceVersion: 5 } },
      { effect: { answer: { status: 500 } } },
    ])
    const path = await create(client, 'abc')
    expect((await client.get(path, played)).status).toBe(503)
    expect((await client.get(path)).body).toMatchObject({ version: 2 })
  })

  it('apply by stage: those at the gateway first', async () => {
    const client = await createWith([
      { effect: { answer: { status: 500 } } },
      { effect: { answer: { status: 503, stage: 'gateway' } } },
    ])
    expect((await client.get(base, played)).status).toBe(503)
  })

  it('count late ones only if a request gets that far', async () => {
    const client = await createWith([
      { times: 1, effect: { expireToken: true } },
      { match: { operation: 'updateResource' }, times: 1, effect: { advanceVersion: 1 } },
    ])
    const path = await create(client, 'abc')
    const statuses = []
    for (let at = 0; at < 3; at += 1) {
      const { version } = (await client.get(path)).body as { readonly version: number }
      statuses.push((await client.post(path, { version, actions: nothing }, played)).status)
    }
    expect(statuses).toEqual([401, 409, 200])
  })

  it('read the body of a request early, and leave it readable', async () => {
    const match = {
      operation: 'createResource',
      body: { objectTypeProperty: { arrayOfObjectType: [{ integerExample: 9223372036854775807n }] } },
    }
    const text = JSON.stringify([{ match, effect: { expireToken: true } }], (_name, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    const scenarios = {
      'test.json': `{ "description": "For a test", "rules": ${text.replace('"9223372036854775807"', '9223372036854775807')} }`,
    }
    const client = await createClient({ scenarios, scenario: 'test' })
    const property = (integerExample: bigint) => draft({ arrayOfObjectType: [{ integerExample }] })
    expect((await client.post(base, property(9223372036854775807n))).status).toBe(401)
    expect((await client.post(base, property(9223372036854775806n))).status).toBe(201)
    expect((await client.send('POST', base, { 'Content-Type': 'application/json' }, '{')).status).toBe(400)
  })
})
