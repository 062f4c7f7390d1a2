import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { redisStore } from '../../../src/redis.ts'
import type { SharedStore } from '../../../src/redis.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { base, create, draft, newStoreUrl, startReplica, startThree } from './replicas.ts'
import type { Replica } from './replicas.ts'

const inSession = (session: string) => ({ 'X-Mock-Session': session })

const listNames = async ({ call }: Replica): Promise<readonly string[]> =>
  (await call('GET', '/__admin/sessions')).body.sessions.map(({ name }: { name: string }) => name)

it('has a session that starts again after another mock deleted it', async () => {
  const [one, two] = await startThree()
  await create(one.call, 'first', inSession('again'))
  expect((await two.call('DELETE', '/__admin/sessions/again')).status).toBe(200)
  await create(one.call, 'second', inSession('again'))
  await expect.poll(() => listNames(two)).toContain('again')
})

it('does not evict a session as idle that another mock has used, if --session-ttl is shorter than a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const url = newStoreUrl()
  const options = { maxSessions: 1, sessionTtl: '30s' } as const
  const [one, two] = [await startReplica(url, options), await startReplica(url, options)]
  await create(one.call, 'kept', inSession('used'))
  vi.advanceTimersByTime(10_000)
  await one.call('GET', base, undefined, inSession('used'))
  vi.advanceTimersByTime(25_000)
  expect(await listNames(two)).toContain('used')
  const refused = await two.call('GET', base, undefined, inSession('other'))
  expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('used in the last 30 s')])
  expect((await one.call('GET', `${base}/key=kept`, undefined, inSession('used'))).status).toBe(200)
})

/** Reads the keys of sessions in a store. */
function openKeys(url: string) {
  const client = new Redis(inject('storeUrl'))
  onTestFinished(() => client.disconnect())
  const prefix = `${new URL(url).searchParams.get('prefix')}:1:`
  const list = (session: string) => client.keys(`${prefix}session:${session}:*`)
  return {
    client,
    list,
    /** Those without an expiry. */
    async listLasting(session: string): Promise<readonly string[]> {
      const keys = await list(session)
      const expiries = await Promise.all(keys.map((key) => client.ttl(key)))
      return keys.filter((_key, at) => expiries[at] === -1)
    },
    countSessions: () => client.zcard(`${prefix}sessions`),
  }
}

/** Sends a request without its body, and resolves once its session exists. */
async function beginRequest(at: Replica, seenBy: Replica, session: string): Promise<ClientRequest> {
  const outgoing = request(`${at.server.url}${base}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json', ...inSession(session) },
  })
  outgoing.write('{')
  await expect.poll(() => listNames(seenBy)).toContain(session)
  return outgoing
}

/** Sends the rest, and resolves with the status. */
async function endRequest(outgoing: ClientRequest, rest: string): Promise<number | undefined> {
  outgoing.end(rest)
  const [answer] = await once(outgoing, 'response')
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode
}

const REST = JSON.stringify(draft('late')).slice(1)

describe('--max-sessions', () => {
  it('applies across mocks that share a store, with a message for each name past the limit', async () => {
    const url = newStoreUrl()
    const options = { maxSessions: 10 }
    const replicas = await Promise.all([
      startReplica(url, options),
      startReplica(url, options),
      startReplica(url, options),
    ])
    const names = Array.from({ length: 60 }, (_, at) => `reader-${at}`)
    const replies = await Promise.all(
      names.map((name, at) => (replicas[at % 3] as Replica).call('GET', base, undefined, inSession(name))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 503))
    expect(refused[0]?.body.message).toMatch(/^Session limit \(10\) reached: session "reader-\d+" cannot start, /)
    expect(await openKeys(url).countSessions()).toBe(10)
    for (const replica of replicas) {
      const listed = (await listNames(replica)).filter((name) => name !== 'default')
      expect(listed).toHaveLength(10)
    }
  })

  it('makes room by ending the session that no mock has used for longest, and no mock keeps its data', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const url = newStoreUrl()
    const options = { maxSessions: 2, sessionTtl: '30s' } as const
    const [one, two] = [await startReplica(url, options), await startReplica(url, options)]
    await create(one.call, 'old', inSession('old'))
    vi.advanceTimersByTime(1000)
    await create(two.call, 'newer', inSession('newer'))
    await two.call('GET', base, undefined, inSession('old'))
    vi.advanceTimersByTime(15_000)
    await one.call('GET', base, undefined, inSession('newer'))
    vi.advanceTimersByTime(20_000)
    expect((await two.call('GET', base, undefined, inSession('third'))).status).toBe(200)
    for (const replica of [one, two]) {
      expect((await listNames(replica)).filter((name) => name !== 'default').toSorted()).toEqual(['newer', 'third'])
    }
    expect(await openKeys(url).listLasting('old')).toEqual([])
    const refused = await one.call('GET', base, undefined, inSession('fourth'))
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('used in the last 30 s')])
  })
})

describe('a session that ends while another mock has a pending request in it', () => {
  it('leaves nothing permanent in the store if it was permanently deleted', async () => {
    const url = newStoreUrl()
    const [one, two] = [await startReplica(url), await startReplica(url)]
    const { list, listLasting } = openKeys(url)
    const names = ['a', 'b', 'c']
    const late = await Promise.all(names.map((name) => beginRequest(two, one, name)))
    for (const name of names) {
      expect((await one.call('DELETE', `/__admin/sessions/${name}?final=true`)).status).toBe(200)
    }
    expect(await Promise.all(late.map((outgoing) => endRequest(outgoing, REST)))).toEqual([400, 400, 400])
    for (const name of names) {
      expect((await list(name)).map((key) => key.split(':').at(-1))).toEqual(['head'])
      expect(await listLasting(name)).toEqual([])
    }
    expect((await listNames(one)).filter((name) => names.includes(name))).toEqual([])
  })

  it('leaves only expiring keys if it was deleted and does not start again; and keeps everything if it does', async () => {
    const url = newStoreUrl()
    const [one, two] = [await startReplica(url), await startReplica(url)]
    const { client, list, listLasting } = openKeys(url)
    const late = await beginRequest(two, one, 'a')
    await one.call('DELETE', '/__admin/sessions/a')
    expect(await endRequest(late, 'not JSON')).toBe(400)
    expect(await list('a')).not.toEqual([])
    expect(await listLasting('a')).toEqual([])

    // Reads postpone the expiry.
    for (const key of await list('a')) await client.expire(key, 100)
    await two.call('GET', base, undefined, inSession('a'))
    for (const key of await list('a')) expect(await client.ttl(key)).toBeGreaterThan(100)
    await create(one.call, 'again', inSession('a'))
    expect((await listLasting('a')).toSorted()).toEqual((await list('a')).toSorted())
  })
})

it('stores nothing for session names that the admin API only reads and never creates', async () => {
  const kept: WeakRef<object>[] = []
  const url = newStoreUrl()
  const shared = redisStore({ url })
  const store: SharedStore = {
    async open(parts) {
      const opened = await shared.open(parts)
      return {
        ...opened,
        session(name, passed) {
          const session = opened.session(name, passed)
          kept.push(new WeakRef(session))
          return session
        },
      }
    },
  }
  const { call } = await startReplica(url, { store })
  for (let at = 0; at < 50; at += 1) {
    expect((await call('GET', `/@name-${at}/__admin/requests`)).body.requests).toEqual([])
    expect((await call('GET', `/__admin/scenarios?session=other-${at}`)).status).toBe(200)
  }
  expect(kept.length).toBeGreaterThan(50)
  await collectGarbage()
  expect(kept.filter((one) => one.deref() !== undefined).length).toBeLessThan(10)
})
