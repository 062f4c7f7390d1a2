import { Redis } from 'ioredis'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { scripts } from '../../../src/edges/redis/scripts.ts'
import type { ScriptMethods } from '../../../src/edges/redis/scripts.ts'
import { base, listen, newStoreUrl, startReplica, startThree } from './replicas.ts'
import type { Replica } from './replicas.ts'

interface Listed {
  readonly id: string
  readonly request: { readonly url: string }
}

/** A client for commands that no mock sends. */
function clientOfStore(): Redis {
  const client = new Redis(inject('storeUrl'))
  onTestFinished(() => client.disconnect())
  return client
}

const read = async ({ call }: Replica): Promise<readonly Listed[]> =>
  (await call('GET', '/__admin/requests')).body.requests as Listed[]

const readUrls = async (replica: Replica): Promise<readonly string[]> =>
  (await read(replica)).map(({ request }) => request.url)

it('reports each request once, and its removal once, whichever mock removes it', async () => {
  const [one, two] = await startThree()
  const events = await listen(one)
  for (const limit of [1, 2, 3]) await two.call('GET', `${base}?limit=${limit}`)
  await events.until(/limit=3/)
  const [newest, middle] = await read(one)
  await two.call('DELETE', `/__admin/requests/${middle?.id}`)
  await events.until(/event: state/)
  await one.call('DELETE', `/__admin/requests/${newest?.id}`)
  await two.call('GET', `${base}?limit=4`)
  const text = await events.until(/limit=4/)
  await events.end()
  const kinds = [...text.matchAll(/^event: (.+)$/gm)].map(([, kind]) => kind)
  expect(kinds.join(' ')).toBe('request request request state state request')
})

it('drops the requests that the engine has lost', async () => {
  const url = newStoreUrl()
  const [one, two] = [await startReplica(url), await startReplica(url)]
  const client = clientOfStore()
  await one.call('GET', `${base}?limit=1`)
  expect(await readUrls(one)).toEqual([`${base}?limit=1`])
  await client.del(await client.keys(`${new URL(url).searchParams.get('prefix')}:*`))
  await two.call('GET', `${base}?limit=2`)
  for (const replica of [one, two]) expect(await readUrls(replica)).toEqual([`${base}?limit=2`])
})

it('reads on after the last request that it read was dropped', async () => {
  const url = newStoreUrl()
  const [one, two] = [await startReplica(url, { journal: 3 }), await startReplica(url, { journal: 3 })]
  await one.call('GET', `${base}?limit=1`)
  expect(await read(one)).toHaveLength(1)
  for (const limit of [2, 3, 4, 5]) await two.call('GET', `${base}?limit=${limit}`)
  expect(await readUrls(one)).toEqual([5, 4, 3].map((limit) => `${base}?limit=${limit}`))
})

it('reads a journal in pages of bytes, with one request per page if each is longer than a page', async () => {
  const client = new Redis(inject('storeUrl'), { scripts }) as Redis & ScriptMethods
  onTestFinished(() => client.disconnect())
  const keys = ['head', 'journal', 'counters'].map((name) => `${crypto.randomUUID()}:${name}`)
  const sizes = [
    ...Array.from({ length: 100 }, () => 10),
    600,
    600,
    ...Array.from({ length: 20 }, () => 100),
    5000,
    5000,
  ]
  for (const size of sizes) await client.xadd(keys[1] ?? '', '*', 'entry', 'x'.repeat(size))
  const pages: number[][] = []
  let last = ''
  for (let hasMore = 1; hasMore === 1;) {
    const reply = await client.mockLook(...keys, last, '0', 1000)
    hasMore = reply[3]
    pages.push(reply[4].map(([, [, text]]) => text.length))
    last = reply[4].at(-1)?.[0] ?? ''
  }
  expect(pages.flat()).toEqual(sizes)
  expect(pages.map((page) => page.length)).toEqual([100, 1, 5, 10, 6, 1, 1])
})

it('takes over a long journal of another mock', async () => {
  const [one, two] = await startThree()
  const text = 'x'.repeat(60_000)
  for (let at = 0; at < 20; at += 1) await one.call('POST', `${base}/namespace-action`, `${at} ${text}`)
  expect(await readUrls(two)).toHaveLength(20)
})

it('resumes after the last event of all sessions, at another mock, without losing one', async () => {
  const [one, two] = await startThree()
  const events = await listen(one, { query: '?session=*' })
  const client = clientOfStore()
  const readTime = async () => String(await client.time()).slice(0, -3)
  let limit = 0
  const send = async (session: string) => {
    limit += 1
    await two.call('GET', `${base}?limit=${limit}`, undefined, { 'X-Mock-Session': session })
    // Requests of the same millisecond have no order across sessions.
    const time = await readTime()
    await expect.poll(readTime).not.toBe(time)
  }
  for (const session of ['a', 'b', 'a', 'b']) await send(session)
  const heard = await events.until(/limit=4/)
  await events.end()
  for (const session of ['a', 'b']) await send(session)
  const lastId = [...heard.matchAll(/^id: (.+)$/gm)].at(-1)?.[1]
  const again = await listen(two, { query: '?session=*', lastId })
  const missed = await again.until(/limit=6/)
  await again.end()
  expect(missed.match(/"url":"[^"]*limit=\d/g)?.map((url) => url.at(-1))).toEqual(['5', '6'])
})

it('notes for all mocks that a client has left since its request was recorded', async () => {
  const [one, two] = await startThree()
  const scenario = { description: 'x', rules: [{ effect: { fault: 'TIMEOUT' } }] }
  await one.call('PUT', '/__admin/scenarios/hang', scenario)
  const leaving = new AbortController()
  const headers = { 'X-Mock-Scenario': 'hang' }
  const hanging = fetch(`${one.server.url}${base}?hang`, { headers, signal: leaving.signal })
  await vi.waitUntil(async () => (await readUrls(two)).includes(`${base}?hang`), PATIENCE)
  await two.call('GET', `${base}?limit=1`)
  const events = await listen(two)
  leaving.abort()
  await expect(hanging).rejects.toThrow()
  await events.until(/"clientLeft":true/)
  await events.end()
  for (const replica of [one, two]) {
    const { requests, meta } = (await replica.call('GET', '/__admin/requests')).body
    expect(meta.total).toBe(2)
    const left = requests.find(({ clientLeft }: { clientLeft?: true }) => clientLeft === true)
    expect(left).toMatchObject({ request: { url: `${base}?hang` }, response: { status: 0, fault: 'TIMEOUT' } })
  }
})
