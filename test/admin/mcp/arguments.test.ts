import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { call, callFor, overCommand, overHttp, start } from './client.ts'

interface Sent {
  readonly id: string
  readonly request: { readonly headers: Readonly<Record<string, string>> }
  readonly response: { readonly status: number }
}

async function connect() {
  const { url } = await start({ auth: 'strict' })
  const client = await overHttp(url)
  /** Sends a request, and reads it from the journal. */
  async function send(headers: Readonly<Record<string, string>>, body?: unknown) {
    const { id } = await callFor<Sent>(client, 'send_request', {
      method: body === undefined ? 'GET' : 'POST',
      path: '/acme/resource',
      headers,
      ...(body === undefined ? {} : { body }),
    })
    return callFor<Sent>(client, 'get_request', { id })
  }
  return { url, client, send }
}

/** A token issued by the mock, which is valid in strict mode. */
async function fetchToken(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('any:any')}` },
  })
  const { access_token: token } = (await response.json()) as { readonly access_token: string }
  return token
}

it('rejects a query whose URL is too long for a socket, and sends no request', async () => {
  const { client } = await connect()
  // Each slash takes three characters of the URL.
  const { isError, text } = await call(client, 'query_resources', { projectKey: 'acme', where: '/'.repeat(25_000) })
  expect([isError, text]).toEqual([true, expect.stringContaining('exceeds 64 KiB')])
  expect(await callFor(client, 'list_requests')).toEqual({ requests: [] })
})

it.each(['..', '.', 'unmatched', '../state', 'count'])('reads no other path for the request id %s', async (id) => {
  const { client } = await connect()
  const { isError, text } = await call(client, 'get_request', { id })
  expect([isError, text]).toEqual([true, expect.stringContaining(`The journal has no request "${id}".`)])
})

it.each(['..', '.'])('refuses the name %s, which a URL cannot contain', async (name) => {
  const { client } = await connect()
  const { isError } = await call(client, 'seed_resources', { projectKey: name, records: [] })
  expect(isError).toBe(true)
})

describe('send_request', () => {
  it('rejects a body for a method without one', async () => {
    const { client } = await connect()
    const answer = await call(client, 'send_request', { method: 'get', path: '/acme/resource', body: {} })
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^A get request cannot have a body\./) as string,
    })
  })

  it.each(['Authorization', 'authorization', 'AUTHORIZATION'])(
    'sends only the token of the header %s',
    async (name) => {
      const { url, send } = await connect()
      const { response } = await send({ [name]: `Bearer ${await fetchToken(url)}` })
      expect(response.status).toBe(200)
    },
  )

  it.each(['Authorization', 'authorization'])('sends no token if %s is empty', async (name) => {
    const { send } = await connect()
    const { request, response } = await send({ [name]: '' })
    expect(response.status).toBe(401)
    expect(request.headers).not.toHaveProperty('authorization')
  })

  it.each(['Content-Type', 'content-type'])('sends a body with the media type of %s, or without one', async (name) => {
    const { send } = await connect()
    const types = await Promise.all(
      [{}, { [name]: 'text/csv' }, { [name]: '' }].map(async (headers) => (await send(headers, 'a,b')).request.headers),
    )
    expect(types.map((headers) => headers['content-type'])).toEqual(['application/json', 'text/csv', undefined])
  })

  it.each([
    [{ 'X-Mock-Session': 'other' }, 'pass session: "other"'],
    [{ cookie: 'mock-session=other' }, 'pass session: "other"'],
    [{ 'a b': 'c' }, 'Invalid header "a b"'],
  ])('rejects the headers %j', async (headers, sentence) => {
    const { client } = await connect()
    const refused = await call(client, 'send_request', { method: 'GET', path: '/acme/resource', headers })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(sentence) })
  })

  it.each([
    [
      'a CORS preflight, which is not recorded in the journal',
      { method: 'OPTIONS', headers: { Origin: 'http://shop.example', 'Access-Control-Request-Method': 'POST' } },
      'CORS preflights and requests to /_pactSetup are not recorded',
    ],
    ['a request that cannot be sent', { method: 'TRACE' }, 'The request got no response'],
  ])('explains why it shows no response to %s', async (_what, request, sentence) => {
    const { client } = await connect()
    const refused = await call(client, 'send_request', { path: '/acme/resource', ...request })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(sentence) })
  })
})

describe('the correlation id of send_request', () => {
  it("is the agent's own if it sends one, even twice", async () => {
    const { send } = await connect()
    const headers = { 'x-correlation-id': 'checkout-7f3a' }
    const [first, second] = [await send(headers), await send(headers)]
    expect([first, second]).toMatchObject([
      { correlationId: 'checkout-7f3a', request: { headers } },
      { correlationId: 'checkout-7f3a', request: { headers } },
    ])
    expect(second.id).not.toBe(first.id)
  })

  it.each([
    ['malformed', 'a b'],
    ['empty', ''],
  ])('is replaced by the mock if it is %s', async (_what, value) => {
    const { send } = await connect()
    const { request, ...sent } = await send({ 'X-Correlation-ID': value })
    expect(request.headers['x-correlation-id']).toBe(value === '' ? undefined : value)
    expect(sent).toMatchObject({ correlationId: expect.stringMatching(/^[\w-]{8,}$/) })
  })

  it('finds a request that a scenario broke off', async () => {
    const { client, send } = await connect()
    await callFor(client, 'activate_scenarios', { names: ['offline'] })
    expect(await send({ 'X-Correlation-ID': 'checkout-7f3a' })).toMatchObject({
      correlationId: 'checkout-7f3a',
      response: { status: 0, fault: expect.any(String) },
    })
  })
})

describe('the arguments of a tool', () => {
  it('have a valid JSON schema', async () => {
    const { tools } = await (await overCommand((await start()).url)).listTools()
    const ajv = new Ajv2020({ strict: true })
    addFormats.default(ajv)
    for (const { name, inputSchema } of tools) expect(() => ajv.compile(inputSchema), name).not.toThrow()
    expect(tools.map(({ name }) => name)).toContain('verify_provider')
  })

  it('include a session, except for verify_provider, which calls another service', async () => {
    const { tools } = await (await overCommand((await start()).url)).listTools()
    const without = tools.filter(({ inputSchema }) => inputSchema.properties?.['session'] === undefined)
    expect(without.map(({ name }) => name)).toEqual(['verify_provider'])
  })

  it.each([
    ['list_scenarios', { sesion: 'a' }, 'sesion'],
    ['query_resources', { projectKey: 'acme', filter: 'x' }, 'filter'],
    ['verify_provider', { url: 'http://127.0.0.1:1', session: 'a' }, 'session'],
  ])('of %s are rejected if one is unknown: %j', async (name, args, unknown) => {
    const refused = await call(await overCommand((await start()).url), name, args)
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(new RegExp(`unrecognized.*"${unknown}"`, 'i')),
    })
  })
})
