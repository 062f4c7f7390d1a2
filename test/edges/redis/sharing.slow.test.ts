import { describe, expect, it } from 'vitest'
import { base, create, draft, listen, newStoreUrl, startReplica, startThree, update } from './replicas.ts'
import type { Replica } from './replicas.ts'

const inSession = (session: string) => ({ 'X-Mock-Session': session })

describe('the data of mocks that share a store', () => {
  it('are visible to the others immediately', async () => {
    const [one, two, three] = await startThree()
    for (let at = 0; at < 10; at += 1) {
      const id = await create(one.call, `key-${at}`)
      expect((await two.call('GET', `${base}/key=key-${at}`)).status).toBe(200)
      expect((await three.call('DELETE', `${base}/${id}`)).status).toBe(200)
      expect((await one.call('GET', `${base}/${id}`)).status).toBe(404)
    }
  })

  it('have one winner of every race for a version, and the current version in every 409', async () => {
    const replicas = await startThree()
    const id = await create(replicas[0].call, 'raced')
    for (let version = 1; version <= 10; version += 1) {
      const racers = Array.from({ length: 50 }, (_, at) =>
        (replicas[at % 3] as Replica).call('POST', `${base}/${id}`, update(version)),
      )
      const answers = await Promise.all(racers)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const losers = answers.filter(({ status }) => status === 409)
      expect(losers.map(({ body }) => body.errors[0].currentVersion)).toEqual(Array(49).fill(version + 1))
    }
  })

  it('are the fixtures again after a reset, and gone with their session, everywhere', async () => {
    const [one, two, three] = await startThree()
    await create(one.call, 'kept', inSession('s1'))
    expect((await two.call('POST', '/__admin/reset', undefined, inSession('s1'))).status).toBe(200)
    expect((await three.call('GET', `${base}/key=kept`, undefined, inSession('s1'))).status).toBe(404)
    await create(one.call, 'other', inSession('s1'))
    expect((await two.call('DELETE', '/__admin/sessions/s1')).status).toBe(200)
    expect((await three.call('GET', `${base}/key=other`, undefined, inSession('s1'))).status).toBe(404)
    expect((await one.call('POST', base, draft('again'), inSession('s1'))).status).toBe(201)
    expect((await two.call('GET', `${base}/key=again`, undefined, inSession('s1'))).status).toBe(200)
  })

  it('cannot be written in a permanently deleted session, whichever mock deleted it', async () => {
    const [one, two, three] = await startThree()
    await create(one.call, 'kept', inSession('s1'))
    expect((await two.call('DELETE', '/__admin/sessions/s1?final=true')).status).toBe(200)
    for (const { call } of [one, two, three]) {
      const refused = await call('POST', base, draft('late'), inSession('s1'))
      expect([refused.status, refused.body.message]).toEqual([
        400,
        'The session "s1" was permanently deleted (DELETE with final=true). Use another name.',
      ])
    }
  })

  it('are restored from a snapshot of another mock', async () => {
    const [one, two, three] = await startThree()
    const id = await create(one.call, 'kept')
    expect((await one.call('PUT', '/__admin/snapshots/before')).status).toBe(201)
    await two.call('POST', `${base}/${id}`, update(1))
    expect((await three.call('POST', '/__admin/snapshots/before/restore')).status).toBe(200)
    for (const { call } of [one, two, three]) {
      expect((await call('GET', `${base}/${id}`)).body.version).toBe(1)
    }
  })

  it('are available to a mock that joins later, even after compaction', async () => {
    const url = newStoreUrl()
    const first = await startReplica(url)
    const id = await create(first.call, 'changed')
    const filler = { arrayOfStringExample: ['x'.repeat(20_000)] }
    for (let version = 1; version <= 30; version += 1) {
      const actions = [{ action: 'changeSomeProperty', someProperty: 'y'.repeat(20_000) }]
      expect((await first.call('POST', `${base}/${id}`, { version, actions })).status).toBe(200)
    }
    await first.call('POST', base, { key: 'filled', objectTypeProperty: filler })
    const removed = await create(first.call, 'removed')
    expect((await first.call('DELETE', `${base}/${removed}`)).status).toBe(200)
    const second = await startReplica(url)
    expect((await second.call('GET', `${base}/${id}`)).body.version).toBe(31)
    expect((await second.call('GET', base)).text).toBe((await first.call('GET', base)).text)
    expect((await second.call('GET', `${base}/${removed}`)).status).toBe(404)
  })

  it('get unique ids with a frozen clock, whichever mock creates them', async () => {
    const replicas = await startThree({ clock: '2026-01-01T00:00:00Z' })
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, at) => create((replicas[at % 3] as Replica).call, `key-${at}`)),
    )
    expect(new Set(ids).size).toBe(30)
  })
})

describe('the scenarios of mocks that share a store', () => {
  it('are active, and defined, at all of them', async () => {
    const [one, two, three] = await startThree()
    const scenario = {
      description: 'For this test',
      rules: [
        {
          match: { method: 'GET' },
          effect: { answer: { status: 503, error: { code: 'OverCapacity', message: 'Busy.' } } },
        },
      ],
    }
    expect((await one.call('PUT', '/__admin/scenarios/mine', scenario)).status).toBe(201)
    expect((await two.call('PUT', '/__admin/scenarios/active', { active: ['mine'] })).status).toBe(200)
    expect((await three.call('GET', base)).status).toBe(503)
    await three.call('DELETE', '/__admin/scenarios/active')
    expect((await one.call('GET', base)).status).toBe(200)
  })

  it('fail exactly as often as configured, in each of 200 sessions', async () => {
    const replicas = await startThree({ scenario: ['unavailable-twice'] })
    const failures = Array.from({ length: 200 }, () => 0)
    for (let round = 0; round < 6; round += 1) {
      const statuses = await Promise.all(
        failures.map(async (_, at) => {
          const { call } = replicas[(at + round) % 3] as Replica
          return (await call('GET', base, undefined, inSession(`s${at}`))).status
        }),
      )
      for (const [at, status] of statuses.entries()) failures[at] = (failures[at] ?? 0) + (status === 503 ? 1 : 0)
    }
    expect(failures).toEqual(failures.map(() => 2))
  })

  it('fail exactly twice for fifty concurrent requests', async () => {
    const replicas = await startThree({ scenario: ['unavailable-twice'] })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (replicas[at % 3] as Replica).call('GET', base)),
    )
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(2)
    const [one] = replicas
    const { body } = await one.call('GET', '/__admin/scenarios')
    const found = body.scenarios.find(({ name }: { name: string }) => name === 'unavailable-twice')
    expect(found.rules[0].counter).toEqual({ seen: 50, fired: 2, left: 0 })
  })

  it('restart when their counters are reset at another mock', async () => {
    const [one, two, three] = await startThree({ scenario: ['unavailable-twice'] })
    const statuses = async () => {
      const all: number[] = []
      for (const { call } of [one, two, three]) all.push((await call('GET', base)).status)
      return all
    }
    expect(await statuses()).toEqual([503, 503, 200])
    await two.call('POST', '/__admin/scenarios/reset')
    expect(await statuses()).toEqual([503, 503, 200])
  })

  it('act by the clock again when they are activated again at another mock', async () => {
    const [one, two] = await startThree()
    const rule = { during: { to: 3600 }, effect: { answer: { status: 503, stage: 'gateway' } } }
    await one.call('PUT', '/__admin/scenarios/outage', { description: 'For a test', rules: [rule] })
    const switchOn = () => one.call('PUT', '/__admin/scenarios/active', { active: ['outage'] })
    const statuses: number[] = []
    const ask = async () => void statuses.push((await two.call('GET', base)).status)
    await switchOn()
    await ask()
    await two.call('PUT', '/__admin/clock', { advance: '2h' })
    await ask()
    await switchOn()
    await ask()
    expect(statuses).toEqual([503, 200, 503])
  })

  it('share the tokens of a rate limit', async () => {
    const replicas = await startThree()
    const scenario = {
      description: 'For this test',
      rules: [{ effect: { rateLimit: { requests: 4, perSeconds: 3600 } } }],
    }
    await replicas[0].call('PUT', '/__admin/scenarios/limited', scenario)
    await replicas[0].call('PUT', '/__admin/scenarios/active', { active: ['limited'] })
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, at) => (replicas[at % 3] as Replica).call('GET', base)),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })
})

describe('each mock of a shared store', () => {
  it('has the requests of all of them in the journal, with the same ids, until it is cleared', async () => {
    const [one, two, three] = await startThree()
    await one.call('GET', `${base}?limit=1`)
    await two.call('GET', `${base}?limit=2`)
    const read = async ({ call }: Replica) => (await call('GET', '/__admin/requests')).body.requests
    const seen = await read(three)
    expect(seen.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
      `${base}?limit=2`,
      `${base}?limit=1`,
    ])
    expect(await read(one)).toEqual(seen)
    expect((await two.call('DELETE', '/__admin/requests')).status).toBe(200)
    expect([await read(one), await read(two), await read(three)]).toEqual([[], [], []])
    await three.call('GET', base)
    expect(await read(one)).toHaveLength(1)
  })

  it('resends a request of another mock', async () => {
    const [one, two] = await startThree()
    await one.call('GET', `${base}?limit=1`)
    const { body } = await two.call('GET', '/__admin/requests?limit=1')
    const again = await two.call('POST', `/__admin/requests/${body.requests[0].id}/resend`)
    expect(again.body).toMatchObject({ request: { url: `${base}?limit=1` }, response: { status: 200 } })
  })

  it('has the sessions of all of them', async () => {
    const [one, two] = await startThree()
    await create(one.call, 'kept', inSession('written-at-one'))
    const { body } = await two.call('GET', '/__admin/sessions')
    expect(body.sessions.map(({ name }: { name: string }) => name)).toContain('written-at-one')
    expect(body.sessions.find(({ name }: { name: string }) => name === 'written-at-one')).toMatchObject({
      requests: 1,
      projects: [{ projectKey: 'acme' }],
    })
  })

  it('accepts the tokens that another one has issued', async () => {
    const [one, two] = await startThree({ auth: 'strict', clients: ['app:secret'] })
    const response = await fetch(`${one.server.url}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('app:secret')}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=manage_project:acme',
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    expect((await two.call('GET', base, undefined, { Authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await two.call('GET', base)).status).toBe(401)
  })

  it('has unique correlation ids for each request, even with a frozen clock', async () => {
    const replicas = await startThree({ clock: '2026-01-01T00:00:00Z' })
    const answers = await Promise.all(replicas.map(async ({ call }) => call('GET', base)))
    expect(new Set(answers.map(({ headers }) => headers.get('x-correlation-id'))).size).toBe(3)
  })

  it('sends the events of all of them, and resumes after the last one received', async () => {
    const [one, two, three] = await startThree()
    const atThree = await listen(three)
    await one.call('GET', `${base}?limit=1`)
    await two.call('GET', `${base}?limit=2`)
    const text = await atThree.until(/limit=2/)
    expect(text).toMatch(/limit=1[^]*limit=2/)
    await create(one.call, 'kept')
    await atThree.until(/event: state/)
    await atThree.end()
    const [, lastId] = /limit=1[^]*?\nid: (\S+)/.exec(text) ?? []
    const atTwo = await listen(two, { lastId })
    expect(await atTwo.until(/limit=2/)).not.toContain('limit=1')
    await atTwo.end()
  })
})
