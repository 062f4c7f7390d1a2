import { beforeEach, describe, expect, it } from 'vitest'
import { draft, errorOf, keysOf } from '../support/client.ts'
import { base, createCollection } from '../support/collection.ts'
import type { Collection } from '../support/collection.ts'

let client: Collection['client']
let create: Collection['create']
let versionOf: Collection['versionOf']
beforeEach(async () => {
  ;({ client, create, versionOf } = await createCollection())
})

describe('a deletion', () => {
  it('returns the deleted resource', async () => {
    const path = await create('abc', { arrayOfIntExample: [1] })
    const reply = await client.delete(path)
    expect([reply.status, reply.body]).toEqual([200, { version: 1, objectTypeProperty: { arrayOfIntExample: [1] } }])
    for (const gone of [path, `${base}/key=abc`]) expect((await client.get(gone)).status).toBe(404)
    expect((await client.delete(path)).status).toBe(404)
    expect(keysOf(await client.get(base))).toEqual([])
  })

  it('frees the key', async () => {
    const path = await create('abc')
    await client.delete(path)
    expect(await create('abc')).not.toBe(path)
    expect(await versionOf('abc')).toBe(1)
  })

  it.each(['?version=1', '?version=1.0', ''])('accepts the current version or none: %j', async (search) => {
    expect((await client.delete((await create('abc')) + search)).status).toBe(200)
  })

  it.each(['0', '2', '9223372036854775807'])('refuses the stale version %s', async (version) => {
    const path = await create('abc')
    expect(errorOf(await client.delete(`${path}?version=${version}`))).toMatchObject({ status: 409, currentVersion: 1 })
    expect((await client.get(path)).status).toBe(200)
  })

  it.each(['abc', '', '1.5', '1&version=2'])('refuses the invalid version "%s"', async (version) => {
    const path = await create('abc')
    expect(errorOf(await client.delete(`${path}?version=${version}`))).toMatchObject({ status: 400, field: 'version' })
  })

  it('ignores a body', async () => {
    const path = await create('abc')
    expect((await client.send('DELETE', path, { 'Content-Type': 'text/plain' }, 'anything')).status).toBe(200)
  })
})

it('does not change earlier responses', async () => {
  const path = await create('abc', { arrayOfIntExample: [1] })
  const before = await client.get(path)
  await client.put(base, draft({ arrayOfIntExample: [2] }, 'abc'))
  expect(before.body).toEqual({ version: 1, objectTypeProperty: { arrayOfIntExample: [1] } })
})
