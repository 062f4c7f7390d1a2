import { beforeEach, describe, expect, it } from 'vitest'
import { createClient, draft, errorOf, idOf } from '../support/client.ts'
import type { CallHeaders, Client } from '../support/client.ts'
import { createFakePersistence } from './state/fake-persistence.ts'

const base = '/acme/resource'
/** The smallest GIF: one pixel. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (character) => character.charCodeAt(0))
const VARIANTS =
  'Variants are numbered from 1, and the highest is 1. Send another number, or the key of a resource as sku.'
const GIF = { 'Content-Type': 'image/gif' }

let client: Client
beforeEach(async () => {
  client = await createClient()
})

const upload = (search = '', headers: CallHeaders = GIF, body: BodyInit = gif) =>
  client.send('POST', `${base}/images${search}`, headers, body)
const versionsOf = async (...keys: readonly string[]) =>
  Promise.all(keys.map(async (key) => ((await client.get(`${base}/key=${key}`)).body as { version: number }).version))

describe('an upload', () => {
  it('returns the resource with the next version', async () => {
    const created = await client.post(base, draft({ arrayOfIntExample: [1] }, 'abc'))
    const reply = await upload('?filename=a.gif&variant=1&sku=abc&staged=true')
    expect([reply.status, reply.body]).toEqual([200, { version: 2, objectTypeProperty: { arrayOfIntExample: [1] } }])
    expect([reply.headers.get('ETag'), reply.headers.get('Location')]).toEqual(['"2"', `${base}/${idOf(created)}`])
    expect(reply.headers.get('X-Mock-Warning')).toBeNull()
  })

  it('is refused if memory is full, and changes nothing', async () => {
    client = await createClient({ memory: 20_000 })
    await client.post(base, draft({}, 'abc'))
    let uploads = 0
    let reply = await upload()
    for (; reply.status === 200; uploads += 1) reply = await upload()
    expect(errorOf(reply)).toMatchObject({ status: 503, code: 'OverCapacity' })
    expect(errorOf(reply).message).toContain('raise --memory')
    expect(await versionsOf('abc')).toEqual([uploads + 1])
    expect((await upload('', { ...GIF, 'X-Mock-Session': 'other' })).status).toBe(404)
  })

  it.each([
    ['by sku', '?sku=aa', [2, 1]],
    ['by sku rather than variant', '?sku=aa&variant=2', [2, 1]],
    ['by position in creation order', '?variant=1', [2, 1]],
    ['otherwise the last one written', '', [1, 2]],
  ])('belongs to a resource %s', async (_case, search, versions) => {
    await client.post(base, draft({}, 'aa'))
    await client.post(base, draft({}, 'bb'))
    await upload(search)
    expect(await versionsOf('aa', 'bb')).toEqual(versions)
  })

  it('counts as a write', async () => {
    await client.post(base, draft({}, 'aa'))
    await client.post(base, draft({}, 'bb'))
    await upload('?sku=aa')
    await upload()
    expect(await versionsOf('aa', 'bb')).toEqual([3, 1])
  })

  it.each([
    ['?sku=nope', "The Resource with key 'nope' was not found."],
    ['?variant=2', `Variant 2 does not exist. ${VARIANTS}`],
    ['?variant=0', `Variant 0 does not exist. ${VARIANTS}`],
    ['?variant=-1', `Variant -1 does not exist. ${VARIANTS}`],
  ])('is 404 for a missing resource: %s', async (search, message) => {
    await client.post(base, draft({}, 'aa'))
    expect(errorOf(await upload(search))).toEqual({ status: 404, code: 'ResourceNotFound', message })
    expect(await versionsOf('aa')).toEqual([1])
  })

  it('is 404 in a project without resources', async () => {
    expect(errorOf(await upload())).toMatchObject({ status: 404, code: 'ResourceNotFound' })
  })

  it.each<[string, CallHeaders, BodyInit, number, object]>([
    ['no Content-Type', {}, gif, 400, { code: 'RequiredField', field: 'Content-Type' }],
    [
      'another media type',
      { 'Content-Type': 'image/webp' },
      gif,
      415,
      { code: 'InvalidInput', allowedValues: ['image/jpeg', 'image/png', 'image/gif'] },
    ],
    ['a JSON body', { 'Content-Type': 'application/json' }, '{}', 415, { code: 'InvalidInput' }],
    [
      'another image format',
      { 'Content-Type': 'image/png' },
      gif,
      400,
      { message: "Image data can't be read as image/png. Possibly corrupted?" },
    ],
    [
      'truncated content',
      GIF,
      gif.slice(0, -4),
      400,
      { message: "Image data can't be read as image/gif. Possibly corrupted?" },
    ],
    ['an empty body', GIF, '', 400, { message: "Image data can't be read as image/gif. Possibly corrupted?" }],
    [
      'more than 10 MiB',
      GIF,
      new Uint8Array(10 * 1024 * 1024 + 1),
      413,
      { code: 'ContentTooLarge', limit: 10_485_760 },
    ],
    ['a declared length over 10 MiB', { ...GIF, 'Content-Length': '10485761' }, gif, 413, { code: 'ContentTooLarge' }],
  ])('with %s is refused, and changes nothing', async (_case, headers, body, status, error) => {
    await client.post(base, draft({}, 'aa'))
    expect(errorOf(await upload('', headers, body))).toMatchObject({ status, ...error })
    expect(await versionsOf('aa')).toEqual([1])
  })

  it('ignores case in its media type, and accepts a parameter', async () => {
    await client.post(base, draft())
    expect((await upload('', { 'Content-Type': 'IMAGE/GIF; name=a' })).status).toBe(200)
  })

  it('is exempt from --max-body', async () => {
    client = await createClient({ maxBody: 28 })
    await client.post(base, draft())
    expect(gif.byteLength).toBeGreaterThan(28)
    expect((await upload()).status).toBe(200)
  })

  it.each(['variant=a', 'variant=1.5', 'variant=2147483648', 'staged=1', 'sku=a&sku=b'])(
    'refuses ?%s',
    async (search) => {
      await client.post(base, draft({}, 'aa'))
      expect(errorOf(await upload(`?${search}`))).toMatchObject({ status: 400, field: search.split('=')[0] })
    },
  )

  it('is stored with all its metadata, and the filename only as a label', async () => {
    const persistence = createFakePersistence()
    client = await createClient({ persistence })
    const id = idOf(await client.post(base, draft({}, 'abc')))
    await upload('?filename=..%2F..%2Fetc%2Fpasswd&sku=abc&variant=9&staged=false')
    const { sessions } = JSON.parse(persistence.kept() ?? '') as { sessions: { default: { image?: object }[] } }
    expect(sessions.default.flatMap(({ image = [] }) => image)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        projectKey: 'acme',
        resourceId: id,
        type: 'image/gif',
        width: 1,
        height: 1,
        filename: '../../etc/passwd',
        sku: 'abc',
        variant: 9,
        staged: false,
        createdAt: expect.any(String),
        data: btoa(String.fromCharCode(...gif)),
      },
    ])
  })
})
