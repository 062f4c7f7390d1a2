import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAsk as createAdminAsk } from '../../admin/api/ask.ts'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import { SECRET, createAsk, runLifeCycle } from './suite.ts'
import type { Ask } from './suite.ts'

interface Message {
  readonly headers?: Readonly<Record<string, readonly string[]>>
  readonly body?: { readonly content: unknown; readonly contentType: string; readonly encoded: unknown }
  readonly matchingRules: Readonly<Record<string, Readonly<Record<string, { readonly matchers: readonly unknown[] }>>>>
}

interface Pact {
  readonly consumer: { readonly name: string }
  readonly provider: { readonly name: string }
  readonly interactions: readonly {
    readonly type: string
    readonly description: string
    readonly providerStates: readonly { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[]
    readonly request: Message & { readonly method: string; readonly path: string; readonly generators: object }
    readonly response: Message & { readonly status: number }
  }[]
  readonly metadata: { readonly 'resource-mock': { readonly leftOut?: readonly object[] } }
}

/** The documentation of Pact support. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/pact.md'), 'utf8')

const URL = 'http://mock/@suite/__admin/pact?consumer=storefront&provider=resource-service'

async function readPact(mock: Mock): Promise<{ readonly text: string; readonly pact: Pact }> {
  const text = await (await mock.fetch(new Request(URL))).text()
  return { text, pact: JSON.parse(text) as Pact }
}

async function record(suite: (ask: Ask) => Promise<unknown>) {
  const mock = await createMock({ auth: 'off' })
  await suite(createAsk(mock, 'suite'))
  return readPact(mock)
}

const matchesOnly = (regex: string) => ({ combine: 'AND', matchers: [{ match: 'regex', regex }] })

const TABLE = '/df3775a4-90ef-4965-b751-d48698f3949f'

describe('GET /__admin/pact', () => {
  it('names consumer, provider and version, and has one interaction for each exchange', async () => {
    const { pact } = await record((ask) => ask('GET', TABLE))
    expect(pact).toMatchObject({
      consumer: { name: 'storefront' },
      provider: { name: 'resource-service' },
      interactions: [
        {
          type: 'Synchronous/HTTP',
          description: 'getResourceById answers 200',
          request: { method: 'GET', path: `/acme/resource${TABLE}` },
          response: { status: 200 },
        },
      ],
      metadata: { pactSpecification: { version: '4.0' } },
    })
  })

  it('matches responses by the types of the contract', async () => {
    const { pact } = await record((ask) => ask('GET', '?limit=2'))
    const { body = {}, header = {} } = pact.interactions[0]?.response.matchingRules ?? {}
    const matchersOf = (path: string) => body[path]?.matchers
    expect(matchersOf('$.results')).toEqual([{ match: 'type', min: 1 }])
    expect(matchersOf('$.results[*].version')).toEqual([{ match: 'integer' }])
    expect(matchersOf('$.results[*].createdAt')).toEqual([{ match: 'regex', regex: expect.stringContaining('T') }])
    expect(matchersOf('$.results[*].objectTypeProperty.arrayOfFloatExample[*]')).toEqual([{ match: 'number' }])
    expect(matchersOf('$.results[*].key')).toEqual([{ match: 'type' }])
    expect(header['Content-Type']?.matchers).toEqual([{ match: 'regex', regex: '^application/json\\b.*$' }])
  })

  it('requires only the members that all entries of an array have', async () => {
    const { pact } = await record(async (ask) => {
      await ask('POST', '', { json: { objectTypeProperty: {} } })
      return ask('GET', '?limit=500')
    })
    const [, { response } = expect.fail('nothing')] = pact.interactions
    const content = response.body?.content as { readonly results: readonly object[] } | undefined
    expect(content?.results.map((one) => Object.keys(one))).toEqual([
      ['id', 'version', 'objectTypeProperty', 'createdAt', 'lastModifiedAt'],
    ])
  })

  it('matches headers by the patterns of the contract', async () => {
    const mock = await createMock()
    const ask = createAsk(mock, 'suite')
    await ask('GET', TABLE)
    await ask('GET', TABLE, { headers: { Authorization: 'Bearer manage_products:acme' } })
    const { pact } = await readPact(mock)
    const headers = pact.interactions.map(({ response }) => response.matchingRules['header'])
    expect(headers).toEqual([
      expect.objectContaining({ ETag: matchesOnly('^"\\d+"$') }),
      expect.objectContaining({ 'WWW-Authenticate': matchesOnly(expect.any(String)) }),
    ])
    const { regex = '' } = (headers[1]?.['WWW-Authenticate']?.matchers[0] ?? {}) as { readonly regex?: string }
    const pattern = new RegExp(regex)
    const challenges = ['Bearer realm="acme"', 'bearer', 'Basic realm="x", BEARER realm="acme"', 'Basic', 'Bearers']
    expect(challenges.map((one) => pattern.test(one))).toEqual([true, true, true, false, false])
  })

  it('does not require the values of an array of several types, nor those of a member', async () => {
    const payload = { mixed: [1, 'a', null, {}], all: [1, 2], entries: [{ one: 1 }, { one: 'a' }] }
    const { pact } = await record(async (ask) => {
      await ask('POST', '/namespace-action', { json: payload })
      return ask('GET', '/namespace-action')
    })
    const { response } = pact.interactions[1] ?? expect.fail('nothing')
    expect(response.body?.content).toEqual({ mixed: [], all: [1], entries: [{}] })
  })

  it('requires the members that every cart has, but no items', async () => {
    const { pact } = await record((ask) => ask('GET', '/namespace-action-with-example'))
    const { body = {} } = pact.interactions[0]?.response.matchingRules ?? {}
    expect(body['$.lineItems']?.matchers).toEqual([{ match: 'type', min: 0 }])
    expect(body['$.lineItems[*].price.centAmount']?.matchers).toEqual([{ match: 'integer' }])
    expect(Object.keys(body).filter((path) => path.includes('attributes.'))).toEqual([])
  })

  it('matches error codes exactly, but not messages', async () => {
    const { pact } = await record((ask) => ask('GET', '/unknown'))
    const { body = {} } = pact.interactions[0]?.response.matchingRules ?? {}
    expect(body['$.errors[0].code']?.matchers).toEqual([{ match: 'regex', regex: '^(ResourceNotFound)$' }])
    expect(body['$.errors[*].code']?.matchers).toEqual([{ match: 'type' }])
    expect(body['$.message']?.matchers).toEqual([{ match: 'type' }])
  })

  it.each([
    ['a read', (ask: Ask) => ask('GET', TABLE), ['view_test:acme']],
    ['a write', (ask: Ask) => ask('DELETE', TABLE), ['manage_test:acme']],
    [
      'an upload',
      (ask: Ask) => ask('POST', '/images', { body: 'none', headers: { 'Content-Type': 'image/gif' } }),
      ['manage_products:acme'],
    ],
    ['an action', (ask: Ask) => ask('GET', '/namespace-action'), ['view_test:acme']],
    [
      'a rejected write',
      (ask: Ask) => ask('DELETE', TABLE, { headers: { Authorization: 'Bearer view_test:acme' } }),
      ['view_test:acme'],
    ],
    [
      'a rejected read',
      (ask: Ask) => ask('GET', TABLE, { headers: { Authorization: 'Bearer manage_products:acme' } }),
      ['manage_products:acme'],
    ],
  ])('lists the scopes that the token of %s needs, and sends the token it received', async (_what, act, scopes) => {
    const mock = await createMock()
    await act(createAsk(mock, 'suite'))
    const { request, providerStates } = (await readPact(mock)).pact.interactions[0] ?? expect.fail('nothing')
    expect(providerStates[0]?.params['scopes']).toEqual(scopes)
    expect(request.generators).toEqual({
      header: { Authorization: { type: 'ProviderState', expression: 'Bearer ${accessToken}', dataType: 'STRING' } },
    })
  })

  it('requires the error envelope, and the current version after a conflict', async () => {
    const { pact } = await record(async (ask) => {
      await ask('GET', '?limit=many')
      await ask('POST', TABLE, { json: { version: 1, actions: [] } })
    })
    const [bad, conflict] = pact.interactions.map(({ response }) => response)
    expect(bad?.body?.content).toEqual({
      statusCode: 400,
      message: expect.any(String),
      errors: [{ code: expect.any(String), message: expect.any(String) }],
    })
    expect(conflict?.body?.content).toMatchObject({ errors: [{ code: 'ConcurrentModification', currentVersion: 3 }] })
    expect(conflict?.matchingRules['body']?.['$.errors[*].currentVersion']?.matchers).toEqual([{ match: 'type' }])
  })

  it('includes the resources that an exchange depends on', async () => {
    const { pact } = await record((ask) => ask('DELETE', `${TABLE}?version=3`))
    expect(pact.interactions[0]?.providerStates).toEqual([
      {
        name: 'a project with these resources',
        params: {
          projectKey: 'acme',
          scopes: ['manage_test:acme'],
          resources: [{ id: TABLE.slice(1), version: 3, objectTypeProperty: expect.any(Object) }],
        },
      },
    ])
  })

  it("contains no secrets, only an example bearer token and a placeholder for the provider's token", async () => {
    const { text, pact } = await record(runLifeCycle)
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(btoa(`a:${SECRET}`))
    expect(text).not.toContain('redacted')
    const [{ request } = expect.fail('nothing')] = pact.interactions
    expect(request.headers?.['Authorization']).toEqual(['Bearer manage_test:acme'])
    expect(request.matchingRules['header']).toMatchObject({ Authorization: { matchers: [{ match: 'regex' }] } })
    expect(request.generators).toMatchObject({ header: { Authorization: { type: 'ProviderState' } } })
  })

  it('contains identical exchanges in the same state once, and numbers others with the same description', async () => {
    const { pact } = await record(async (ask) => {
      for (const path of [TABLE, TABLE, '/key=walnut-desk']) await ask('GET', path)
      await ask('GET', `${TABLE}?optionalQueryParameter=a`)
    })
    expect(pact.interactions.map(({ description }) => description)).toEqual([
      'getResourceById answers 200',
      'getResourceByKey answers 200',
      'getResourceById answers 200 (2)',
    ])
  })

  it('omits requests without an operation, and lists those that cannot be replayed', async () => {
    const { pact } = await record(async (ask) => {
      await ask('GET', '/../basket')
      await ask('POST', '', { body: '{', headers: { 'Content-Type': 'application/json' } })
      await ask('POST', '/namespace-action', { json: 5 })
      await ask('POST', '/namespace-action', { json: ['a'.repeat(70_000)] })
    })
    expect(pact.interactions).toEqual([])
    expect(pact.metadata['resource-mock'].leftOut).toEqual([
      { request: 'POST /acme/resource', reason: expect.stringContaining('not a JSON object or array') },
      {
        request: 'POST /acme/resource/namespace-action',
        reason: expect.stringContaining('not a JSON object or array'),
      },
      {
        request: 'POST /acme/resource/namespace-action',
        reason: expect.stringContaining('exceeds what the journal keeps'),
      },
    ])
  })

  it("writes numbers so that the verifier's proxy keeps them within 64 bits", async () => {
    const numbers = [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 9_007_199_254_740_993n, 1]
    const { text } = await record((ask) =>
      ask('POST', '', { json: { objectTypeProperty: { arrayOfIntExample: numbers } } }),
    )
    const [, sent = ''] = /"request":.*?"arrayOfIntExample":(\[[^\]]*\])/.exec(text) ?? []
    expect(JSON.stringify(JSON.parse(sent))).toBe(sent)
    expect(sent).toBe('[9223372036854775000,-9223372036854775000,9007199254740992,1]')
  })

  it.each([
    ['', 'consumer'],
    ['?consumer=a', 'provider'],
    ['?consumer=&provider=b', 'consumer'],
    [`?consumer=${'a'.repeat(201)}&provider=b`, 'consumer'],
  ])('responds with 400 and a message to %j', async (search, field) => {
    const { ask } = await createAdminAsk()
    const { status, body } = await ask('GET', `/__admin/pact${search}`)
    expect([status, body]).toEqual([400, expect.objectContaining({ errors: [expect.objectContaining({ field })] })])
  })
})

it('docs/pact.md requests a pact as served', async () => {
  const [, target = ''] = /curl 'http:\/\/[^/]+(.*?)'/.exec(page) ?? []
  const { ask } = await createAdminAsk()
  expect((await ask('GET', target)).body).toMatchObject({ consumer: { name: 'storefront' }, interactions: [] })
})

describe('POST /_pactSetup', () => {
  const setUp = '/_pactSetup'

  it('activates scenarios by name, like the header', async () => {
    const { ask } = await createAdminAsk()
    expect(
      (await ask('POST', setUp, { json: { state: 'slow, conflict-once', action: 'setup', params: {} } })).status,
    ).toBe(200)
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: ['slow', 'conflict-once'] })
    await ask('POST', setUp, { json: { state: 'none' } })
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: [] })
  })

  it('resets for every state, and after a teardown', async () => {
    const { ask } = await createAdminAsk()
    await ask('DELETE', `/acme/resource${TABLE}`)
    await ask('POST', setUp, { json: { state: 'conflict' } })
    expect((await ask('GET', `/acme/resource${TABLE}`)).status).toBe(200)
    await ask('POST', setUp, { json: { state: 'conflict', action: 'teardown' } })
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: [] })
  })

  it('replaces all resources with those of a state, in one project or in all', async () => {
    const { ask } = await createAdminAsk()
    const params = { resources: [{ key: 'chair', version: 7, objectTypeProperty: {} }] }
    await ask('POST', setUp, {
      json: { state: 'a project with these resources', params: { ...params, projectKey: 'acme' } },
    })
    expect((await ask('GET', '/acme/resource/key=chair')).headers.get('ETag')).toBe('"7"')
    expect((await ask('GET', '/beta/resource/key=chair')).status).toBe(404)
    await ask('POST', setUp, { json: { state: '', params } })
    expect((await ask('GET', '/beta/resource/key=chair')).status).toBe(200)
  })

  it("changes the request's session", async () => {
    const { ask } = await createAdminAsk()
    await ask('POST', `/@verify${setUp}`, { json: { state: 'conflict' } })
    await ask('POST', setUp, { json: { state: 'slow' }, headers: { 'X-Mock-Session': 'other' } })
    expect((await ask('GET', '/@verify/__admin/scenarios/active')).body).toEqual({ active: ['conflict'] })
    expect((await ask('GET', '/@other/__admin/scenarios/active')).body).toEqual({ active: ['slow'] })
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: [] })
  })

  it.each([
    [{ state: 'conflit' }, 'Did you mean "conflict"?'],
    [{ state: 5 }, 'Invalid provider state: state is not of the expected type.'],
    [[], 'Invalid provider state: the body is not of the expected type.'],
    [{ state: '', params: { resources: [{ key: 'a' }] } }, 'params.resources'],
    [{ state: 'mine', params: { definitions: { mine: { rules: [] } } } }, 'Malformed scenario'],
  ])('responds with 400 and a message to %j, and changes nothing', async (json, sentence) => {
    const { ask } = await createAdminAsk({ scenario: 'slow' })
    const { status, text } = await ask('POST', setUp, { json })
    expect([status, text]).toEqual([400, expect.stringContaining(JSON.stringify(sentence).slice(1, -1))])
    expect((await ask('GET', '/__admin/scenarios/active')).body).toEqual({ active: ['slow'] })
  })

  it('counts its scenario definitions toward the memory', async () => {
    const { ask } = await createAdminAsk({ memory: '1mb' })
    const scenario = (length: number) => ({
      description: 'Long',
      rules: [{ effect: { answer: { status: 500, body: { text: 'x'.repeat(length) } } } }],
    })
    const setSession = (session: string, length: number) =>
      ask('POST', `/@${session}${setUp}`, {
        json: { state: 'long', params: { definitions: { long: scenario(length) } } },
      })
    const tooLong = await setSession('a', 200_000)
    expect([tooLong.status, tooLong.text]).toEqual([503, expect.stringContaining('raise --memory')])
    expect((await ask('GET', '/@a/__admin/scenarios/active')).body).toEqual({ active: [] })
    for (const session of ['a', 'b']) expect((await setSession(session, 120_000)).status).toBe(200)
    const definition = { json: scenario(60_000) }
    expect((await ask('PUT', '/@c/__admin/scenarios/more', definition)).status).toBe(503)
    expect((await setSession('c', 60_000)).status).toBe(503)
    await setSession('a', 1)
    expect((await ask('PUT', '/@c/__admin/scenarios/more', definition)).status).toBe(201)
  })

  it('defines up to a hundred scenarios', async () => {
    const { ask } = await createAdminAsk()
    const setMany = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `s${at}`)
      const rules = [{ effect: { answer: { status: 500 } } }]
      const definitions = Object.fromEntries(names.map((name) => [name, { description: 'One of many', rules }]))
      return ask('POST', setUp, { json: { state: names.join(), params: { definitions } } })
    }
    expect((await setMany(100)).status).toBe(200)
    expect((await setMany(101)).status).toBe(503)
  })

  it('requires the same authorization as the admin API', async () => {
    const { ask } = await createAdminAsk({ adminToken: 'admin' })
    const json = { state: 'conflict' }
    expect((await ask('POST', setUp, { json })).status).toBe(401)
    expect((await ask('POST', setUp, { json, headers: { Authorization: 'Bearer admin' } })).status).toBe(200)
    expect((await ask('POST', setUp, { json, headers: { Origin: 'https://evil.example.com' } })).status).toBe(403)
  })

  it('allows only POST, and is not recorded in the journal', async () => {
    const { ask } = await createAdminAsk()
    expect((await ask('GET', setUp)).status).toBe(405)
    expect((await ask('GET', '/__admin/requests')).body).toMatchObject({ requests: [] })
  })

  it('leaves the paths of a project named _pactSetup unchanged', async () => {
    const { ask } = await createAdminAsk()
    expect((await ask('GET', '/_pactSetup/resource?limit=1')).status).toBe(200)
  })
})
