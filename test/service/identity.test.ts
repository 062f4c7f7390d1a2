import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, draft, idOf, resultsOf } from '../support/client.ts'
import type { Client, Reply } from '../support/client.ts'

const base = '/acme/resource'
const identityBody = { Prefer: 'identity=body' }
const change = (version: number, someProperty = 'x') => ({
  version,
  actions: [{ action: 'changeSomeProperty', someProperty }],
})

let client: Client
beforeEach(async () => {
  client = await createClient({ clock: '2026-01-31T12:00:00Z' })
})

const headersOf = ({ headers }: Reply) => ({
  etag: headers.get('ETag'),
  location: headers.get('Location'),
  contentLocation: headers.get('Content-Location'),
})

describe("a resource's location", () => {
  it.each(['', '/@s1', '/eu/gcp', '/@s1/eu/gcp'])('has the prefix %j of the request', async (prefix) => {
    const created = await client.post(`${prefix}${base}`, draft({}, 'abc'))
    const path = `${prefix}${base}/${idOf(created)}`
    const written = (version: number) => ({ etag: `"${version}"`, location: path, contentLocation: null })
    expect(headersOf(created)).toEqual(written(1))
    const read = { etag: '"1"', location: null, contentLocation: path }
    expect(headersOf(await client.get(path))).toEqual(read)
    expect(headersOf(await client.get(`${prefix}${base}/key=abc`))).toEqual(read)
    expect(headersOf(await client.head(path))).toEqual(read)
    expect(headersOf(await client.put(`${prefix}${base}`, draft({}, 'abc')))).toEqual(written(2))
    expect(headersOf(await client.patch(`${prefix}${base}`, draft({}, 'abc')))).toEqual(written(3))
    expect(headersOf(await client.post(path, change(3)))).toEqual(written(4))
    expect(headersOf(await client.delete(path))).toEqual({ etag: '"4"', location: null, contentLocation: null })
  })

  it('is a UUID', async () => {
    expect(idOf(await client.post(base, draft()))).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  it('is encoded like the project key', async () => {
    const created = await client.post('/a%2Fb%20c/resource', draft())
    expect(created.headers.get('Location')).toBe(`/a%2Fb%20c/resource/${idOf(created)}`)
  })
})

const plain = { version: 1, objectTypeProperty: {} }
const identified = (id: string) => ({
  id,
  key: 'abc',
  version: 1,
  objectTypeProperty: {},
  createdAt: '2026-01-31T12:00:00.000Z',
  lastModifiedAt: '2026-01-31T12:00:00.000Z',
})

describe('a body', () => {
  it('has exactly the documented fields', async () => {
    const created = await client.post(base, draft({}, 'abc'))
    const path = `${base}/${idOf(created)}`
    expect(created.body).toEqual(plain)
    for (const reply of [await client.get(path), await client.get(`${base}/key=abc`), await client.delete(path)]) {
      expect(reply.body).toEqual(plain)
      expect(reply.headers.has('Preference-Applied')).toBe(false)
    }
  })

  it('includes the identity if the request prefers it', async () => {
    const created = await client.post(base, draft({}, 'abc'), identityBody)
    const path = `${base}/${idOf(created)}`
    const replies = [created, await client.get(path, identityBody), await client.get(`${base}/key=abc`, identityBody)]
    for (const reply of replies) {
      expect(reply.body).toEqual(identified(idOf(created)))
      expect(reply.headers.get('Preference-Applied')).toBe('identity=body')
    }
    expect((await client.delete(path, identityBody)).body).toEqual(identified(idOf(created)))
  })

  it('includes the identity under --identity body, without Preference-Applied', async () => {
    const always = await createClient({ identity: 'body', clock: '2026-01-31T12:00:00Z' })
    const created = await always.post(base, draft({}, 'abc'))
    expect(created.body).toEqual(identified(idOf(created)))
    expect(created.headers.has('Preference-Applied')).toBe(false)
  })

  it('has someProperty with the identity, once it is set', async () => {
    const path = `${base}/${idOf(await client.post(base, draft({}, 'abc')))}`
    expect((await client.post(path, change(1, 'ä "quoted"\u0000'))).body).toEqual({ ...plain, version: 2 })
    expect((await client.get(path, identityBody)).body).toMatchObject({ version: 2, someProperty: 'ä "quoted"\u0000' })
  })

  it('omits properties that were never set', async () => {
    const created = await client.post(base, draft(), identityBody)
    expect(Object.keys(created.body as object)).toEqual([
      'id',
      'version',
      'objectTypeProperty',
      'createdAt',
      'lastModifiedAt',
    ])
  })

  it.each(['namespace-action', 'namespace-action-with-example'])(
    'of %s is not a resource, so the preference does not apply',
    async (segment) => {
      expect((await client.get(`${base}/${segment}`, identityBody)).headers.has('Preference-Applied')).toBe(false)
    },
  )
})

describe('a result entry', () => {
  it.each(['', '/sorted-query-parameters', '/searchApiPattern'])(
    'of GET /resource%s always has its identity',
    async (path) => {
      const created = await client.post(base, draft({}, 'abc'))
      const entry = identified(idOf(created))
      const [found] = resultsOf(await client.get(base + path))
      expect(found).toEqual(entry)
    },
  )

  it('leads to the detail and on to an update', async () => {
    await client.post(base, draft({}, 'abc'))
    const [entry] = resultsOf(await client.get(base))
    const path = `${base}/${entry?.id}`
    expect((await client.get(path)).status).toBe(200)
    expect((await client.post(path, change(entry?.version ?? 0))).status).toBe(200)
  })
})

describe('fields follow the order of the tables', () => {
  const arrays = {
    arrayOfObjectType: [{ integerExampleInt32: 2, integerExample: 1 }],
    arrayOfStringExample: ['a'],
    arrayOfNumberNoDefaultsExample: [1.5],
    arrayOfFloatExample: [0.5],
    arrayOfTwonumbersExample: [1, 2],
    arrayOfUniqueIntExample: [1],
    arrayOfIntExample: [3],
  }
  const inOrder =
    '"arrayOfIntExample":[3],"arrayOfUniqueIntExample":[1],"arrayOfTwonumbersExample":[1,2],"arrayOfFloatExample":[0.5],"arrayOfNumberNoDefaultsExample":[1.5],"arrayOfStringExample":["a"],"arrayOfObjectType":[{"integerExample":1,"integerExampleInt32":2}]'

  it('of an ObjectTestType, whatever the order in the draft', async () => {
    const created = await client.post(base, draft(arrays, 'abc'))
    expect(created.text).toBe(`{"version":1,"objectTypeProperty":{${inOrder}}}`)
  })

  it('of an ObjectTestType with its identity', async () => {
    const path = `${base}/${idOf(await client.post(base, draft(arrays, 'abc')))}`
    await client.post(path, change(1))
    const { body, text } = await client.get(path, identityBody)
    expect(Object.keys(body as object)).toEqual([
      'id',
      'key',
      'version',
      'objectTypeProperty',
      'someProperty',
      'createdAt',
      'lastModifiedAt',
    ])
    expect(text).toContain(`{${inOrder}}`)
  })

  it('of a query result', async () => {
    await client.post(base, draft(arrays, 'abc'))
    const { text } = await client.get(base)
    expect(text.startsWith(`{${inOrder},"limit":20,"offset":0,"count":1,"total":1,"results":[{"id":`)).toBe(true)
  })
})
