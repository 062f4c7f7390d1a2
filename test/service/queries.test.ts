import { beforeAll, describe, expect, it } from 'vitest'
import { createClient, draft, errorOf, keysOf, resultsOf } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const base = '/acme/resource'
const sorted = `${base}/sorted-query-parameters`
const none = {
  arrayOfIntExample: [],
  arrayOfUniqueIntExample: [],
  arrayOfTwonumbersExample: [],
  arrayOfFloatExample: [],
  arrayOfNumberNoDefaultsExample: [],
  arrayOfStringExample: [],
  arrayOfObjectType: [],
}

const resources = [
  {
    id: '00000000-0000-4000-8000-00000000000a',
    key: 'aa',
    version: 3,
    lastModifiedAt: '2026-01-01T00:00:00.000Z',
    objectTypeProperty: {
      arrayOfIntExample: [1, 9223372036854775807n],
      arrayOfStringExample: ['red', 'big'],
      arrayOfObjectType: [{ integerExample: 1, integerExampleInt32: 2 }],
    },
  },
  {
    id: '00000000-0000-4000-8000-00000000000b',
    key: 'bb',
    lastModifiedAt: '2026-02-01T00:00:00.000Z',
    objectTypeProperty: {
      arrayOfFloatExample: [1.5, 2],
      arrayOfStringExample: ['red', 'small', '7 in arrayOfIntExample'],
    },
  },
  {
    id: '00000000-0000-4000-8000-00000000000c',
    key: 'cc',
    lastModifiedAt: '2026-03-01T00:00:00.000Z',
    objectTypeProperty: {
      arrayOfIntExample: [7],
      arrayOfUniqueIntExample: [42],
      arrayOfFloatExample: [9007199254740993n],
      arrayOfNumberNoDefaultsExample: [0.25, 7, 9007199254740993n],
      arrayOfTwonumbersExample: [3, 4],
    },
  },
]

// Nothing here writes, so one mock serves every case.
let client: Client
beforeAll(async () => {
  client = await createClient({ resources })
})

describe('a query of a hundred', () => {
  const times = (count: number, text: string) => Array.from({ length: count }, () => text)
  it.each([
    ['', 'conditions', (count: number) => `where=${times(count, 'version > 0').join(' and ')}`],
    ['', 'conditions', (count: number) => times(count, 'where=not version = 0').join('&')],
    ['', 'conditions', (count: number) => times(count, 'arrayOfString=red').join('&')],
    ['', 'sorts', (count: number) => times(count, 'sort=id').join('&')],
    ['/searchApiPattern', 'conditions', (count: number) => times(count, 'filter=arrayOfIntExample:1').join('&')],
    [
      '/searchApiPattern',
      'terms',
      (count: number) =>
        `text.en=${times(count, 'a')
          .map((a, at) => a + at)
          .join(' ')}`,
    ],
    ['/searchApiPattern', 'facets', (count: number) => times(count, 'facet=arrayOfIntExample').join('&')],
  ])('%s %s is answered, and one of more is refused', async (path, what, toQuery) => {
    const answer = (count: number) => client.get(`${base}${path}?${encodeURI(toQuery(count))}`)
    expect((await answer(100)).status).toBe(200)
    expect(errorOf(await answer(101))).toEqual({
      status: 400,
      code: 'InvalidInput',
      message: `The query has 101 ${what}. The limit is 100. Use fewer (D97).`,
    })
  })

  it('is not what a list of a thousand ids is', async () => {
    const ids = times(1000, '"00000000-0000-4000-8000-00000000000a"').join()
    expect(keysOf(await client.get(`${base}?where=${encodeURIComponent(`id in (${ids})`)}`))).toEqual(['aa'])
  })
})

describe('the conditions of 4.1 and 4.5', () => {
  it.each([
    ['', ['aa', 'bb', 'cc']],
    ['stringParameter=red', ['aa', 'bb']],
    ['stringParameter=re', []],
    ['stringParameter=7 in arrayOfIntExample', ['bb', 'cc']],
    ['stringParameter=42 in arrayOfUniqueIntExample', ['cc']],
    ['stringParameter=4 in arrayOfTwonumbersExample', ['cc']],
    ['stringParameter=0.25 in arrayOfNumberNoDefaultsExample', ['cc']],
    ['stringParameter=7 in nothing', []],
    ['stringParameter=7  in arrayOfIntExample', []],
    ['floatParameter=1.5', ['bb']],
    ['floatParameter=2.0', ['bb']],
    ['floatParameter=7', []],
    ['integerParameter=7', ['cc']],
    ['integerParameter=7.0', ['cc']],
    ['integerParameter=9223372036854775807', ['aa']],
    ['integerParameter=9223372036854775806', []],
    ['floatParameter=9007199254740993', ['cc']],
    ['floatParameter=9007199254740992', []],
    ['where=version = 1.00000000000000000000001', []],
    ['where=version < 1.00000000000000000000001', ['bb', 'cc']],
    ['where=version > 2.99999999999999999999999', ['aa']],
    ['withMarkdownDescription=9007199254740993.0', ['cc']],
    ['withMarkdownDescription=9007199254740994', []],
    ['withMarkdownDescription=0.25', ['cc']],
    ['withMarkdownDescription=1.5', []],
    ['arrayOfString=red', ['aa', 'bb']],
    ['arrayOfString=red&arrayOfString=big', ['aa']],
    ['arrayOfStringWithDescription=red', ['aa', 'bb']],
    ['arrayOfStringWithDescription=red&arrayOfStringWithDescription=small', ['bb']],
    ['arrayOfString=red&arrayOfStringWithDescription=big', ['aa']],
    ['objectParameter={"arrayOfString":["red","big"]}', ['aa']],
    ['objectParameter={"arrayOfString":"small"}', ['bb']],
    ['objectParameter[arrayOfString]=small', ['bb']],
    ['objectParameter.arrayOfString=small', ['bb']],
    ['objectParameter[arrayOfString]=red&objectParameter[arrayOfString]=big', ['aa']],
    ['objectParameter={}', ['aa', 'bb', 'cc']],
    ['stringParameter=red&floatParameter=2', ['bb']],
    ['stringParameter=red&floatParameter=3', []],
    ['where=version > 1', ['aa']],
    ['stringParameter=red&where=version = 1', ['bb']],
    ['where=version > :least&var.least=2', ['aa']],
  ])('%s finds %j', async (query, keys) => {
    const search = `?${encodeURI(query)}`
    const { status } = await client.head(base + search)
    expect({ keys: keysOf(await client.get(base + search)), head: status }).toEqual({
      keys,
      head: keys.length > 0 ? 200 : 404,
    })
  })

  it.each([
    ['7', ['cc']],
    ['2.0', ['bb']],
    ['0.25', ['cc']],
    ['42', ['cc']],
    ['2026-02-01T00:00:00Z', ['bb', 'cc']],
    ['2026-02-01T01:00:00.000+01:00', ['bb', 'cc']],
    ['2026-02-01T00:00:00.001Z', ['cc']],
    [
      '{"version":1,"objectTypeProperty":{"arrayOfFloatExample":[1.5,2],"arrayOfStringExample":["red","small","7 in arrayOfIntExample"]}}',
      ['bb'],
    ],
    [
      '{"objectTypeProperty":{"arrayOfObjectType":[{"integerExampleInt32":2,"integerExample":1}],"arrayOfStringExample":["red","big"],"arrayOfIntExample":[1,9223372036854775807]},"version":3}',
      ['aa'],
    ],
    ['{"version":3,"objectTypeProperty":{}}', []],
  ])('unionParameter=%s finds %j', async (value, keys) => {
    const search = `?unionParameter=${encodeURIComponent(value)}`
    expect(keysOf(await client.get(base + search))).toEqual(keys)
  })

  it.each([
    'floatParameter=x',
    'integerParameter=1.5',
    'integerParameter=9223372036854775808',
    'withMarkdownDescription=',
    'unionParameter=soon',
    'unionParameter={"version":"1"}',
    'objectParameter=x',
    'objectParameter={"arrayOfString":[1]}',
    'stringParameter=a&stringParameter=b',
    'withTotal=yes',
    'limit=-1',
    'limit=501',
    'limit=20.5',
    'limit=20.00000000000000000000001',
    'limit=abc',
    'offset=-1',
    'offset=10001',
    'where=',
    'where=nope = 1',
    'sort=nope',
    'var.a=1&where=version = :b',
  ])('%s is refused, naming the parameter', async (query) => {
    const search = `?${encodeURI(query)}`
    const error = errorOf(await client.get(base + search))
    expect(error).toMatchObject({ status: 400, message: expect.stringMatching(/^Malformed parameter: \w+: /) })
    const isIgnored = query.startsWith('unionParameter')
    expect((await client.head(base + search)).status).toBe(isIgnored ? 200 : 400)
  })

  it('of HEAD ignore unionParameter, with a warning, even under --strict', async () => {
    const strict = await createClient({ resources, strict: true })
    const { status, headers } = await strict.head(`${base}?unionParameter=soon&unionParameter=later`)
    expect([status, headers.get('X-Mock-Warning')]).toEqual([
      200,
      'D11 HEAD ignores the query parameter "unionParameter".',
    ])
  })

  it('find nothing in a project without resources', async () => {
    const empty = await createClient()
    expect((await empty.head(base)).status).toBe(404)
    expect((await empty.get(base)).body).toEqual({ ...none, limit: 20, offset: 0, count: 0, total: 0, results: [] })
  })
})

describe('a query that is not percent-encoded UTF-8', () => {
  it.each([
    ['/acme/resource', '?limit=0&stringParameter=K%E4se', 'stringParameter: %E4 at character 27', 'ä as %C3%A4'],
    ['/acme/resource', '?limit=0&stringParameter=100%', 'stringParameter: % at character 29', '% as %25'],
    ['/acme/resource', '?stringParameter=%C3%A4%zz', 'stringParameter: %zz at character 24', '% as %25'],
    [sorted, '?where=key%20=%20:x&var.x=%e2%82%41', 'var.x: %e2 at character 27', 'â as %C3%A2'],
    [sorted, '?where=someProperty%20%3D%20%22K%FCche%22', 'where: %FC at character 33', 'ü as %C3%BC'],
    [`${base}/searchApiPattern`, '?text.de=%ED%A0%80', 'text.de: %ED at character 10', 'í as %C3%AD'],
  ])('is refused, naming the place: %s%s', async (path, search, place, remedy) => {
    expect(errorOf(await client.get(path + search))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: `Malformed parameter: ${place} of the query is not percent-encoded UTF-8. Encode ${remedy}.`,
    })
  })

  it('is refused without a remedy if the byte is no character of Latin-1 either', async () => {
    expect(errorOf(await client.get(`${base}?stringParameter=a&a%80=b`)).message).toBe(
      'Malformed parameter: a: %80 at character 21 of the query is not percent-encoded UTF-8.',
    )
  })
})

describe('the body of a query', () => {
  it("has the arrays of its page's first result", async () => {
    const reply = await client.get(`${base}?sort=version%20desc&limit=2`)
    expect(reply.body).toMatchObject({ ...resources[0]?.objectTypeProperty, limit: 2, offset: 0, count: 2, total: 3 })
    expect(reply.body).not.toHaveProperty('arrayOfFloatExample')
    expect((await client.get(`${base}?offset=1`)).body).toMatchObject({
      arrayOfFloatExample: [1.5, 2],
      offset: 1,
      count: 2,
    })
  })

  it.each(['?offset=3', '?limit=0', '?stringParameter=nothing'])(
    'has seven empty arrays if the page is empty: %s',
    async (search) => {
      expect((await client.get(base + search)).body).toMatchObject({ ...none, count: 0, results: [] })
    },
  )

  it('is valid if the first result has no arrays', async () => {
    const bare = await createClient()
    await bare.post(base, draft())
    expect((await bare.get(base)).body).toMatchObject({ count: 1, total: 1 })
  })
})

describe.each([base, sorted])('paging of %s', (path) => {
  it.each([
    ['', { limit: 20, offset: 0, count: 3, total: 3 }, ['aa', 'bb', 'cc']],
    ['?limit=1', { limit: 1, offset: 0, count: 1, total: 3 }, ['aa']],
    ['?limit=1&offset=1', { limit: 1, offset: 1, count: 1, total: 3 }, ['bb']],
    ['?limit=2.0&offset=2e0', { limit: 2, offset: 2, count: 1, total: 3 }, ['cc']],
    ['?offset=10000', { limit: 20, offset: 10_000, count: 0, total: 3 }, []],
    ['?limit=500', { limit: 500, offset: 0, count: 3, total: 3 }, ['aa', 'bb', 'cc']],
    ['?limit=0', { limit: 0, offset: 0, count: 0, total: 3 }, []],
    ['?withTotal=true', { limit: 20, offset: 0, count: 3, total: 3 }, ['aa', 'bb', 'cc']],
    ['?where=version%20%3D%201&limit=1', { limit: 1, offset: 0, count: 1, total: 2 }, ['bb']],
  ])('%s', async (search, members, keys) => {
    const reply = await client.get(path + search)
    expect(reply.body).toMatchObject(members)
    expect(keysOf(reply)).toEqual(keys)
  })

  it('omits total if it is not requested', async () => {
    expect((await client.get(`${path}?withTotal=false`)).body).not.toHaveProperty('total')
  })
})

describe('4.12', () => {
  it.each([
    ['where=key = "aa"', ['aa']],
    ['where=version = 1&where=key != "bb"', ['cc']],
    ['where=key in ("aa", "cc")', ['aa', 'cc']],
    ['where=key in :keys&var.keys=aa&var.keys=bb', ['aa', 'bb']],
    ['where=objectTypeProperty(arrayOfIntExample contains any (1, 7))', ['aa', 'cc']],
    ['where=arrayOfIntExample contains all (1, 9223372036854775807)', ['aa']],
    ['where=arrayOfObjectType(integerExample = 1 and integerExampleInt32 = 2)', ['aa']],
    ['where=arrayOfObjectType is not defined or version = 3', ['aa', 'bb', 'cc']],
    ['where=not (version = 3) and lastModifiedAt >= "2026-03-01T00:00:00Z"', ['cc']],
    ['sort=key desc', ['cc', 'bb', 'aa']],
    ['sort=version desc&sort=key desc', ['aa', 'cc', 'bb']],
    ['sort=arrayOfStringExample', ['bb', 'aa', 'cc']],
    ['expand=anything[*]', ['aa', 'bb', 'cc']],
  ])('%s finds %j', async (query, keys) => {
    const reply = await client.get(`${sorted}?${encodeURI(query)}`)
    expect([keysOf(reply), reply.headers.get('X-Mock-Warning')]).toEqual([keys, null])
  })

  it('reports the position of an error in a predicate, with a caret below it', async () => {
    expect(
      errorOf(await client.get(`${sorted}?where=${encodeURIComponent('version = 1 and\nkey == "a"')}`)),
    ).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringMatching(/^Malformed parameter: where: line 2, column 6: .*\nkey == "a"\n {5}\^$/),
    })
  })

  it('matches someProperty once it is set', async () => {
    const own = await createClient({ resources })
    const path = `${base}/${resultsOf(await own.get(base))[0]?.id}`
    await own.post(path, { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'new' }] })
    expect(keysOf(await own.get(`${sorted}?where=${encodeURIComponent('someProperty = "new"')}`))).toEqual(['aa'])
  })

  it('warns about undocumented parameters', async () => {
    const { headers } = await client.get(`${sorted}?limt=1&stringParameter=a`)
    expect(headers.get('X-Mock-Warning')).toBe(
      'D4 Unknown query parameter "limt" is ignored. Did you mean "limit"?, D4 Unknown query parameter "stringParameter" is ignored.',
    )
  })
})
