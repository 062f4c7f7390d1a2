import { beforeEach, describe, expect, it } from 'vitest'
import { draft, errorOf, idOf, resultsOf } from '../support/client.ts'
import { base, createCollection } from '../support/collection.ts'
import type { Collection } from '../support/collection.ts'

const nothing = { action: 'doSomeThing' }

let client: Collection['client']
let create: Collection['create']
let versionOf: Collection['versionOf']
beforeEach(async () => {
  ;({ client, create, versionOf } = await createCollection())
})

describe('POST', () => {
  it('creates a resource each time for the same draft without a key', async () => {
    const ids = [idOf(await client.post(base, draft())), idOf(await client.post(base, draft()))]
    expect(new Set(ids).size).toBe(2)
    expect(resultsOf(await client.get(base)).map(({ id }) => id)).toEqual(ids)
  })

  it('updates the resource that has the key of the draft', async () => {
    const path = await create('abc', { arrayOfIntExample: [1] })
    const reply = await client.post(base, draft({ arrayOfStringExample: ['new'] }, 'abc'))
    expect([reply.status, reply.headers.get('Location')]).toEqual([201, path])
    expect(reply.body).toEqual({ version: 2, objectTypeProperty: { arrayOfStringExample: ['new'] } })
    expect(resultsOf(await client.get(base))).toHaveLength(1)
  })
})

describe('PUT', () => {
  it('creates if no resource has the key, and overwrites if one does', async () => {
    const created = await client.put(base, draft({}, 'abc'))
    const overwritten = await client.put(base, draft({ arrayOfIntExample: [1] }, 'abc'))
    expect([created.status, overwritten.status, idOf(created) === idOf(overwritten)]).toEqual([201, 201, true])
    expect(overwritten.body).toEqual({ version: 2, objectTypeProperty: { arrayOfIntExample: [1] } })
  })

  it('creates in a project that has no resources', async () => {
    const reply = await client.put(base, draft())
    expect([reply.status, reply.body]).toEqual([201, { version: 1, objectTypeProperty: {} }])
  })
})

describe('PATCH', () => {
  it('returns 404 if no resource has the key', async () => {
    await create('abc')
    expect(errorOf(await client.patch(base, draft({}, 'other')))).toEqual({
      status: 404,
      code: 'ResourceNotFound',
      message: "The Resource with key 'other' was not found.",
    })
  })

  it('returns 404 in a project without resources', async () => {
    expect(errorOf(await client.patch(base, draft()))).toEqual({
      status: 404,
      code: 'ResourceNotFound',
      message: 'The project has no resource to overwrite. Create one first: POST /{projectKey}/resource.',
    })
  })
})

describe.each(['PUT', 'PATCH'] as const)('%s without a key', (method) => {
  const overwrite = () =>
    client.send(
      method,
      base,
      { 'Content-Type': 'application/json' },
      '{"objectTypeProperty":{"arrayOfIntExample":[9]}}',
    )

  it('addresses the last resource of the fixtures', async () => {
    const objectTypeProperty = {}
    const resources = ['first', 'last'].map((key) => ({ key, objectTypeProperty }))
    ;({ client, versionOf } = await createCollection({ resources }))
    expect((await overwrite()).status).toBe(201)
    expect([await versionOf('first'), await versionOf('last')]).toEqual([1, 2])
  })

  it('addresses the resource that was written last, by any kind of write', async () => {
    const a = await create('aa')
    await create('bb')
    await client.post(a, { version: 1, actions: [nothing] })
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([3, 1])
    await client.post(base, draft({}, 'bb'))
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([3, 3])
  })

  it('is not affected by reads and no-op updates', async () => {
    const a = await create('aa')
    await create('bb')
    await client.get(a)
    await client.post(a, { version: 1, actions: [] })
    await client.post(a, { version: 7, actions: [nothing] })
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([1, 2])
  })

  it('addresses the previous one once the last is deleted', async () => {
    await create('aa')
    const b = await create('bb')
    await client.put(base, draft({}, 'aa'))
    const c = await create('cc')
    await client.delete(c)
    await overwrite()
    expect([await versionOf('aa'), await versionOf('bb')]).toEqual([3, 1])
    await client.delete(`${base}/${idOf(await client.put(base, draft({}, 'aa')))}`)
    await overwrite()
    expect(await versionOf('bb')).toBe(2)
    await client.delete(b)
    expect((await overwrite()).status).toBe(method === 'PUT' ? 201 : 404)
  })
})
