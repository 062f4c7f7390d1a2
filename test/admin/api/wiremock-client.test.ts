import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WireMockRestClient } from 'wiremock-rest-client'
import type { RequestPattern } from 'wiremock-rest-client/dist/model/request-pattern.model.js'
import type { RunningServer } from '../../../src/edges/node/server.ts'
import { startServer } from '../../../src/edges/node/server.ts'

let server: RunningServer
let client: WireMockRestClient
beforeEach(async () => {
  server = await startServer({ port: 0, auth: 'off' })
  onTestFinished(() => server.close())
  client = new WireMockRestClient(server.url, { logLevel: 'silent' })
})

const post = (path: string, json: object) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  })

describe('the npm client of WireMock', () => {
  it('reads, counts, finds and removes requests', async () => {
    await fetch(`${server.url}/acme/resource?limit=1`)
    await post('/acme/resource', { objectTypeProperty: { arrayOfStringExample: ['a'] } })
    const { requests } = await client.requests.getAllRequests()
    expect(requests.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
      '/acme/resource',
      '/acme/resource?limit=1',
    ])
    const pattern: RequestPattern = {
      method: 'POST',
      urlPath: '/acme/resource',
      bodyPatterns: [{ equalToJson: '{"objectTypeProperty":{"arrayOfStringExample":["a"]}}' }],
    }
    expect(await client.requests.getCount(pattern)).toMatchObject({ count: 1 })
    expect(await client.requests.findRequests(pattern)).toMatchObject({ requests: [{ method: 'POST' }] })
    const [{ id }] = requests
    expect(await client.requests.getRequest(id)).toMatchObject({ id, request: { method: 'POST' } })
    await client.requests.deleteRequest(id)
    expect(await client.requests.getCount(pattern)).toMatchObject({ count: 0 })
    await client.requests.removeRequests({ method: 'GET' })
    expect(await client.requests.getAllRequests()).toMatchObject({ requests: [] })
  })

  it('finds unmatched requests and their near misses', async () => {
    await fetch(`${server.url}/acme/resorce`)
    expect(await client.requests.getUnmatchedRequests()).toMatchObject({ requests: [{ url: '/acme/resorce' }] })
    const misses: unknown = await client.requests.getUnmatchedNearMisses()
    const nearest: unknown = expect.objectContaining({
      stubMapping: expect.objectContaining({ name: 'queryResources' }),
    })
    expect(misses).toMatchObject({ nearMisses: expect.arrayContaining([nearest]) })
    expect(
      await client.requests.getNearMissesByRequestPattern({ method: 'GET', urlPath: '/acme/resource' }),
    ).toMatchObject({
      nearMisses: [{ request: { url: '/acme/resorce' } }],
    })
  })

  it.each([
    ['all requests', (one: WireMockRestClient) => one.requests.resetAllRequests()],
    ['all requests, by deleting them', (one: WireMockRestClient) => one.requests.deleteAllRequests()],
    ['everything', (one: WireMockRestClient) => one.global.resetAll()],
  ])('resets %s', async (_case, reset) => {
    await fetch(`${server.url}/acme/resource`)
    await reset(client)
    expect(await client.requests.getCount({})).toMatchObject({ count: 0 })
  })

  it('lists scenarios and restarts them', async () => {
    const listed: unknown = await client.scenarios.getAllScenarios()
    expect(listed).toMatchObject({ scenarios: expect.arrayContaining([expect.objectContaining({ name: 'conflict' })]) })
    await client.scenarios.resetAllScenarios()
  })

  it('finds the mock healthy, as it finds WireMock', async () => {
    const health = await (await fetch(`${server.url}/__admin/health`)).json()
    expect(health).toMatchObject({
      status: 'healthy',
      message: expect.any(String),
      version: expect.any(String),
      uptimeInSeconds: expect.any(Number),
      timestamp: expect.any(String),
    })
  })

  it('shuts down the server', async () => {
    await client.global.shutdown()
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow()
  })
})
