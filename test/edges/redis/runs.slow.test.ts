import { Redis } from 'ioredis'
import { expect, inject, it, onTestFinished } from 'vitest'
import { base, create, listen, newStoreUrl, startReplica, startThree, update } from './replicas.ts'
import type { Call } from './replicas.ts'

const TEST = { run: 'r1', title: ['saves'], file: 'save.spec.ts', line: 12 }
const PASSED = { ...TEST, status: 'passed', duration: 20 }
const AS_A = { 'X-Mock-Session': 'a' }

const report = (call: Call, json: object, session = 'a') => call('PUT', `/__admin/sessions/${session}/test`, json)
const endOf = (session: string, query = '') => `/__admin/sessions/${session}${query}`

it.each(['', '?final=true'])('shares tests and archived sessions among all mocks: %s', async (query) => {
  const [one, two, three] = await startThree()
  expect((await report(one.call, TEST)).status).toBe(200)
  const id = await create(two.call, 'lamp', AS_A)
  for (const call of [one.call, two.call]) await call('POST', `${base}/${id}`, update(1), AS_A)
  expect((await report(three.call, { ...TEST, line: 13 })).status).toBe(409)
  expect((await report(two.call, PASSED)).status).toBe(200)
  expect((await three.call('DELETE', endOf('a', query))).status).toBe(200)
  for (const { call } of [one, two, three]) {
    const { tests } = (await call('GET', '/__admin/runs/r1')).body
    expect(tests).toMatchObject([{ status: 'passed', requests: 3, failures: 1, archive: 'archived' }])
    for (const name of ['a', tests[0].id]) {
      const { requests, meta } = (await call('GET', `/__admin/requests?session=${name}`)).body
      expect(meta).toEqual({ total: 3, kept: 3, dropped: 0 })
      const conflict = await call('GET', `/__admin/requests/${requests[0].id}/explanation?session=${name}`)
      expect(conflict.body.sentence).toMatch(/^You sent version 1, but version 2 .* written by POST/)
      const { body } = await call('GET', `/__admin/resources/${id}/versions?session=${name}`)
      expect(body).toMatchObject({ versions: [{ version: 2, resource: { key: 'lamp' } }, { version: 1 }] })
      const { recoveries } = (await call('GET', `/__admin/coverage?session=${name}`)).body
      expect(recoveries).toContainEqual(expect.objectContaining({ kind: 'conflict', failed: 1 }))
      expect((await call('GET', `/__admin/state?session=${name}`)).status).toBe(410)
    }
  }
})

it('starts and ends a test in one request each, at different mocks', async () => {
  const [one, two, three] = await startThree()
  await report(one.call, { ...TEST, scenarios: ['unavailable'] })
  expect((await two.call('GET', base, undefined, AS_A)).status).toBe(503)
  await two.call('GET', base)
  const ended = (await report(three.call, { ...PASSED, coverage: true, end: 'final' })).body
  expect(ended).toMatchObject({ status: 'passed', requests: 1, failures: 1, archive: 'archived' })
  expect(ended.coverage.operations).toContainEqual(expect.objectContaining({ id: 'queryResources', met: 1 }))
  const [latest] = (await one.call('GET', '/__admin/requests?limit=1')).body.requests
  expect(ended.latestDefaultRequest).toBe(latest.id)
  expect((await two.call('GET', base, undefined, AS_A)).status).toBe(400)
  expect((await one.call('GET', '/__admin/requests?session=a')).body.meta).toMatchObject({ total: 1 })
})

it('shares the scenarios of an archived session with their counters', async () => {
  const [one, two] = await startThree()
  await report(one.call, TEST)
  const teapot = { description: 'Tea', rules: [{ times: 1, effect: { answer: { status: 418 } } }] }
  await one.call('PUT', '/@a/__admin/scenarios/teapot', teapot)
  await one.call('PUT', '/@a/__admin/scenarios/active', { active: ['teapot'] })
  await two.call('GET', base, undefined, AS_A)
  const before = (await one.call('GET', '/@a/__admin/scenarios')).body
  await one.call('DELETE', endOf('a'))
  expect((await two.call('GET', '/@a/__admin/scenarios')).body).toEqual(before)
})

it('shows a mock that starts later what the others have archived', async () => {
  const url = newStoreUrl()
  const one = await startReplica(url)
  await report(one.call, TEST)
  await one.call('GET', base, undefined, AS_A)
  await one.call('DELETE', endOf('a'))
  const two = await startReplica(url)
  expect((await two.call('GET', '/__admin/requests?session=a')).body).toMatchObject({ meta: { total: 1 } })
  expect((await two.call('DELETE', '/__admin/runs/r1')).status).toBe(200)
  expect((await one.call('GET', '/__admin/runs')).body).toEqual({ runs: [] })
})

it('evicts sessions that another mock has archived, for all mocks', async () => {
  const url = newStoreUrl()
  const [one, two] = [await startReplica(url, { memory: 18_000 }), await startReplica(url, { memory: 18_000 })]
  for (const [session, { call }] of Object.entries({ a: one, b: two, c: one })) {
    await report(call, PASSED, session)
    await call('GET', `${base}/none`, undefined, { 'X-Mock-Session': session })
    await call('DELETE', endOf(session))
  }
  for (const { call } of [one, two]) {
    const { tests } = (await call('GET', '/__admin/runs/r1')).body as {
      readonly tests: readonly { readonly archive: string }[]
    }
    const archives = tests.map(({ archive }) => archive)
    expect([archives[0], archives.at(-1)]).toEqual(['evicted', 'archived'])
    expect((await call('GET', '/__admin/requests?session=a')).status).toBe(410)
    expect((await call('GET', '/__admin/requests?session=c')).status).toBe(200)
  }
})

it('publishes tests to the event streams of every mock', async () => {
  const [one, two] = await startThree()
  const events = await listen(two, { query: '?session=*' })
  await report(one.call, PASSED)
  const text = await events.until(/event: test\ndata: .*"status":"passed"/)
  await events.end()
  expect(text).toContain('"title":["saves"]')
})

it('lets everything that it archives expire', async () => {
  const url = newStoreUrl()
  const { call } = await startReplica(url)
  await report(call, TEST)
  await call('GET', base, undefined, AS_A)
  await call('DELETE', endOf('a'))
  const client = new Redis(inject('storeUrl'))
  onTestFinished(() => client.disconnect())
  const prefix = new URL(url).searchParams.get('prefix')
  const all = [...(await client.keys(`${prefix}:1:runs`)), ...(await client.keys(`${prefix}:1:archive:*`))]
  expect(all).toHaveLength(2)
  for (const key of all) expect(await client.ttl(key)).toBeGreaterThan(600_000)
})
