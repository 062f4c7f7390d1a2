import { describe, expect, it } from 'vitest'
import { createAsk } from './ask.ts'

const PATH = '/__admin/state/acme/resources'
const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'

describe('one resource in the admin API', () => {
  it('is returned as its record', async () => {
    const { ask } = await createAsk()
    expect((await ask('GET', `${PATH}/${TABLE}`)).body).toMatchObject({ id: TABLE, key: 'oak-side-table', version: 3 })
    expect((await ask('GET', `${PATH}/none`)).status).toBe(404)
  })

  it('is stored as sent, exact to the digit', async () => {
    const { ask } = await createAsk({ identity: 'body' })
    const body = `{"key":"renamed","version":40,"createdAt":"2020-01-01T00:00:00.000Z","objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}`
    expect((await ask('PUT', `${PATH}/${TABLE}`, { body })).status).toBe(200)
    const { text } = await ask('GET', `/acme/resource/${TABLE}`)
    expect(text).toContain('"version":40')
    expect(text).toContain('[9223372036854775807]')
    expect((await ask('GET', '/acme/resource/key=renamed')).status).toBe(200)
    expect((await ask('GET', '/acme/resource/key=oak-side-table')).status).toBe(404)
  })

  it('has no version after 2^53 - 1, the largest integer that JSON clients read exactly', async () => {
    const { ask } = await createAsk()
    const version = Number.MAX_SAFE_INTEGER
    const put = async (one: number) =>
      (await ask('PUT', `${PATH}/${TABLE}`, { json: { version: one, objectTypeProperty: {} } })).status
    expect([await put(version + 1), await put(version)]).toEqual([400, 200])
    const { status, text } = await ask('POST', `/acme/resource/${TABLE}`, {
      json: { version, actions: [{ action: 'doSomeThing' }] },
    })
    expect([status, text]).toEqual([400, expect.stringContaining('so the resource has no next version')])
    expect((await ask('GET', `/acme/resource/${TABLE}`)).headers.get('ETag')).toBe(`"${version}"`)
  })

  it('stores times within the years 0000 and 9999, whatever their offset', async () => {
    const { ask } = await createAsk({ identity: 'body' })
    const json = {
      createdAt: '0000-01-01T00:00:00+14:00',
      lastModifiedAt: '9999-12-31T23:59:59-14:00',
      objectTypeProperty: {},
    }
    await ask('PUT', `${PATH}/${TABLE}`, { json })
    expect((await ask('GET', `/acme/resource/${TABLE}`)).body).toMatchObject({
      createdAt: '0000-01-01T00:00:00.000Z',
      lastModifiedAt: '9999-12-31T23:59:59.999Z',
    })
  })

  it('gets the next version with version=next, and is modified now', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    const body = '{"version":2,"lastModifiedAt":"2020-01-01T00:00:00.000Z","objectTypeProperty":{}}'
    const next = { version: 4, lastModifiedAt: '2026-01-31T12:00:00.000Z' }
    expect((await ask('PUT', `${PATH}/${TABLE}?version=next`, { body })).body).toMatchObject(next)
    expect((await ask('GET', `/acme/resource/${TABLE}`)).text).toContain('"version":4')
    expect((await ask('PUT', `${PATH}/brand-new?version=next`, { body })).body).toMatchObject({ version: 2 })
    const refused = await ask('PUT', `${PATH}/${TABLE}?version=5`, { body })
    expect(refused.body).toMatchObject({ errors: [{ field: 'version', allowedValues: ['next'] }] })
  })

  it('takes its position by creation time if it is new', async () => {
    const { ask } = await createAsk()
    const { text } = await ask('GET', `${PATH}/${TABLE}`)
    const idsOf = async () =>
      JSON.parse((await ask('GET', '/__admin/state/acme')).text).resources.map(({ id }: { readonly id: string }) => id)
    const before = await idsOf()
    expect((await ask('DELETE', `${PATH}/${TABLE}`)).status).toBe(200)
    expect(await idsOf()).toHaveLength(before.length - 1)
    expect((await ask('GET', '/acme/resource/key=oak-side-table')).status).toBe(404)
    expect((await ask('PUT', `${PATH}/${TABLE}`, { body: text })).status).toBe(201)
    expect(await idsOf()).toEqual(before)
  })

  it.each([
    [
      'malformed JSON',
      '{"objectTypeProperty":',
      { detailedErrorMessage: expect.stringContaining('line 1, column 23') },
    ],
    [
      'an unknown member',
      '{\n  "objectTypeProperti": {}\n}',
      { message: expect.stringContaining('Did you mean "objectTypeProperty"?'), line: 2, column: 3 },
    ],
    ['a wrong type', '{"objectTypeProperty": {"arrayOfIntExample": ["1"]}}', { line: 1, column: 47 }],
    ['another id', '{"id":"other","objectTypeProperty":{}}', { field: 'id', line: 1, column: 7 }],
    [
      'the key of another resource',
      '{"key":"walnut-desk","objectTypeProperty":{}}',
      { field: 'key', line: 1, column: 8 },
    ],
  ])('is refused with %s, and the position is reported', async (_what, body, error) => {
    const { ask } = await createAsk()
    const reply = await ask('PUT', `${PATH}/${TABLE}`, { body })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ errors: [error] })
    expect((await ask('GET', `${PATH}/${TABLE}`)).body).toMatchObject({ version: 3 })
  })

  it('belongs to the base URL in the query', async () => {
    const { ask } = await createAsk()
    await ask('DELETE', `${PATH}/${TABLE}?region=eu&cloudProvider=gcp`)
    expect((await ask('GET', `/eu/gcp/acme/resource/${TABLE}`)).status).toBe(404)
    expect((await ask('GET', `/acme/resource/${TABLE}`)).status).toBe(200)
  })
})
