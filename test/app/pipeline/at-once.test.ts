import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/mock.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'

/** Sends a request as a server does, after another one with the same token. */
async function serve(options: MockOptions, method: string, path: string, headers: Record<string, string> = {}) {
  const mock = await createMock(options)
  const toRequest = () =>
    new Request(`http://mock${path}`, { method, headers: { Authorization: 'Bearer any', ...headers } })
  await mock.serve(toRequest(), {})
  return { mock, served: mock.serve(toRequest(), {}) }
}

describe('a request that has nothing to wait for', () => {
  it('has its response at once, and is in the journal and the coverage', async () => {
    const { mock, served } = await serve({}, 'GET', '/acme/resource/key=none', { 'X-Mock-Session': 'a' })
    expect(served).toBeInstanceOf(Response)
    expect((await served).status).toBe(404)
    const requests = await mock.session('a').requests()
    expect(requests.map(({ response }) => response.status)).toEqual([404, 404])
    expect(await mock.session('a').coverage()).toMatchObject({ operations: expect.anything() as unknown })
  })
})

describe('a request waits', () => {
  it.each<[string, MockOptions, string, string, Record<string, string>]>([
    ['for a list', {}, 'GET', '/acme/resource', {}],
    ['for a scenario', {}, 'GET', '/acme/resource/1', { 'X-Mock-Scenario': 'not-found' }],
    ['for a preferred response', {}, 'GET', '/acme/resource/1', { Prefer: 'code=404' }],
    ['for its own delay', {}, 'GET', '/acme/resource/1', { 'X-Mock-Delay': '1' }],
    ['for the delay of the mock', { delay: '1' }, 'GET', '/acme/resource/1', {}],
    ['for a write', {}, 'DELETE', '/acme/resource/1', {}],
  ])('%s', async (_what, options, method, path, headers) => {
    const { served } = await serve(options, method, path, headers)
    expect(served).toBeInstanceOf(Promise)
    expect((await served).status).toBeLessThan(500)
  })
})
