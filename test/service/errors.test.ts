import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseJson } from '../../src/service/http/json.ts'
import { Project } from '../../src/service/state/project.ts'
import type { LogLine } from '../../src/sessions/journal/record.ts'
import { createClient, draft, errorOf, keysOf } from '../support/client.ts'
import type { CallHeaders } from '../support/client.ts'
import { createFakePersistence } from './state/fake-persistence.ts'

const base = '/acme/resource'
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A request for each error status of a mock without scenarios. */
const refusals: readonly [number, string, string, string, CallHeaders, BodyInit?][] = [
  [400, 'InvalidJsonInput', 'POST', base, JSON_TYPE, '{'],
  [400, 'RequiredField', 'POST', base, JSON_TYPE, '{}'],
  [400, 'InvalidField', 'GET', `${base}?limit=x`, {}],
  [400, 'InvalidInput', 'GET', `${base}?where=x`, {}],
  [401, 'invalid_token', 'GET', base, { Authorization: undefined }],
  [401, 'invalid_client', 'POST', '/oauth/token', { ...JSON_TYPE, Authorization: undefined }, '{}'],
  [403, 'insufficient_scope', 'GET', base, { Authorization: 'Bearer view_test:other' }],
  [404, 'ResourceNotFound', 'GET', `${base}/1`, {}],
  [405, 'MethodNotAllowed', 'DELETE', base, {}],
  [
    406,
    'InvalidInput',
    'GET',
    `${base}/namespace-action-with-headers`,
    { Accept: 'text/html', 'Storefront-Locale': 'de' },
  ],
  [
    409,
    'ConcurrentModification',
    'POST',
    `${base}/00000000-0000-4000-8000-000000000001`,
    JSON_TYPE,
    '{"version":2,"actions":[]}',
  ],
  [413, 'ContentTooLarge', 'POST', base, { ...JSON_TYPE, 'Content-Length': '99999999' }, '{}'],
  [415, 'InvalidInput', 'POST', base, { 'Content-Type': 'text/plain' }, '{}'],
  [503, 'OverCapacity', 'GET', '/@s3/acme/resource', {}],
]

describe('an error', () => {
  it.each(refusals)('%i %s has the common envelope', async (status, code, method, path, headers, body) => {
    const client = await createClient({ resources: [{ objectTypeProperty: {} }], maxSessions: 1 })
    await client.post('/@s1/acme/resource', draft())
    expect(errorOf(await client.send(method, path, headers, body))).toMatchObject({ status, code })
  })

  it.each(['/nowhere', `${base}/%`, `${base}/1`, `${base}/images`, '/@a b/acme/resource'])(
    'of HEAD %s has no body',
    async (path) => {
      const { status, text } = await (await createClient()).head(path)
      expect([status >= 400, text]).toEqual([true, ''])
    },
  )

  it('lists every problem of a body, and uses the first one as the message', async () => {
    const client = await createClient()
    const { body } = await client.post(base, { key: 'a', objectTypeProperty: { arrayOfIntExample: ['x'] } })
    expect(body).toEqual({
      statusCode: 400,
      message: 'key: 2 to 256 characters of A-Z, a-z, 0-9, "_" and "-" expected.',
      errors: [
        expect.objectContaining({ code: 'InvalidField', field: 'key', invalidValue: 'a' }),
        expect.objectContaining({ code: 'InvalidJsonInput' }),
      ],
    })
  })

  it('truncates long values', async () => {
    const client = await createClient()
    // Close to Node's limit for request headers.
    const long = 'x'.repeat(15_000)
    const replies = [
      await client.post(base, draft({}, `${long} `)),
      await client.get(`${base}?floatParameter=${long}`),
      await client.get(`${base}?${long}=1&limit=x`),
      await client.get(`${base}?where=${long}`),
      await client.get(`${base}?sort=${long}`),
      await client.get(`${base}/searchApiPattern?filter=${long}`),
      await client.get(`/${long}`),
      await client.get(`${base}/namespace-action-with-headers`, { Accept: '*/*', 'Storefront-Locale': long }),
      await client.get(base, { 'X-Mock-Session': long }),
      await client.post(base, draft(), { 'Content-Type': long }),
      await client.post(base, draft(), { 'X-Mock-Delay': long }),
    ]
    for (const reply of replies) {
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.text.length, reply.text.slice(0, 300)).toBeLessThan(5000)
    }
  })

  it('keeps the remedy, however long the value is', async () => {
    const client = await createClient()
    const locale = { Accept: '*/*', 'Storefront-Locale': 'x'.repeat(10_000) }
    const { text } = await client.get(`${base}/namespace-action-with-headers`, locale)
    expect(text).toContain('is not a locale. Use one such as de-DE, de_DE or de.')
  })
})

describe('an internal error', () => {
  beforeEach(() => {
    vi.spyOn(Project.prototype, 'insert').mockImplementation(() => {
      throw new Error('a bug in /var/lib/secret.ts')
    })
  })
  afterEach(() => vi.restoreAllMocks())

  async function createFailing() {
    const onFault = vi.fn<(fault: unknown, correlationId: string) => void>()
    return { client: await createClient({ onFault }), onFault }
  }

  it('is a bare 500, and logged with the correlation id', async () => {
    const { client, onFault } = await createFailing()
    const reply = await client.post(base, draft(), { 'X-Correlation-ID': 'my-request' })
    expect(reply.body).toEqual({
      statusCode: 500,
      message: 'Internal error in the mock. See its log for details.',
      errors: [{ code: 'General', message: 'Internal error in the mock. See its log for details.' }],
    })
    expect(reply.text).not.toMatch(/bug|secret/)
    expect(onFault).toHaveBeenCalledExactlyOnceWith(new Error('a bug in /var/lib/secret.ts'), 'my-request')
  })

  it('ends the request without a response if onFault throws, and the mock keeps serving', async () => {
    const client = await createClient({
      onFault() {
        throw new Error('the callback failed')
      },
    })
    await expect(client.post(base, draft())).rejects.toThrow(Error)
    expect((await client.get(base)).status).toBe(200)
  })

  it('does not affect reads', async () => {
    const { client } = await createFailing()
    await client.post(base, draft({}, 'abc'))
    expect((await client.get(base)).status).toBe(200)
  })
})

describe('persisted state', () => {
  it('responds with 503 and the reason to a write that cannot be saved, reports it, and keeps the next one', async () => {
    const persistence = createFakePersistence()
    let isFull = false
    const onFault = vi.fn<(fault: unknown) => void>()
    const write = async (text: string) => {
      if (isFull) throw new Error('the disk is full')
      await persistence.write(text)
    }
    const client = await createClient({ onFault, persistence: { ...persistence, write } })
    isFull = true
    const reply = await client.post(base, draft({}, 'first'))
    const message =
      'The kept state could not be written, so the change was undone: the disk is full. Correct that, and try again.'
    expect(reply.body).toMatchObject({ statusCode: 503, message, errors: [{ code: 'OverCapacity' }] })
    expect(onFault).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }), 'persist')
    isFull = false
    expect((await client.post(base, draft({}, 'second'))).status).toBe(201)
    const again = await createClient({ persistence })
    expect(keysOf(await again.get(base))).toEqual(['second'])
  })

  it('survives a restart, int64 exact, and continues from there', async () => {
    const persistence = createFakePersistence()
    const before = await createClient({ persistence })
    await before.post('/@s1/eu/gcp/acme/resource', draft({ arrayOfIntExample: [9223372036854775807n] }, 'abc'))
    await before.post(`${base}/namespace-action`, { deep: [[[1]]] })
    await before.post(`${base}/artificially-complex/path/uri-parameter-one=a/b`, { id: 'x' })
    const after = await createClient({ persistence })
    expect((await after.get('/@s1/eu/gcp/acme/resource/key=abc')).text).toBe(
      '{"version":1,"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}',
    )
    expect((await after.get(`${base}/namespace-action`)).body).toEqual({ deep: [[[1]]] })
    expect((await after.post(`${base}/artificially-complex/path/uri-parameter-one=a/b`, { id: 'x' })).status).toBe(200)
    expect((await after.patch('/@s1/eu/gcp/acme/resource', draft())).body).toMatchObject({ version: 2 })
  })

  it('includes every write that got a response', async () => {
    const persistence = createFakePersistence()
    const client = await createClient({ persistence })
    await Promise.all(
      Array.from({ length: 20 }, async (_none, at) => {
        const reply = await client.post(base, draft({}, `key-${at}`))
        expect(reply.status).toBe(201)
        expect(persistence.kept()).toContain(`"key-${at}"`)
      }),
    )
    expect(() => parseJson(persistence.kept() ?? '')).not.toThrow()
  })
})

it('logs each request after its response', async () => {
  const lines: LogLine[] = []
  const client = await createClient({ clock: '2026-01-31T12:00:00Z', onRequest: (line) => lines.push(line) })
  await client.get('/@s1/acme/resource?limt=1', { 'X-Correlation-ID': 'my-request' })
  await client.get('/nowhere', { 'X-Correlation-ID': 'my-other-request' })
  const common = {
    time: '2026-01-31T12:00:00.000Z',
    method: 'GET',
    durationMilliseconds: expect.any(Number),
    scenarios: [],
  }
  expect(lines).toEqual([
    {
      ...common,
      target: '/@s1/acme/resource?limt=1',
      status: 200,
      correlationId: 'my-request',
      operation: 'queryResources',
      session: 's1',
      warnings: ['D4 Unknown query parameter "limt" is ignored. Did you mean "limit"?'],
    },
    {
      ...common,
      target: '/nowhere',
      status: 404,
      correlationId: 'my-other-request',
      session: 'default',
      warnings: [],
    },
  ])
})
