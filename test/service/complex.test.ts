import { beforeEach, describe, expect, it } from 'vitest'
import { complexExample as whole } from '../../src/service/contract/models.ts'
import { createClient, errorOf } from '../support/client.ts'
import type { Client, Reply } from '../support/client.ts'

const pathOf = (one: string, two: string) => `/acme/resource/artificially-complex/path/uri-parameter-one=${one}/${two}`
const path = pathOf('one', 'two')

let client: Client
beforeEach(async () => {
  client = await createClient()
})

const appliedOf = ({ status, headers }: Reply) => [status, headers.get('Preference-Applied')]

describe('the complex POST', () => {
  it('returns 201 the first time an id is posted to a path, 200 after that', async () => {
    const statuses = []
    for (const to of [path, path, pathOf('one', 'other'), pathOf('other', 'two'), pathOf('', 'two'), path]) {
      statuses.push((await client.post(to, { id: 'a' })).status)
    }
    expect(statuses).toEqual([201, 200, 201, 201, 201, 200])
    expect((await client.post(path, { id: 'b' })).status).toBe(201)
    expect((await client.post(path.replace('acme', 'other'), { id: 'a' })).status).toBe(201)
  })

  it('always returns 201 for a body without an id', async () => {
    for (let turn = 0; turn < 3; turn += 1) expect((await client.post(path, {})).status).toBe(201)
  })

  it('distinguishes path and id pairs that are equal when concatenated', async () => {
    expect((await client.post(pathOf('a%2F', 'b'), { id: 'c' })).status).toBe(201)
    expect((await client.post(pathOf('a', '%2Fb'), { id: 'c' })).status).toBe(201)
  })

  it('returns the fixture with 200 and 201', async () => {
    const first = await client.post(path, { id: 'a' })
    expect((await client.post(path, { id: 'a' })).text).toBe(first.text)
    expect(Object.keys(first.body as object).length).toBeGreaterThan(0)
  })

  it('returns 203 with the preferred payload', async () => {
    const custom1 = await client.post(path, {}, { Prefer: 'code=203, example=custom1' })
    const custom2 = await client.post(path, {}, { Prefer: 'code=203, example="custom2"' })
    const either = await client.post(path, {}, { Prefer: 'code=203' })
    const unknown = await client.post(path, {}, { Prefer: 'code=203, example=custom3' })
    expect(appliedOf(custom1)).toEqual([203, 'code=203, example=custom1'])
    expect(appliedOf(custom2)).toEqual([203, 'code=203, example=custom2'])
    expect(appliedOf(either)).toEqual([203, 'code=203'])
    expect(appliedOf(unknown)).toEqual([203, 'code=203'])
    expect([either.text, unknown.text]).toEqual([custom1.text, custom1.text])
    expect(custom2.text).not.toBe(custom1.text)
  })

  it.each(['custom1', 'custom2'])('returns 203 under the scenario %s', async (scenario) => {
    const reply = await client.post(path, {}, { 'X-Mock-Scenario': scenario })
    const preferred = await client.post(path, {}, { Prefer: `code=203, example=${scenario}` })
    expect([reply.status, reply.text]).toEqual([203, preferred.text])
  })

  it('does not count a 203 response as a post', async () => {
    await client.post(path, { id: 'a' }, { Prefer: 'code=203' })
    expect((await client.post(path, { id: 'a' })).status).toBe(201)
  })

  it('parses its query parameters by type', async () => {
    expect((await client.post(`${path}?queryParameterOne=1.5&queryParameterTwo=x`, {})).status).toBe(201)
    expect(errorOf(await client.post(`${path}?queryParameterOne=x`, {}))).toMatchObject({
      status: 400,
      field: 'queryParameterOne',
    })
  })

  it.each(Object.keys(whole))('may lack %s, except under --strict', async (name) => {
    const body = Object.fromEntries(Object.entries(whole).filter(([one]) => one !== name))
    expect((await client.post(path, body)).status).toBe(201)
    const strict = await createClient({ strict: true })
    expect((await strict.post(path, whole)).status).toBe(201)
    expect(errorOf(await strict.post(path, body))).toMatchObject({ status: 400, code: 'RequiredField', field: name })
  })

  it.each<[object, string]>([
    [{ id: 1 }, 'id: JSON String expected.'],
    [{ version: 1 }, 'version: JSON String expected.'],
    [{ createdBy: { firstName: 1 } }, 'createdBy.firstName: JSON String expected.'],
    [{ lastModifiedBy: 'A B' }, 'lastModifiedBy: JSON Object expected.'],
    [{ eleventhPropery: null }, 'eleventhPropery: JSON String expected.'],
  ])('checks the types of its members: %j', async (body, detailedErrorMessage) => {
    expect(errorOf(await client.post(path, body))).toMatchObject({ status: 400, detailedErrorMessage })
  })

  it('requires date-times', async () => {
    expect(errorOf(await client.post(path, { createdAt: 'yesterday' }))).toEqual({
      status: 400,
      code: 'InvalidField',
      message: 'createdAt: ISO 8601 date-time expected.',
      field: 'createdAt',
      invalidValue: 'yesterday',
    })
  })

  it.each([
    ['2026-01-31T12:00:00.000Z', 201],
    ['2026-01-31T12:00:00Z', 201],
    ['2026-01-31T12:00:00.000+01:00', 201],
    ['2024-02-29T12:00:00.1Z', 201],
    ['2024-02-29T12:00Z', 400],
    ['2026-01-31T12:00:00.000', 400],
    ['2026-01-31', 400],
    ['2026-02-30T12:00:00.000Z', 400],
    ['2025-02-29T12:00:00.000Z', 400],
  ])('responds to the date-time %s with %i (D92)', async (createdAt, status) => {
    expect((await client.post(path, { createdAt })).status).toBe(status)
  })

  it('warns about a spelling that is not in the specification', async () => {
    const reply = await client.post(path, { eleventhProperty: 'x' })
    expect(reply.headers.get('X-Mock-Warning')).toBe('D4 Unknown member "eleventhProperty" of the body is ignored.')
  })
})
