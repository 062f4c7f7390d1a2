import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/index.ts'
import type { Mock, MockOptions } from '../../../src/index.ts'

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'

const open = (options: MockOptions = {}) => createMock({ auth: 'off', identity: 'body', ...options })

async function send(mock: Mock, method: string, path: string, body?: object) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return mock.fetch(`http://mock${path}`, { method, headers: { 'Content-Type': 'application/json' }, ...sent })
}

/** Everything that a mock serves before anything is written, besides times and ids of requests. */
async function readAll(mock: Mock): Promise<readonly string[]> {
  const paths = [
    '/acme/resource?limit=500',
    `/acme/resource/${TABLE}`,
    '/acme/resource/namespace-action',
    '/__admin/state/acme',
    '/__admin/scenarios',
    '/__admin/images',
  ]
  return Promise.all(paths.map(async (path) => (await send(mock, 'GET', path)).text()))
}

/** Writes to everything that comes from the fixtures. */
async function writeAll(mock: Mock): Promise<void> {
  const update = { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'mine' }] }
  const replies = [
    await send(mock, 'POST', `/acme/resource/${TABLE}`, update),
    await send(mock, 'POST', '/acme/resource', { key: 'mine', objectTypeProperty: { arrayOfIntExample: [7] } }),
    await send(mock, 'DELETE', '/acme/resource/key=linen-cushion'),
    await send(mock, 'POST', '/acme/resource/namespace-action', { mine: true }),
    await send(mock, 'PUT', '/__admin/scenarios/conflict', {
      description: 'Mine',
      rules: [{ effect: { answer: { status: 418 } } }],
    }),
    await send(mock, 'PUT', '/__admin/scenarios/active', { active: ['flaky'] }),
  ]
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
}

describe('two mocks of one process', () => {
  it('see nothing of each other, whichever was created first', async () => {
    const [one, two] = [await open(), await open()]
    const before = await readAll(two)
    await writeAll(one)
    expect(await readAll(two)).toEqual(before)
    expect(await readAll(await open())).toEqual(before)
    expect(await readAll(one)).not.toEqual(before)
  })

  it('count the rules of the built-in scenarios by themselves', async () => {
    const [one, two] = [await open({ scenario: 'unavailable-twice' }), await open({ scenario: 'unavailable-twice' })]
    const statusOf = async (mock: Mock) => (await send(mock, 'GET', '/acme/resource?limit=1')).status
    expect([await statusOf(one), await statusOf(one), await statusOf(one)]).toEqual([503, 503, 200])
    expect(await statusOf(two)).toBe(503)
  })

  it('have fixtures and scenarios of their own', async () => {
    const own = await open({ fixtures: { 'resources.json': '[]' } })
    expect(await (await send(own, 'GET', '/acme/resource')).json()).toMatchObject({ total: 0 })
    const builtIn = (await (await send(await open(), 'GET', '/acme/resource')).json()) as { total: number }
    expect(builtIn.total).toBeGreaterThan(0)
  })

  it('load what they are given, and again what is built in', async () => {
    const mock = await open()
    const before = await readAll(mock)
    await mock.reload({ fixtures: { 'resources.json': '[]', 'action.json': '{"own":true}' } })
    expect(await readAll(mock)).not.toEqual(before)
    await mock.reload({ fixtures: {} })
    expect(await readAll(mock)).toEqual(before)
  })
})
