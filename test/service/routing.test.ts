import { beforeEach, describe, expect, it } from 'vitest'
import { operationIds } from '../../src/service/contract/endpoints.ts'
import { createClient, draft, errorOf, idOf, keysOf, resultsOf } from '../support/client.ts'
import type { CallHeaders, Client } from '../support/client.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const resources = [{ id: ID, key: 'abc', objectTypeProperty: { arrayOfStringExample: ['a'] } }]
const base = '/acme/resource'
const complex = `${base}/artificially-complex/path/uri-parameter-one=one/two`
const localized = { Accept: 'application/json', 'Storefront-Locale': 'de-DE' }
/** The smallest GIF: one pixel. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (character) => character.charCodeAt(0))

let client: Client
beforeEach(async () => {
  client = await createClient({ resources })
})

const calls: readonly [string, string, string, number, CallHeaders, BodyInit?][] = [
  ['queryResources', 'GET', base, 200, {}],
  ['getResourceById', 'GET', `${base}/${ID}`, 200, {}],
  ['getResourceByKey', 'GET', `${base}/key=abc`, 200, {}],
  ['searchResources', 'GET', `${base}/searchApiPattern`, 200, {}],
  ['checkResources', 'HEAD', base, 200, {}],
  ['createResource', 'POST', base, 201, { 'Content-Type': 'application/json' }, '{"objectTypeProperty":{}}'],
  ['overwriteResource', 'PATCH', base, 201, { 'Content-Type': 'application/json' }, '{"objectTypeProperty":{}}'],
  ['putResource', 'PUT', base, 201, { 'Content-Type': 'application/json' }, '{"objectTypeProperty":{}}'],
  ['postComplex', 'POST', complex, 201, { 'Content-Type': 'application/json' }, '{}'],
  [
    'updateResource',
    'POST',
    `${base}/${ID}`,
    200,
    { 'Content-Type': 'application/json' },
    '{"version":1,"actions":[]}',
  ],
  ['deleteResource', 'DELETE', `${base}/${ID}`, 200, {}],
  ['sortedQuery', 'GET', `${base}/sorted-query-parameters`, 200, {}],
  ['uploadImage', 'POST', `${base}/images`, 200, { 'Content-Type': 'image/gif' }, gif],
  ['postAction', 'POST', `${base}/namespace-action`, 200, { 'Content-Type': 'application/json' }, '{"a":1}'],
  ['getAction', 'GET', `${base}/namespace-action`, 200, {}],
  ['getActionWithExample', 'GET', `${base}/namespace-action-with-example`, 200, {}],
  ['getActionWithHeaders', 'GET', `${base}/namespace-action-with-headers`, 200, localized],
]

describe('an operation', () => {
  it.each(calls)('%s responds to %s %s with %i', async (id, method, path, status, headers, body) => {
    const reply = await client.send(method, path, headers, body)
    expect({ status: reply.status, operation: reply.headers.get('X-Mock-Operation') }).toEqual({
      status,
      operation: id,
    })
  })

  it('is in the table above, every one', () => {
    expect(calls.map(([id]) => id).toSorted()).toEqual(operationIds.toSorted())
  })

  it.each(calls.filter(([, method]) => method === 'GET'))(
    '%s responds to HEAD as to GET, without a body',
    async (id, _method, path, status, headers) => {
      const [get, head] = [await client.get(path, headers), await client.head(path, headers)]
      const operation = id === 'queryResources' ? 'checkResources' : id
      expect({ status: head.status, operation: head.headers.get('X-Mock-Operation') }).toEqual({ status, operation })
      for (const name of ['ETag', 'Content-Location', 'Content-Language']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name))
      }
    },
  )
})

describe('an unknown path', () => {
  it.each([
    '/acme',
    '/acme/',
    '/acme/resource/',
    '/acme/resources',
    '/acme/Resource',
    '//resource',
    '/acme/resource/1/2',
    '/acme/resource//',
    '/a/b/c/acme/resource',
    `${base}/artificially-complex/path/uri-parameter-two=a/b`,
    `${base}/artificially-complex/path/uri-parameter-one=a`,
    `${base}/artificially-complex/path/uri-parameter-one=a/`,
  ])('is 404: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await client.send(method, path)).status).toBe(404)
    }
    expect(errorOf(await client.get(path))).toEqual({
      status: 404,
      code: 'ResourceNotFound',
      message: expect.stringContaining(`No endpoint matches ${path}. `),
    })
  })

  it.each([
    ['/acme/resouce', '/acme/resource'],
    ['/acme/resources', '/acme/resource'],
    ['/acme/Resource/key=abc', '/acme/resource/key=abc'],
    ['/acme/resource/', '/acme/resource'],
    ['/acme//resource', '/acme/resource'],
    ['/eu/gcp/acme/resouce', '/eu/gcp/acme/resource'],
    ['/acme/resource/artificialy-complex/path/uri-parameter-one=one/two', complex],
  ])('gets a suggestion: %s', async (path, meant) => {
    const { message } = errorOf(await client.get(path))
    expect(message).toBe(
      `No endpoint matches ${path}. Did you mean "${meant}"? Paths start with /{projectKey}/resource; tokens come from /oauth/token. The dashboard is at /__admin.`,
    )
    expect((await client.get(meant)).status).not.toBe(404)
  })

  it.each(['/acme', '/acme/products', '/acme/resource/1/2', '/eu//acme/resource', '/__admn'])(
    'gets no suggestion if no path is similar: %s',
    async (path) => {
      expect(errorOf(await client.get(path)).message).not.toContain('Did you mean')
    },
  )
})

describe('an unsupported method', () => {
  const images = `${base}/images`
  it.each([
    ['DELETE', base, 'GET, HEAD, POST, PATCH, PUT, OPTIONS'],
    ['PUT', `${base}/${ID}`, 'GET, HEAD, POST, DELETE, OPTIONS'],
    ['PATCH', `${base}/${ID}`, 'GET, HEAD, POST, DELETE, OPTIONS'],
    ['POST', `${base}/key=abc`, 'GET, HEAD, OPTIONS'],
    ['DELETE', `${base}/key=abc`, 'GET, HEAD, OPTIONS'],
    ['GET', images, 'POST, OPTIONS'],
    ['HEAD', images, 'POST, OPTIONS'],
    ['DELETE', images, 'POST, OPTIONS'],
    ['DELETE', `${base}/searchApiPattern`, 'GET, HEAD, OPTIONS'],
    ['POST', `${base}/sorted-query-parameters`, 'GET, HEAD, OPTIONS'],
    ['DELETE', `${base}/namespace-action`, 'GET, HEAD, POST, OPTIONS'],
    ['POST', `${base}/namespace-action-with-example`, 'GET, HEAD, OPTIONS'],
    ['DELETE', `${base}/namespace-action-with-headers`, 'GET, HEAD, OPTIONS'],
    ['GET', complex, 'POST, OPTIONS'],
    ['PROPFIND', base, 'GET, HEAD, POST, PATCH, PUT, OPTIONS'],
  ])('is 405: %s %s', async (method, path, allowed) => {
    const { status, headers } = await client.send(method, path)
    const allow = headers.get('Allow')?.split(', ').toSorted()
    expect({ status, allow }).toEqual({ status: 405, allow: allowed.split(', ').toSorted() })
  })

  it('is named in the message, with the allowed methods', async () => {
    expect(errorOf(await client.delete(images))).toEqual({
      status: 405,
      code: 'MethodNotAllowed',
      message: 'DELETE is not allowed on /acme/resource/images. Allowed: POST, OPTIONS.',
    })
  })

  it.each([
    ['PUT', `${base}/1`],
    ['PATCH', `${base}/1`],
    ['PUT', `${base}/key=a`],
  ])('says what to send instead of %s %s', async (method, path) => {
    expect(errorOf(await client.send(method, path)).message).toContain(
      'To update a resource, send POST to /{projectKey}/resource/{id} with its version and actions. To overwrite it, send PUT or PATCH to /{projectKey}/resource, with its key in the body.',
    )
  })

  it('never falls through to the id of a resource', async () => {
    for (const segment of ['images', 'key=abc', 'searchApiPattern', 'namespace-action']) {
      await client.delete(`${base}/${segment}`)
    }
    expect(resultsOf(await client.get(base))).toHaveLength(1)
  })

  it("lists the path's methods in response to OPTIONS", async () => {
    const { status, headers } = await client.send('OPTIONS', images)
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 204, allow: 'POST, OPTIONS' })
  })
})

describe('a path segment', () => {
  it.each([
    ['key%3Dabc is an id', `${base}/key%3Dabc`, "The Resource with ID 'key=abc' was not found."],
    ['a%2Fb is a single id', `${base}/a%2Fb`, "The Resource with ID 'a/b' was not found."],
    ['an encoded percent sign is an id', `${base}/a%2541`, "The Resource with ID 'a%41' was not found."],
    [
      'an id with other characters',
      `${base}/%C3%A4%20%F0%9F%98%80`,
      "The Resource with ID 'ä \u{1f600}' was not found.",
    ],
    [
      'an id named like a property of Object.prototype',
      `${base}/__proto__`,
      "The Resource with ID '__proto__' was not found.",
    ],
    ['an unknown key', `${base}/key=nope`, "The Resource with key 'nope' was not found."],
    ['an empty key', `${base}/key=`, "The Resource with key '' was not found."],
    ['a key with an equals sign', `${base}/key=a=b`, "The Resource with key 'a=b' was not found."],
    ['a key with an encoded slash', `${base}/key=a%2Fb`, "The Resource with key 'a/b' was not found."],
  ])('is named if it is missing: %s', async (_case, path, message) => {
    expect(errorOf(await client.get(path))).toEqual({ status: 404, code: 'ResourceNotFound', message })
  })

  it('that is not percent-encoded UTF-8 is refused, and recorded in the default session', async () => {
    const path = `/@s1${base}/key=K%E4se`
    expect(errorOf(await client.get(path))).toMatchObject({ status: 400, code: 'InvalidInput' })
    const journal: unknown = await (await client.mock.fetch('/__admin/requests')).json()
    expect(journal).toMatchObject({ requests: [{ request: { url: path }, response: { status: 400 } }] })
  })

  it('that is a key with an encoded equals sign is warned with the right spelling', async () => {
    const path = `/acm%C3%A9/resource/key%3Da%2Fb`
    const warning =
      'D13 An encoded "=" makes this an id. To read by key, send GET /acm%C3%A9/resource/key=a%2Fb with a bare "=".'
    const replies = [await client.get(path), await client.delete(path)]
    for (const { status, headers } of replies) expect([status, headers.get('X-Mock-Warning')]).toEqual([404, warning])
  })

  it.each([`${base}/key=%61bc`, `/acme/%72esource/key=abc`, `/%61cme/resource/key=abc`])(
    'is the same when encoded: %s',
    async (path) => {
      expect((await client.get(path)).status).toBe(200)
    },
  )

  it.each(['/acme/resource/%', '/acme/resource/%zz', '/%ff/resource'])(
    'must be valid percent-encoding: %s',
    async (path) => {
      expect(errorOf(await client.get(path))).toMatchObject({ status: 400, code: 'InvalidInput' })
    },
  )

  it.each(['__proto__', 'constructor', 'a%2Fb', 'oauth', '%22%0D%0A', '%F0%9F%98%80'])(
    'may be any project key: %s',
    async (projectKey) => {
      const created = await client.post(`/${projectKey}/resource`, draft({}, 'new'))
      expect(created.status).toBe(201)
      const path = created.headers.get('Location') ?? ''
      expect((await client.get(path)).status).toBe(200)
      expect(keysOf(await client.get(base))).toEqual(['abc'])
    },
  )
})

describe('a base URL', () => {
  it.each([
    ['path', '/eu/gcp/acme/resource', '/eu/gcp/acme/resource/'],
    ['a path in another case', '/EU/GCP/acme/resource', '/EU/GCP/acme/resource/'],
    ['host', 'http://api.eu.gcp.localhost:4010/acme/resource', '/acme/resource/'],
  ])('in the %s has its own data and its own Location', async (_form, url, location) => {
    const created = await client.post(url, draft({}, 'new'))
    expect(created.headers.get('Location')).toMatch(new RegExp(`^${location}[0-9a-f-]{36}$`))
    expect(keysOf(await client.get(url))).toEqual(['abc', 'new'])
    expect(keysOf(await client.get(base))).toEqual(['abc'])
    expect(keysOf(await client.get('/us/gcp/acme/resource'))).toEqual(['abc'])
  })

  it('is the same in its host and path forms', async () => {
    await client.post('http://api.eu.gcp.localhost/acme/resource', draft({}, 'new'))
    expect((await client.get('/eu/gcp/acme/resource/key=new')).status).toBe(200)
  })

  it('may precede the token endpoints too', async () => {
    const reply = await client.send(
      'POST',
      '/@s1/eu/gcp/oauth/token',
      { Authorization: `Basic ${btoa('id:secret')}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      'grant_type=client_credentials',
    )
    expect(reply.status).toBe(200)
  })
})

describe('a session', () => {
  const inHeader = { 'X-Mock-Session': 's1' }
  const inCookie = { Cookie: 'a=b; mock-session=s1' }

  it.each<[string, string, CallHeaders]>([
    ['path', '/@s1/acme/resource', {}],
    ['header', base, inHeader],
    ['cookie', base, inCookie],
  ])('named by the %s is the same isolated copy', async (_by, url, headers) => {
    const created = await client.post(url, draft({}, 'new'), headers)
    expect(created.headers.get('Location')).toBe(`${url}/${idOf(created)}`)
    expect(keysOf(await client.get('/@s1/acme/resource'))).toEqual(['abc', 'new'])
    expect(keysOf(await client.get(base, inHeader))).toEqual(['abc', 'new'])
    expect(keysOf(await client.get(base, inCookie))).toEqual(['abc', 'new'])
    expect(keysOf(await client.get(base))).toEqual(['abc'])
    expect(keysOf(await client.get('/@s2/acme/resource'))).toEqual(['abc'])
  })

  it('is taken from the path first, then the header, then the cookie', async () => {
    await client.post('/@s1/acme/resource', draft({}, 'new'), { 'X-Mock-Session': 's2', Cookie: 'mock-session=s3' })
    await client.post(base, draft({}, 'newer'), { 'X-Mock-Session': 's2', Cookie: 'mock-session=s3' })
    expect(keysOf(await client.get('/@s1/acme/resource'))).toEqual(['abc', 'new'])
    expect(keysOf(await client.get('/@s2/acme/resource'))).toEqual(['abc', 'newer'])
    expect(keysOf(await client.get('/@s3/acme/resource'))).toEqual(['abc'])
  })

  it('precedes region and provider', async () => {
    const created = await client.post('/@s1/eu/gcp/acme/resource', draft({}, 'new'))
    expect(created.headers.get('Location')).toBe(`/@s1/eu/gcp/acme/resource/${idOf(created)}`)
    expect(keysOf(await client.get('/eu/gcp/acme/resource'))).toEqual(['abc'])
  })

  it.each<[string, CallHeaders]>([
    ['/@a%20b/acme/resource', {}],
    ['/@/acme/resource', {}],
    [base, { 'X-Mock-Session': 'a b' }],
    [base, { 'X-Mock-Session': 'x'.repeat(65) }],
    [base, { Cookie: 'mock-session=ä' }],
  ])('is refused if the name is invalid: %s %o', async (path, headers) => {
    const { status, message } = errorOf(await client.get(path, headers))
    expect({ status, message }).toEqual({
      status: 400,
      message: expect.stringMatching(/^Invalid session name .*\. Use 1 to 64 of A-Z, a-z, 0-9, "\.", "_" and "-"\.$/),
    })
  })

  it('is refused past the limit', async () => {
    const few = await createClient({ maxSessions: 2 })
    for (const name of ['s1', 's2']) expect((await few.post(`/@${name}/acme/resource`, draft())).status).toBe(201)
    expect(errorOf(await few.get('/@s3/acme/resource'))).toMatchObject({ status: 503, code: 'OverCapacity' })
    expect((await few.get('/@s1/acme/resource')).status).toBe(200)
    expect((await few.get(base)).status).toBe(200)
  })

  it('is evicted with its data', async () => {
    const few = await createClient({ maxSessions: 1, sessionTtl: 0 })
    await few.post('/@s1/acme/resource', draft({}, 'new'))
    await few.get('/@s2/acme/resource')
    expect(keysOf(await few.get('/@s1/acme/resource'))).toEqual([])
  })
})
