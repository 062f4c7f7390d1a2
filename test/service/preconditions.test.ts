import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, draft, errorOf, idOf, keysOf } from '../support/client.ts'
import type { CallHeaders, Client, Reply } from '../support/client.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const base = '/acme/resource'
const one = `${base}/${ID}`
const resources = [{ id: ID, key: 'abc', version: 2, objectTypeProperty: {} }]
const update = (version: number) => ({ version, actions: [{ action: 'doSomeThing' }] })
/** The smallest GIF: one pixel. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (character) => character.charCodeAt(0))

let client: Client
beforeEach(async () => {
  client = await createClient({ resources })
})

type Write = (headers: CallHeaders) => Promise<Reply>

/** Each kind of write to the resource, with headers. */
const writes: Readonly<Record<string, Write>> = {
  update: (headers) => client.post(one, update(2), headers),
  deletion: (headers) => client.delete(one, headers),
  'POST by key': (headers) => client.post(base, draft({}, 'abc'), headers),
  'PUT by key': (headers) => client.put(base, draft({}, 'abc'), headers),
  'PUT of the latest': (headers) => client.put(base, draft(), headers),
  PATCH: (headers) => client.patch(base, draft({}, 'abc'), headers),
  upload: (headers) => client.send('POST', `${base}/images`, { 'Content-Type': 'image/gif', ...headers }, gif),
}

describe.each(Object.entries(writes))('a precondition of a write: %s', (_kind, write) => {
  it.each([
    ['If-Match: "1"', { 'If-Match': '"1"' }],
    ['If-Match: 2', { 'If-Match': '2' }],
    ['If-Match: W/"2"', { 'If-Match': 'W/"2"' }],
    ['If-None-Match: *', { 'If-None-Match': '*' }],
    ['If-None-Match: W/"2"', { 'If-None-Match': 'W/"2"' }],
    ['If-None-Match: "1", "2"', { 'If-Match': '"2"', 'If-None-Match': '"1", "2"' }],
  ])('%s fails, and nothing is changed', async (condition, headers) => {
    const refused = await write(headers)
    expect(errorOf(refused)).toEqual({
      status: 412,
      code: 'PreconditionFailed',
      message: `The precondition ${condition} failed. Object ${ID} has the version "2".`,
      currentVersion: 2,
    })
    expect((await client.get(one)).headers.get('ETag')).toBe('"2"')
  })

  it.each([{ 'If-Match': '"2"' }, { 'If-Match': '*' }, { 'If-Match': '"1", W/"2", "2"' }, { 'If-None-Match': '"1"' }])(
    '%j holds',
    async (headers) => {
      expect((await write(headers)).status).toBeLessThan(300)
    },
  )
})

describe('a precondition', () => {
  it('of a resource that does not exist yet', async () => {
    const create: Write = (headers) => client.put(base, draft({}, 'new'), headers)
    expect(errorOf(await create({ 'If-Match': '*' }))).toEqual({
      status: 412,
      code: 'PreconditionFailed',
      message: 'The precondition If-Match: * failed. The resource does not exist.',
    })
    expect(keysOf(await client.get(base))).toEqual(['abc'])
    expect((await create({ 'If-None-Match': '*' })).status).toBe(201)
    expect(errorOf(await create({ 'If-None-Match': '*' })).status).toBe(412)
  })

  it('is checked after the token and the shape of the body, and before its version', async () => {
    const stale = { 'If-Match': '"1"' }
    expect((await client.post(one, update(1), { ...stale, Authorization: undefined })).status).toBe(401)
    expect((await client.post(one, { version: '1', actions: [] }, stale)).status).toBe(400)
    expect((await client.post(`${base}/none`, update(1), stale)).status).toBe(404)
    expect((await client.post(one, update(1), stale)).status).toBe(412)
    expect((await client.post(one, update(1), { 'If-Match': '"2"' })).status).toBe(409)
  })

  it('of a read is not answered with 304', async () => {
    const { status, body } = await client.get(one, { 'If-None-Match': '"2"', 'If-Match': '"1"' })
    expect([status, body]).toEqual([200, { version: 2, objectTypeProperty: {} }])
  })

  it('fails after another writer of a scenario', async () => {
    const { status } = await client.post(one, update(2), { 'If-Match': '"2"', 'X-Mock-Scenario': 'conflict' })
    expect(status).toBe(412)
  })

  it('can use the ETag of a write', async () => {
    const created = await client.post(base, draft())
    const path = `${base}/${idOf(created)}`
    const etag = created.headers.get('ETag') ?? ''
    expect((await client.post(path, update(1), { 'If-Match': etag })).status).toBe(200)
    expect((await client.delete(path, { 'If-Match': etag })).status).toBe(412)
  })
})
