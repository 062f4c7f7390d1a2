import { describe, expect, it } from 'vitest'
import type { StoredResource } from '../../src/service/state/resource.ts'
import { createClient, draft, keysOf } from '../support/client.ts'

const base = '/acme/resource'

describe('generated resources', () => {
  it('are found by key, id and position, even if there are 100,000', async () => {
    const client = await createClient({ generate: 100_000 })
    const page = await client.get(`${base}?limit=1&offset=10000`)
    expect(page.body).toMatchObject({ count: 1, total: 100_000 })
    expect(keysOf(page)).toEqual(['generated-10001'])
    const last = await client.get(`${base}/key=generated-100000`)
    expect(last.status).toBe(200)
    expect((await client.get(`${base}/00000001-0000-8000-8000-0000000186a0`)).text).toBe(last.text)
    expect((await client.get(`${base}/key=generated-100001`)).status).toBe(404)
  })

  it('are removed, sorted and paged together with the resources of the project', async () => {
    const client = await createClient({ generate: 1200 })
    await client.post(base, draft({}, 'own'))
    for (const place of ['001', '003', '4b0']) {
      expect((await client.delete(`${base}/00000001-0000-8000-8000-000000000${place}`)).status).toBe(200)
    }
    const sorted = await client.get(`${base}/sorted-query-parameters?sort=createdAt%20desc&limit=2`)
    expect(keysOf(sorted)).toEqual(['own', 'generated-1199'])
    expect(keysOf(await client.get(`${base}?limit=2`))).toEqual(['generated-2', 'generated-4'])
    expect(keysOf(await client.get(`${base}?limit=2&offset=1`))).toEqual(['generated-4', 'generated-5'])
    expect(keysOf(await client.get(`${base}?limit=5&offset=1196`))).toEqual(['generated-1199', 'own'])
  })

  it('stay unchanged when fixtures are reloaded', async () => {
    // Mocks that share a store cannot reload.
    const client = await createClient({ generate: 3, store: undefined })
    const before = await client.get(`${base}/key=generated-2`)
    await client.mock.reload({ fixtures: { 'resources.json': '[{"key":"new","objectTypeProperty":{}}]' } })
    expect(keysOf(await client.get(base))).toEqual(['new', 'generated-1', 'generated-2', 'generated-3'])
    expect((await client.get(`${base}/key=generated-2`)).text).toBe(before.text)
  })

  it('are searched, filtered and sorted with the changes of the project, with or without an index', async () => {
    const client = await createClient({ generate: 1200 })
    const search = `${base}/searchApiPattern?limit=500&text.en=sh`
    const before = await client.get(search)
    const [first, second] = keysOf(before)
    await client.post(base, draft({ arrayOfStringExample: ['Shoe of my own'] }, 'own'))
    await client.post(base, draft({ arrayOfStringExample: ['none'] }, String(first)))
    const after = await client.get(search)
    expect(keysOf(after)).toEqual([...keysOf(before).slice(1), 'own'])
    expect(after.body).toMatchObject({ total: keysOf(before).length })
    // A filter makes it read the indexed resources too.
    const filtered = await client.get(`${search}&filter=arrayOfStringExample:"Shoe of my own"`)
    expect(keysOf(filtered)).toEqual(['own'])
    const sorted = `${base}/sorted-query-parameters?sort=key desc&limit=2`
    expect(keysOf(await client.get(sorted))).toEqual(['own', 'generated-999'])
    expect(keysOf(await client.get(`${sorted}&where=version > 0 and key != "own"`))).toEqual([
      'generated-999',
      'generated-998',
    ])
    expect(keysOf(await client.get(`${sorted}&where=key in ("own", "${second}", "none")`))).toEqual(['own', second])
  })

  it('are in the state of a project with writes', async () => {
    const client = await createClient({ generate: 1200 })
    await client.post(base, draft({}, 'own'))
    const { projects } = await (await client.mock.fetch('/__admin/state')).json()
    const [{ resources, recent }] = projects as readonly [
      { resources: readonly StoredResource[]; recent: readonly string[] },
    ]
    expect(resources.map(({ key }) => key).slice(1198)).toEqual(['generated-1199', 'generated-1200', 'own'])
    expect(recent).toEqual(resources.map(({ id }) => id))
  })
})
