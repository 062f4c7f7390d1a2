import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/index.ts'
import type { MockOptions } from '../../../src/index.ts'
import { createFakePersistence } from '../../service/state/fake-persistence.ts'
import type { FakePersistence } from '../../service/state/fake-persistence.ts'

const HEADERS = { Accept: 'application/json', 'Accept-Language': 'de', 'Content-Type': 'application/json' }

/** A mock over a file, and the actions of a client and its test on one session. */
async function open(file: FakePersistence, options: MockOptions = {}) {
  const mock = await createMock({ auth: 'off', persistence: file, ...options })
  const call = async (method: string, path: string, body?: object) =>
    mock.fetch(
      new Request(`http://mock/@s1${path}`, {
        method,
        headers: HEADERS,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  const statusOf = async (method: string, path: string, body?: object) => (await call(method, path, body)).status
  return { mock, call, statusOf }
}

/** Closes a mock cleanly, and opens the next one over the same file. */
async function restart({ mock }: { mock: { close(): Promise<void> } }, file: FakePersistence, options?: MockOptions) {
  await mock.close()
  return open(file, options)
}

const draft = (key: string) => ({ key, objectTypeProperty: {} })
const rules = [{ match: { operation: 'createResource' }, times: 2, effect: { answer: { status: 503 } } }]

describe('a restart with persisted state', () => {
  it('keeps data and snapshots', async () => {
    const file = createFakePersistence()
    const first = await open(file)
    await first.statusOf('POST', '/acme/resource', draft('one'))
    await first.statusOf('PUT', '/__admin/snapshots/before')
    await first.statusOf('POST', '/acme/resource', draft('two'))
    const second = await restart(first, file)
    expect(await second.statusOf('GET', '/acme/resource/key=two')).toBe(200)
    expect(await second.statusOf('POST', '/__admin/snapshots/before/restore')).toBe(200)
    expect(await second.statusOf('GET', '/acme/resource/key=two')).toBe(404)
    expect(await second.statusOf('GET', '/acme/resource/key=one')).toBe(200)
  })

  it.each([
    ['the same fixtures', {}, []],
    ['other fixtures', { generate: 5 }, [expect.stringContaining('now apply to the new ones: @s1/acme.')]],
  ])('says which projects keep their data: over %s', async (_what, options: MockOptions, expected) => {
    const file = createFakePersistence()
    const first = await open(file)
    await first.statusOf('POST', '/acme/resource', draft('one'))
    const notices: string[] = []
    await restart(first, file, { ...options, onNotice: (notice) => notices.push(notice) })
    expect(notices).toEqual(expected)
  })

  it.each([
    ['a reset of the session', 'POST', '/__admin/reset', undefined, 200],
    ['a reset of the project', 'DELETE', '/__admin/state/acme', undefined, 200],
    ['another state of the project', 'PUT', '/__admin/state/acme', [], 200],
    ['the deletion of the session', 'DELETE', '/__admin/sessions/s1', undefined, 200],
  ])('no longer has what %s replaced', async (_what, method, path, body, status) => {
    const file = createFakePersistence()
    const { statusOf } = await open(file)
    await statusOf('POST', '/acme/resource', draft('replaced'))
    expect(file.kept()).toContain('replaced')
    expect(await statusOf(method, path, body)).toBe(status)
    expect(file.kept()).not.toContain('replaced')
  })

  it('lists defined scenarios in the same order, also one whose name is a number', async () => {
    const file = createFakePersistence()
    const first = await open(file)
    for (const name of ['one', '0'])
      await first.statusOf('PUT', `/__admin/scenarios/${name}`, { description: 'x', rules })
    const list = async ({ call }: Pick<typeof first, 'call'>) => (await call('GET', '/__admin/scenarios')).text()
    const before = await list(first)
    expect(await list(await restart(first, file))).toBe(before)
  })

  it('keeps the order of the requests of all sessions', async () => {
    const file = createFakePersistence()
    const list = async ({ mock }: Pick<Awaited<ReturnType<typeof open>>, 'mock'>) => {
      const response = await mock.fetch('/__admin/requests?session=*&summary=true')
      const { requests } = (await response.json()) as { readonly requests: readonly { readonly url: string }[] }
      return requests.map(({ url }) => url)
    }
    const first = await open(file, { clock: '2026-01-31T12:00:00Z' })
    const urls = ['/@a/acme/resource/1', '/@b/acme/resource/2', '/@a/acme/resource/3', '/@b/acme/resource/4']
    for (const url of urls) await first.mock.fetch(url)
    expect(await list(first)).toEqual(urls.toReversed())
    expect(await list(await restart(first, file))).toEqual(urls.toReversed())
  })

  it.each([
    ['gracefully', (mock: { close(): Promise<void> }) => mock.close()],
    ['in a crash', () => Promise.resolve()],
  ])('keeps selected and defined scenarios after the mock ended %s', async (_how, end) => {
    const file = createFakePersistence()
    const first = await open(file)
    await first.statusOf('PUT', '/__admin/scenarios/mine', { description: 'Twice unavailable.', rules })
    await first.statusOf('PUT', '/__admin/scenarios/active', { active: ['mine'] })
    await end(first.mock)
    const second = await open(file)
    expect(await second.statusOf('POST', '/acme/resource', draft('one'))).toBe(503)
    expect(await second.statusOf('POST', '/__admin/reset')).toBe(200)
    const third = await restart(second, file)
    expect(await third.statusOf('POST', '/acme/resource', draft('one'))).toBe(201)
  })

  it.each([
    ['gracefully', (mock: { close(): Promise<void> }) => mock.close()],
    ['in a crash', () => Promise.resolve()],
  ])('keeps a moved clock after the mock ended %s', async (_how, end) => {
    const clock = '2026-01-31T12:00:00.000Z'
    const nowOf = async ({ call }: Awaited<ReturnType<typeof open>>) => (await call('GET', '/__admin/clock')).json()
    const file = createFakePersistence()
    const first = await open(file, { clock })
    await first.statusOf('PUT', '/__admin/clock', { advance: '2h' })
    await end(first.mock)
    const second = await open(file, { clock })
    expect(await nowOf(second)).toEqual({ now: '2026-01-31T14:00:00.000Z' })
    await second.statusOf('DELETE', '/__admin/clock')
    expect(await nowOf(await restart(second, file, { clock }))).toEqual({ now: clock })
  })

  it("continues a scenario's counters", async () => {
    const file = createFakePersistence()
    const first = await open(file)
    await first.statusOf('PUT', '/__admin/scenarios/mine', { description: 'Twice unavailable.', rules })
    await first.statusOf('PUT', '/__admin/scenarios/active', { active: ['mine'] })
    expect(await first.statusOf('POST', '/acme/resource', draft('one'))).toBe(503)
    const second = await restart(first, file)
    expect(await second.statusOf('POST', '/acme/resource', draft('one'))).toBe(503)
    expect(await second.statusOf('POST', '/acme/resource', draft('one'))).toBe(201)
  })

  it('keeps the random sequence of a scenario', async () => {
    const often = [{ match: { operation: 'queryResources' }, probability: 0.5, effect: { answer: { status: 503 } } }]
    const ask = async (client: Awaited<ReturnType<typeof open>>, count: number) => {
      const statuses: number[] = []
      for (let at = 0; at < count; at += 1) statuses.push(await client.statusOf('GET', '/acme/resource'))
      return statuses
    }
    const begin = async (file: FakePersistence) => {
      const client = await open(file)
      await client.statusOf('PUT', '/__admin/scenarios/mine', { description: 'Often unavailable.', rules: often })
      await client.statusOf('PUT', '/__admin/scenarios/active', { active: ['mine'] })
      return client
    }
    const expected = await ask(await begin(createFakePersistence()), 30)
    const file = createFakePersistence()
    const first = await begin(file)
    const statuses = await ask(first, 11)
    expect([...statuses, ...(await ask(await restart(first, file), 19))]).toEqual(expected)
  })

  it('keeps the journal with its ids', async () => {
    const file = createFakePersistence()
    const first = await open(file)
    await first.statusOf('POST', '/acme/resource', draft('one'))
    await first.statusOf('GET', '/acme/resource/key=one')
    const list = async (client: typeof first) => (await client.call('GET', '/__admin/requests')).json()
    const before = await list(first)
    expect(before).toMatchObject({ requests: [{}, {}] })
    expect(await list(await restart(first, file))).toEqual(before)
  })

  it.each([
    '',
    'not JSON',
    '{"format":"resource-mock-journal/9"}\n{"entry":{}}',
    '{"format":"resource-mock-journal/1"}\n{"entry"',
  ])('starts without an unreadable journal: %j', async (journalText) => {
    const file = createFakePersistence()
    file.journalText = journalText
    const { statusOf } = await open(file)
    expect(await statusOf('GET', '/acme/resource')).toBe(200)
  })
})
