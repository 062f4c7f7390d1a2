import { Redis } from 'ioredis'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { CoverageReport } from '../../../src/sessions/journal/coverage-report.ts'
import { base, create, newStoreUrl, startReplica, startThree, update } from './replicas.ts'
import type { Call, Replica } from './replicas.ts'

const inSession = (session: string) => ({ 'X-Mock-Session': session })

/** The coverage that a mock reports: of a session, or of all with `*`. */
const read = async ({ call }: Replica, session = 'default'): Promise<CoverageReport> =>
  (await call('GET', `/__admin/coverage?session=${session}`)).body as CoverageReport

/** How often an operation occurred, with the counts of its statuses and error codes. */
function metOf({ operations }: CoverageReport, id: string) {
  const { met, statuses = [], errors = [] } = operations.find((one) => one.id === id) ?? {}
  return {
    met,
    statuses: Object.fromEntries(statuses.flatMap((one) => (one.met > 0 ? [[one.status, one.met]] : []))),
    errors: Object.fromEntries(errors.flatMap((one) => (one.met > 0 ? [[one.code, one.met]] : []))),
  }
}

const readMet = async (replica: Replica, session?: string) => metOf(await read(replica, session), 'queryResources').met

async function readRecovery(replica: Replica, kind: string, session?: string): Promise<readonly number[]> {
  const { recoveries } = await read(replica, session)
  return recoveries.flatMap((one) => (one.kind === kind ? [one.failed, one.recovered] : []))
}

/** Makes the next request of the session fail. */
async function failOnce(call: Call, status: number, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const answer = { status, headers, stage: 'gateway', error: { code: 'General', message: 'For a test.' } }
  const scenario = { description: 'For a test', rules: [{ times: 1, effect: { answer } }] }
  expect((await call('PUT', '/__admin/scenarios/once', scenario)).status).toBeLessThan(300)
  expect((await call('PUT', '/__admin/scenarios/active', { active: ['once'] })).status).toBe(200)
}

describe('the coverage of mocks that share a store', () => {
  it.each([{}, { journal: 0 }])('includes the requests of all of them, with %j', async (options) => {
    const replicas = await startThree({ scenario: ['conflict-once'], ...options })
    const [one, two, three] = replicas
    const id = await create(one.call, 'counted')
    expect((await two.call('POST', `${base}/${id}`, update(1))).status).toBe(409)
    expect((await three.call('POST', `${base}/${id}`, update(2))).status).toBe(200)
    await Promise.all(Array.from({ length: 30 }, (_, at) => (replicas[at % 3] as Replica).call('GET', base)))
    for (const replica of replicas) {
      for (const session of ['default', '*']) {
        const report = await read(replica, session)
        expect(metOf(report, 'queryResources')).toEqual({ met: 30, statuses: { 200: 30 }, errors: {} })
        expect(metOf(report, 'updateResource')).toEqual({
          met: 2,
          statuses: { 200: 1, 409: 1 },
          errors: { ConcurrentModification: 1 },
        })
        expect(report.scenarios.filter(({ met }) => met > 0)).toMatchObject([{ name: 'conflict-once', met: 1 }])
        expect(report.recoveries).toContainEqual({ kind: 'conflict', failed: 1, recovered: 1 })
      }
    }
  })

  it('is separate for each session, with a total that includes ended sessions', async () => {
    const [one, two, three] = await startThree()
    await one.call('GET', base, undefined, inSession('a'))
    await two.call('GET', base, undefined, inSession('b'))
    expect((await three.call('DELETE', '/__admin/sessions/b')).status).toBe(200)
    for (const replica of [one, two, three]) {
      expect([await readMet(replica, 'a'), await readMet(replica, 'b'), await readMet(replica, '*')]).toEqual([1, 0, 2])
    }
    await one.call('GET', base, undefined, inSession('b'))
    expect([await readMet(two, 'b'), await readMet(three, '*')]).toEqual([1, 3])
  })

  it('is available to a mock that joins later', async () => {
    const url = newStoreUrl()
    const first = await startReplica(url)
    await first.call('GET', base)
    await failOnce(first.call, 503)
    expect((await first.call('GET', base)).status).toBe(503)
    const late = await startReplica(url)
    expect(await readMet(late)).toBe(2)
    expect((await late.call('GET', base)).status).toBe(200)
    expect(await readRecovery(first, 'unavailable')).toEqual([1, 1])
  })

  it('includes a connection that a scenario broke, without a status', async () => {
    const [one, two] = await startThree({ scenario: ['offline'] })
    await expect(one.call('GET', base)).rejects.toThrow(TypeError)
    expect(metOf(await read(two), 'queryResources')).toEqual({ met: 1, statuses: {}, errors: {} })
  })
})

it('is removed from the store with a session evicted at the limit, though the total stays', async () => {
  const url = newStoreUrl()
  const options = { maxSessions: 2, sessionTtl: '1ms' } as const
  const [one, two] = [await startReplica(url, options), await startReplica(url, options)]
  const client = new Redis(inject('storeUrl'))
  onTestFinished(() => client.disconnect())
  const listKeys = () => client.keys(`${new URL(url).searchParams.get('prefix')}:*:session:first:*`)
  await one.call('GET', base, undefined, inSession('first'))
  expect(await listKeys()).not.toEqual([])
  for (const name of ['second', 'third', 'fourth']) {
    await expect.poll(async () => (await one.call('GET', base, undefined, inSession(name))).status).toBe(200)
  }
  await expect.poll(async () => (await listKeys()).map((key) => key.split(':').at(-1))).toEqual(['head'])
  expect(await readMet(two, '*')).toBe(4)
})

describe('DELETE /__admin/coverage of mocks that share a store', () => {
  it.each([
    ['/@a/__admin/coverage', [0, 1, 2]],
    ['/__admin/coverage?session=*', [0, 0, 0]],
  ])('%s clears the counts at all of them', async (path, expected) => {
    const [one, two, three] = await startThree()
    await one.call('GET', base, undefined, inSession('a'))
    await two.call('GET', base, undefined, inSession('b'))
    expect((await three.call('DELETE', path)).status).toBe(200)
    for (const replica of [one, two, three]) {
      expect([await readMet(replica, 'a'), await readMet(replica, 'b'), await readMet(replica, '*')]).toEqual(expected)
    }
  })

  it('discards failures that could still recover', async () => {
    const [one, two, three] = await startThree()
    await failOnce(one.call, 503)
    expect((await one.call('GET', base)).status).toBe(503)
    await two.call('DELETE', '/__admin/coverage')
    expect((await three.call('GET', base)).status).toBe(200)
    expect(await readRecovery(one, 'unavailable')).toEqual([0, 0])
  })
})

describe('a request that failed at one of the mocks that share a store', () => {
  it('has recovered once if it is retried at others', async () => {
    const [one, two, three] = await startThree()
    const id = await create(one.call, 'raced')
    await one.call('POST', `${base}/${id}`, update(1))
    expect((await one.call('POST', `${base}/${id}`, update(1))).status).toBe(409)
    expect((await two.call('POST', `${base}/${id}`, update(2))).status).toBe(200)
    expect((await three.call('POST', `${base}/${id}`, update(3))).status).toBe(200)
    expect(await readRecovery(one, 'conflict')).toEqual([1, 1])
    expect(await readRecovery(two, 'conflict', '*')).toEqual([1, 1])
  })

  it('has not recovered in another session, or with another failure', async () => {
    const [one, two] = await startThree()
    await failOnce(one.call, 503)
    expect((await one.call('GET', base)).status).toBe(503)
    expect((await two.call('GET', base, undefined, inSession('other'))).status).toBe(200)
    await two.call('GET', `${base}?limit=none`)
    expect(await readRecovery(two, 'unavailable', '*')).toEqual([1, 0])
  })

  it.each([
    ['the same token has not recovered', 'Bearer first', 0],
    ['a new token has recovered', 'Bearer second', 1],
  ])('with 401 and is retried with %s; the store has neither token', async (_what, Authorization, recovered) => {
    const url = newStoreUrl()
    const [one, two] = [await startReplica(url), await startReplica(url)]
    await failOnce(one.call, 401)
    expect((await one.call('GET', base, undefined, { Authorization: 'Bearer first' })).status).toBe(401)
    const client = new Redis(inject('storeUrl'))
    onTestFinished(() => client.disconnect())
    const [failed] = await client.keys(`${new URL(url).searchParams.get('prefix')}:*:failed`)
    const kept = JSON.stringify(await client.hgetall(failed as string))
    expect(kept).toContain('unauthorized')
    expect(kept).not.toContain('first')
    expect((await two.call('GET', base, undefined, { Authorization })).status).toBe(200)
    expect(await readRecovery(one, 'unauthorized')).toEqual([1, recovered])
  })

  it('with 429 has recovered only if it waited, by the clock of the session', async () => {
    const [one, two] = await startThree()
    const fail = async () => {
      await failOnce(one.call, 429, { 'Retry-After': '3600' })
      expect((await one.call('GET', base)).status).toBe(429)
    }
    await fail()
    expect((await two.call('GET', base)).status).toBe(200)
    expect(await readRecovery(one, 'rateLimited')).toEqual([1, 0])
    await fail()
    await two.call('PUT', '/__admin/clock', { advance: '1h' })
    expect((await two.call('GET', base)).status).toBe(200)
    expect(await readRecovery(one, 'rateLimited')).toEqual([2, 1])
  })

  it('has recovered from an outage whose Retry-After is not a number of seconds', async () => {
    const [one, two] = await startThree()
    for (const seconds of ['Infinity', 'soon']) {
      await failOnce(one.call, 503, { 'Retry-After': seconds })
      expect((await one.call('GET', base)).status).toBe(503)
      expect((await two.call('GET', base)).status).toBe(200)
    }
    expect(await readRecovery(one, 'unavailable')).toEqual([2, 2])
  })

  it('is remembered if it is one of the last hundred', async () => {
    const [one, two] = await startThree({ scenario: ['unavailable'] })
    const pathOf = (at: number) => `/project-${at}/resource`
    for (let at = 0; at <= 100; at += 1) expect((await one.call('GET', pathOf(at))).status).toBe(503)
    await two.call('PUT', '/__admin/scenarios/active', { active: [] })
    for (const at of [0, 1]) expect((await two.call('GET', pathOf(at))).status).toBe(200)
    expect(await readRecovery(one, 'unavailable')).toEqual([101, 1])
  })
})
