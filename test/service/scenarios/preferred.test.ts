import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../../../src/service/contract/check.ts'
import { endpoints, operationIds } from '../../../src/service/contract/endpoints.ts'
import type { Endpoint } from '../../../src/service/contract/endpoint.ts'
import type { OperationId } from '../../../src/service/contract/endpoints.ts'
import { plainObjectTestType, objectTestType } from '../../../src/service/contract/models.ts'
import { parseJson } from '../../../src/service/http/json.ts'
import type { MockOptions } from '../../../src/app/options/options.ts'
import { makeBody } from '../../../src/service/scenarios/preferred.ts'
import { createClient } from '../../support/client.ts'
import type { CallHeaders, Client, Reply } from '../../support/client.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (one) => one.charCodeAt(0),
)

/** The requirements of each operation apart from its path; the others have none. */
const needs: Partial<Record<OperationId, { readonly headers?: CallHeaders; readonly body?: BodyInit }>> = {
  createResource: { headers: JSON_TYPE, body: '{"objectTypeProperty":{}}' },
  overwriteResource: { headers: JSON_TYPE, body: '{"objectTypeProperty":{}}' },
  putResource: { headers: JSON_TYPE, body: '{"objectTypeProperty":{}}' },
  postComplex: { headers: JSON_TYPE, body: '{}' },
  updateResource: { headers: JSON_TYPE, body: '{"version":1,"actions":[]}' },
  uploadImage: { headers: { 'Content-Type': 'image/png' }, body: PNG },
  getActionWithHeaders: { headers: { Accept: 'application/json', 'Storefront-Locale': 'de-DE' } },
}

/** Sends a valid request to an operation, whose path parameters are all `segment`. */
function call(client: Client, id: OperationId, prefer: string, segment = 'one'): Promise<Reply> {
  const { method, path } = endpoints[id]
  const { headers = {}, body } = needs[id] ?? {}
  return client.send(method, path.replaceAll(/\{\w+\}/g, segment), { ...headers, Prefer: prefer }, body)
}

/** A mock without fixtures, so that every response is generated. */
const create = (options: MockOptions = {}) => createClient(options)
const appliedOf = ({ headers }: Reply) => headers.get('Preference-Applied')

const documented = operationIds.flatMap((id) => {
  const { responses }: Endpoint = endpoints[id]
  return Object.entries(responses).map(([status, { schema }]) => ({ id, status: Number(status), schema }))
})
const successes = documented.filter(({ status, schema }) => status < 400 && schema !== undefined)

describe('Prefer: dynamic=true', () => {
  it.each(successes)('generates a valid body of $id $status', async ({ id, status }) => {
    const client = await create()
    // The client checks every response against its schema and headers.
    const reply = await call(client, id, `dynamic=true, code=${status}`)
    expect(reply.status).toBe(status)
    expect(appliedOf(reply)).toBe(`code=${status}, dynamic=true`)
  })

  it('generates valid bodies, whatever the seed and the path', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...successes), fc.integer(), fc.string(), async ({ schema }, seed, text) => {
        if (schema === undefined) return
        expect(check(schema, await makeBody(schema, seed, text))).toEqual({ problems: [], unknown: [], moreUnknown: 0 })
      }),
    )
  })

  it('generates the same body for the same request, and another for another path, operation or seed', async () => {
    const ask = async (id: OperationId, segment: string, seed = 1) =>
      (await call(await create({ seed }), id, 'dynamic=true', segment)).text
    const first = await ask('getResourceById', 'one')
    expect(await ask('getResourceById', 'one')).toBe(first)
    expect(await ask('getResourceById', 'two')).not.toBe(first)
    expect(await ask('getResourceByKey', 'one')).not.toBe(first)
    expect(await ask('getResourceById', 'one', 2)).not.toBe(first)
  })

  it('generates exactly the documented members, and the requested identity', async () => {
    const client = await create()
    const plain = await call(client, 'getResourceById', 'dynamic=true', 'my-id')
    expect(plainObjectTestType.parse(parseJson(plain.text))).toBeTruthy()
    expect(plain.headers.get('Content-Location')).toBe('/my-id/resource/my-id')
    expect(plain.headers.get('ETag')).toBe(`"${(plain.body as { readonly version: number }).version}"`)
    const full = await call(client, 'getResourceById', 'dynamic=true, identity=body', 'my-id')
    expect(full.body).toMatchObject({ id: 'my-id' })
    expect(appliedOf(full)).toBe('dynamic=true, identity=body')
    const byKey = await call(await create({ identity: 'body' }), 'getResourceByKey', 'dynamic=true', 'my-key')
    expect(byKey.body).toMatchObject({ key: 'my-key', createdAt: expect.any(String) as string })
    expect(objectTestType.parse(parseJson(byKey.text))).toBeTruthy()
  })

  it.each(['%00', '%0D%0A', '%E2%82%AC', '%2F'])('works with the id %s', async (id) => {
    const reply = await (await create()).get(`/acme/resource/${id}`, { Prefer: 'dynamic=true' })
    expect(reply.headers.get('Content-Location')).toBe(`/acme/resource/${id}`)
  })

  it('keeps the promises of array names, and counts the results of a page', async () => {
    const page = (await call(await create(), 'queryResources', 'dynamic=true')).body as Readonly<
      Record<string, unknown>
    >
    const {
      arrayOfTwonumbersExample: two,
      arrayOfUniqueIntExample: unique,
      results,
    } = page as Readonly<Record<string, unknown[]>>
    expect(two).toHaveLength(2)
    expect(new Set(unique).size).toBe(unique?.length)
    expect(page).toMatchObject({ limit: 20, offset: 0, count: results?.length, total: results?.length })
  })

  it('does not affect any other faker', async () => {
    const { faker } = await import('@faker-js/faker/locale/en')
    faker.seed(42)
    const expected = [faker.number.int(), faker.number.int()]
    faker.seed(42)
    const before = faker.number.int()
    await makeBody(objectTestType, 1, 'x')
    expect([before, faker.number.int()]).toEqual(expected)
  })

  it('changes nothing', async () => {
    const client = await create()
    for (const id of ['createResource', 'putResource', 'deleteResource'] as const) {
      expect((await call(client, id, 'dynamic=true', 'acme')).status).toBeLessThan(300)
    }
    expect((await client.get('/acme/resource')).body).toMatchObject({ total: 0 })
  })
})

describe('Prefer: code', () => {
  it.each([400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503])(
    '%i gets the envelope if the endpoint documents it',
    async (code) => {
      const reply = await call(await create(), 'updateResource', `code=${code}`)
      expect([reply.status, appliedOf(reply)]).toEqual([code, `code=${code}`])
      expect(reply.body).toMatchObject({ statusCode: code })
    },
  )

  it.each<readonly [OperationId, number, string]>([
    ['updateResource', 409, 'Object my-one has a different version than expected.'],
    ['getResourceById', 404, "The Resource with ID 'my-one' was not found."],
    ['getResourceByKey', 404, "The Resource with key 'my-one' was not found."],
    ['createResource', 403, 'manage_test:my-one'],
    ['queryResources', 401, 'Bearer realm="my-one"'],
  ])('%s %i names the path of the request', async (id, code, sentence) => {
    const { status, text, headers } = await call(await create(), id, `code=${code}`, 'my-one')
    expect(status).toBe(code)
    const told = `${text} ${headers.get('WWW-Authenticate')}`
    expect(told).toContain(sentence)
    expect(told).not.toContain('{projectKey}')
  })

  it.each<readonly [OperationId, string, number]>([
    ['queryResources', 'code=404', 200],
    ['queryResources', 'code=409', 200],
    ['createResource', 'code=200', 201],
    ['postAction', 'code=403', 200],
    ['queryResources', 'code=999', 200],
    ['queryResources', 'code=abc', 200],
    ['queryResources', 'code=204', 200],
    ['getResourceById', 'code=200', 404],
  ])('%s %s cannot be honored, and is ignored', async (id, prefer, status) => {
    const reply = await call(await create(), id, prefer)
    expect([reply.status, appliedOf(reply)]).toEqual([status, null])
  })

  it.each<readonly [OperationId, string, string]>([
    ['queryResources', 'code=409', 'D66 Prefer: code=409 was ignored: this operation responds with 200, 400, 401,'],
    ['queryResources', 'code=abc', 'D66 Prefer: code=abc was ignored: this operation responds with'],
    ['queryResources', 'example=x', 'D66 Prefer: example=x was ignored: this operation has no examples.'],
  ])('%s %s gets a warning, also with --strict', async (id, prefer, sentence) => {
    for (const strict of [false, true]) {
      const { headers } = await call(await create({ strict }), id, prefer)
      expect(headers.get('X-Mock-Warning')).toContain(sentence)
    }
  })

  it.each(['dynamic=true', 'code=200', 'identity=body', 'respond-async'])('%s gets no warning', async (prefer) => {
    const { headers } = await call(await create(), 'getActionWithExample', prefer)
    expect(headers.get('X-Mock-Warning')).toBeNull()
  })

  it('is applied if the operation returns it', async () => {
    const client = await create()
    const created = await call(client, 'createResource', 'code=201')
    expect([created.status, appliedOf(created)]).toEqual([201, 'code=201'])
    expect((await client.get('/one/resource')).body).toMatchObject({ total: 1 })
  })

  it('chooses between the 200 and 201 of the complex POST', async () => {
    const client = await create()
    for (const code of [200, 201]) {
      const reply = await call(client, 'postComplex', `code=${code}`)
      expect([reply.status, appliedOf(reply)]).toEqual([code, `code=${code}`])
    }
  })

  it.each([200, 404])('%i has no body for HEAD', async (code) => {
    const reply = await call(await create(), 'checkResources', `code=${code}`)
    expect([reply.status, reply.text, appliedOf(reply)]).toEqual([code, '', `code=${code}`])
  })

  it('applies to HEAD as to GET, without a body', async () => {
    const reply = await (await create()).head('/acme/resource/1', { Prefer: 'code=503' })
    expect([reply.status, reply.text, appliedOf(reply)]).toEqual([503, '', 'code=503'])
  })

  it('does not replace a token or a valid request', async () => {
    const client = await create()
    expect((await client.get('/acme/resource', { Prefer: 'code=200', Authorization: undefined })).status).toBe(401)
    const refused = await client.get('/acme/resource?limit=x', { Prefer: 'dynamic=true' })
    expect([refused.status, appliedOf(refused)]).toEqual([400, null])
  })
})

describe('Prefer: example', () => {
  it.each<readonly [string, string | null]>([
    ['code=203, example=custom2', 'code=203, example=custom2'],
    ['example=custom2', 'example=custom2'],
    ['example="custom1", code=203', 'code=203, example=custom1'],
    ['code=203', 'code=203'],
    ['code=203, example=custom3', 'code=203'],
  ])('%s applies %s', async (prefer, applied) => {
    const reply = await call(await create(), 'postComplex', prefer)
    expect([reply.status, appliedOf(reply)]).toEqual([203, applied])
  })

  it('distinguishes custom1 and custom2; custom1 is the first', async () => {
    const client = await create()
    const ask = async (prefer: string) => (await call(client, 'postComplex', prefer)).text
    expect(await ask('code=203')).toBe(await ask('example=custom1'))
    expect(await ask('example=custom2')).not.toBe(await ask('example=custom1'))
  })

  it.each<readonly [OperationId, string, number]>([
    ['postComplex', 'example=custom3', 201],
    ['postComplex', 'code=201, example=custom1', 201],
    ['queryResources', 'example=custom1', 200],
    ['postComplex', 'example=constructor', 201],
  ])('%s %s ignores an unknown example', async (id, prefer, status) => {
    const reply = await call(await create(), id, prefer)
    expect(reply.status).toBe(status)
    expect(appliedOf(reply) ?? '').not.toContain('example')
  })
})

describe('Prefer: identity=body', () => {
  it('is applied only to operations that return a resource', async () => {
    const client = await create()
    const created = await call(client, 'createResource', 'identity=body')
    expect(appliedOf(created)).toBe('identity=body')
    expect(created.body).toMatchObject({ id: expect.any(String) as string })
    expect(appliedOf(await call(client, 'postAction', 'identity=body'))).toBeNull()
    expect(appliedOf(await call(client, 'createResource', 'identity=body, code=503'))).toBe('code=503')
  })
})
