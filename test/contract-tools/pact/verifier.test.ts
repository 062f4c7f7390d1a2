import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseJson, stringifyJson } from '../../../src/service/http/json.ts'
import { createMock } from '../../../src/mock.ts'
import type { Mock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { createAsk, runLifeCycle } from '../../sessions/pact/suite.ts'
import type { Ask } from '../../sessions/pact/suite.ts'
import { startLittleService } from './little-service.ts'
import { serviceProgram, verify } from './verify.ts'

/** Changes a response of the mock, to simulate another provider. */
type Change = (response: Response, request: Request) => Response | Promise<Response>

async function startProvider(options: MockOptions = {}, change: Change = (response) => response): Promise<string> {
  const mock = await createMock(options)
  const answer = async (request: Request) => change(await mock.fetch(request), request)
  const listener = getRequestListener(answer, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns the pact of a suite that runs against a fresh mock. */
async function record(suite: (ask: Ask, mock: Mock) => Promise<void>, options: MockOptions = {}): Promise<string> {
  const mock = await createMock(options)
  await suite(createAsk(mock, 'suite'), mock)
  const url = 'http://mock/@suite/__admin/pact?consumer=storefront&provider=resource-service'
  return (await mock.fetch(new Request(url))).text()
}

describe("a suite's pact", () => {
  it('is satisfied by another mock, for the life cycle of every operation', async () => {
    const { isHeld, output } = await verify(await record(runLifeCycle), await startProvider())
    expect(isHeld, output).toBe(true)
  })

  it('is satisfied in any order, and under a base URL with another session', async () => {
    const pact = parseJson(await record(runLifeCycle)) as { interactions: unknown[] }
    const turned = stringifyJson({ ...pact, interactions: pact.interactions.toReversed() })
    const { isHeld, output } = await verify(turned, `${await startProvider({ auth: 'strict' })}/@verify/eu/gcp`)
    expect(isHeld, output).toBe(true)
  })
})

const DRAFT = { key: 'suite', objectTypeProperty: { arrayOfStringExample: ['oak'] } }
const UPDATE = { version: 3, actions: [{ action: 'doSomeThing' }] }
const TABLE = '/df3775a4-90ef-4965-b751-d48698f3949f'

describe('the scenarios of a pact', () => {
  it('are those that fired, and fire again whatever their counters and chances were', async () => {
    const pact = await record(async (ask, mock) => {
      const session = mock.session('suite')
      for (const [scenario, times] of [
        ['conflict-once', 2],
        ['unavailable-twice', 3],
        ['flaky', 8],
        ['rate-limited', 6],
        ['missing-scope', 1],
        ['expired-token', 2],
      ] as const) {
        await session.use(scenario)
        for (let time = 0; time < times; time += 1) await ask('POST', TABLE, { json: UPDATE })
        for (let time = 0; time < times; time += 1) await ask('GET', TABLE)
      }
      await session.use('large-catalog')
      await ask('GET', '?limit=2&offset=100')
      await session.use('not-found', 'slow')
      await ask('GET', TABLE)
      await session.use({ name: 'tea', rules: [{ after: 1, effect: { answer: { status: 418 } } }] })
      await ask('GET', TABLE)
      await ask('GET', TABLE)
    })
    const names = [...pact.matchAll(/"providerStates":\[\{"name":"([^"]+)"/g)].map(([, name]) => name)
    expect(new Set(names)).toEqual(
      new Set([
        'a project with these resources',
        'conflict-once',
        'expired-token',
        'flaky',
        'large-catalog',
        'missing-scope',
        'rate-limited',
        'slow, not-found',
        'tea',
        'unavailable-twice',
      ]),
    )
    const { isHeld, output } = await verify(pact, await startProvider())
    expect(isHeld, output).toBe(true)
  })
})

/** Changes the JSON of an operation's responses. */
const changing =
  (operation: string, change: (body: Record<string, unknown>) => unknown): Change =>
  async (response) => {
    if (response.headers.get('X-Mock-Operation') !== operation) return response
    const { status, headers } = response
    return new Response(JSON.stringify(change((await response.json()) as Record<string, unknown>)), { status, headers })
  }

const changingHead =
  (operation: string, change: (headers: Headers) => number): Change =>
  async (response) => {
    if (response.headers.get('X-Mock-Operation') !== operation) return response
    const headers = new Headers(response.headers)
    return new Response(await response.text(), { status: change(headers), headers })
  }

describe('a provider that violates a pact', () => {
  it.each<[string, Change]>([
    ['omits a member', changing('getResourceById', ({ version: _left, ...body }) => body)],
    ['sends a float instead of an integer', changing('getResourceById', (body) => ({ ...body, version: 1.5 }))],
    [
      'sends strings instead of numbers',
      changing('getResourceById', (body) => ({ ...body, objectTypeProperty: { arrayOfIntExample: ['1'] } })),
    ],
    ['finds nothing', changing('queryResources', (body) => ({ ...body, results: [] }))],
    [
      'uses its own date format',
      changing('queryResources', ({ results, ...body }) => ({
        ...body,
        results: (results as object[]).map((one) => ({ ...one, createdAt: '1 January 2024' })),
      })),
    ],
    ['accepts a stale update', changingHead('updateResource', () => 200)],
    [
      'uses other error codes',
      changing('updateResource', (body) => ({ ...body, errors: [{ code: 'Stale', message: 'M', currentVersion: 3 }] })),
    ],
    ['sends another status', changingHead('createResource', () => 200)],
    [
      'does not send the Location',
      changingHead('createResource', (headers) => {
        headers.delete('Location')
        return 201
      }),
    ],
  ])('is reported: it %s', async (_what, change) => {
    const pact = await record(async (ask) => {
      await ask('POST', '', { json: DRAFT })
      await ask('GET', TABLE)
      await ask('POST', TABLE, { json: { ...UPDATE, version: 1 } })
      await ask('GET', '?limit=2')
    })
    expect(pact.match(/"description"/g)).toHaveLength(4)
    const { isHeld, output } = await verify(pact, await startProvider({}, change))
    expect(isHeld, output).toBe(false)
    expect(output).toMatch(/\b1 (?:failure|interaction|failed)|1\) Verifying a pact/)
    expect(output).not.toContain('2) Verifying')
  })
})

/** Lets a provider use what the contract leaves free. */
const usingItsOwn: Change = async (response) => {
  const headers = new Headers(response.headers)
  const challenge = headers.get('WWW-Authenticate')
  if (challenge !== null) headers.set('WWW-Authenticate', challenge.replace('Bearer', 'Basic realm="x", bearer'))
  const body = parseJson(await response.text()) as Record<string, unknown>
  if (Array.isArray(body['errors'])) body['errors'].push({ code: 'AnotherCode', message: 'M' })
  if (Array.isArray(body['lineItems'])) body['lineItems'] = []
  return new Response(stringifyJson(body), { status: response.status, headers })
}

describe('a provider may', () => {
  it('report further errors and challenges, and have an empty cart', async () => {
    const pact = await record(async (ask) => {
      await ask('GET', '/nobody')
      await ask('GET', TABLE, { headers: { Authorization: 'Bearer manage_products:acme' } })
      await ask('GET', '/namespace-action-with-example')
    })
    const { isHeld, output } = await verify(pact, await startProvider({}, usingItsOwn))
    expect(isHeld, output).toBe(true)
  })

  it('keep payloads with arrays of several types', async () => {
    const payload = { mixed: [1, 'a', null, { b: 1 }, [2]], entries: [{ one: 1 }, { one: 'a' }], nested: [[1], ['a']] }
    const pact = await record(async (ask) => {
      await ask('POST', '/namespace-action', { json: payload })
      await ask('GET', '/namespace-action')
    })
    const { isHeld, output } = await verify(pact, await startProvider())
    expect(isHeld, output).toBe(true)
  })
})

describe("a provider's own token", () => {
  it('is requested in the provider state setup', async () => {
    const tokens = new Set<string | null>()
    const url = await startProvider({}, (response, request) => {
      if (request.url.endsWith('/_pactSetup')) return Response.json({ accessToken: 'own' })
      tokens.add(request.headers.get('Authorization'))
      return response
    })
    const { isHeld, output } = await verify(await record(async (ask) => void (await ask('GET', TABLE))), url)
    expect(isHeld, output).toBe(true)
    expect([...tokens]).toEqual(['Bearer own'])
  })
})

/**
 * Sends requests that are accepted, rejected for their token, rejected for their scopes, and rejected for their content.
 */
async function runTokens(ask: Ask): Promise<void> {
  const created = await ask('POST', '', { json: DRAFT })
  const path = `/${created.headers.get('Location')?.split('/').at(-1)}`
  await ask('POST', path, { json: { ...UPDATE, version: 1 } })
  await ask('POST', path, { json: { ...UPDATE, version: 1 } })
  await ask('POST', '', { json: { key: 'suite' } })
  await ask('GET', path, { headers: { Authorization: `Basic ${btoa('a:b')}` } })
  await ask('GET', path, { headers: { Authorization: 'Bearer manage_products:acme' } })
  await ask('DELETE', `${path}?version=2`, { headers: { Authorization: 'Bearer view_test:acme' } })
  await ask('GET', path)
  await ask('GET', '/key=suite')
  await ask('DELETE', `${path}?version=2`)
  await ask('GET', path)
}

describe('a service that handles provider states itself and issues its own tokens', () => {
  it('satisfies the pact if it is a mock with auth: strict', async () => {
    const tokens = new Set<string>()
    const url = await startProvider({ auth: 'strict' }, (response, request) => {
      tokens.add(request.headers.get('Authorization') ?? '')
      return request.url.endsWith('/_pactSetup') ? new Response('', { status: 404 }) : response
    })
    const own = `
      const replaceResources = (projectKey, resources) =>
        fetch(\`${url}/__admin/state/\${projectKey}\`, { method: 'PUT', body: JSON.stringify(resources) })
      const getToken = async (scopes) => {
        const headers = { Authorization: \`Basic \${btoa('pact:secret')}\` }
        const body = new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') })
        const answer = await fetch('${url}/oauth/token', { method: 'POST', headers, body })
        return (await answer.json()).access_token
      }
    `
    const { isHeld, output } = await verify(await record(runTokens), url, own + serviceProgram)
    expect(isHeld, output).toBe(true)
    expect([...tokens].filter((token) => /^Bearer [a-z_]+:acme$/.test(token))).toEqual([])
  })

  it('satisfies the pact if it is another service with its own messages', async () => {
    const url = await startLittleService()
    const own = `
      const send = (method, path, body) =>
        fetch('${url}/test/' + path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      const replaceResources = (_projectKey, resources) => send('PUT', 'resources', resources)
      const getToken = async (scopes) => (await send('POST', 'tokens', scopes)).json()
    `
    const { isHeld, output } = await verify(await record(runTokens), url, own + serviceProgram)
    expect(isHeld, output).toBe(true)
  })
})
