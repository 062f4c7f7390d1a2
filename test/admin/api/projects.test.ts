import { describe, expect, it } from 'vitest'
import { createAsk } from './ask.ts'

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'
const PATH = `/__admin/state/acme/resources/${TABLE}`
const json = { version: 3, actions: [{ action: 'changeSomeProperty', someProperty: 'new' }] }

it('lists the projects that the newest requests name, and whether they changed', async () => {
  const { ask } = await createAsk()
  expect((await ask('GET', '/__admin/projects')).body).toEqual({ projects: [] })
  await ask('GET', '/acme/resource')
  await ask('POST', `/eu/gcp/acme/resource/${TABLE}`, { json })
  expect((await ask('GET', '/__admin/projects')).body).toEqual({
    projects: [
      { projectKey: 'acme', baseUrl: 'eu/gcp', isChanged: true },
      { projectKey: 'acme', baseUrl: '', isChanged: false },
    ],
  })
})

describe('the resources of a project', () => {
  it('are filtered, sorted and paged like a query, without a journal entry', async () => {
    const { ask } = await createAsk()
    const resources = Array.from({ length: 60 }, (_, at) => ({ id: `r${at}`, version: 1 + (at % 7) }))
    await ask('PUT', '/__admin/state/acme', { json: resources.map((one) => ({ ...one, objectTypeProperty: {} })) })
    const query = new URLSearchParams({ where: 'version > 5', sort: 'version desc', limit: '3', offset: '7' })
    const { body } = await ask('GET', `/__admin/state/acme/resources?${query}`)
    expect(body).toMatchObject({
      limit: 3,
      offset: 7,
      total: 16,
      results: [{ id: 'r55' }, { id: 'r5' }, { id: 'r12' }],
    })
    expect((await ask('GET', '/__admin/requests')).body).toMatchObject({ meta: { total: 0 } })
  })

  it('are listed up to 500 at a time', async () => {
    const { ask } = await createAsk({ generate: 600 })
    const { body } = await ask('GET', '/__admin/state/acme/resources?limit=500&offset=10')
    expect(body).toMatchObject({ limit: 500, offset: 10 })
    expect((body as { readonly results: readonly unknown[] }).results).toHaveLength(500)
    const refused = await ask('GET', '/__admin/state/acme/resources?limit=501')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(
      'a page has at most 500 resources. For all of them, use /__admin/state/{projectKey}.',
    )
  })

  it('are refused with the position of an error in the predicate', async () => {
    const { ask } = await createAsk()
    const reply = await ask('GET', '/__admin/state/acme/resources?where=version%20%3E')
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('line 1, column 10')
  })
})

describe('a write of a record with ifVersion', () => {
  it('is refused if the stored version is another one', async () => {
    const { ask } = await createAsk()
    await ask('POST', `/acme/resource/${TABLE}`, { json })
    const reply = await ask('PUT', `${PATH}?version=next&ifVersion=3`, { json: { objectTypeProperty: {} } })
    expect(reply.status).toBe(409)
    expect(reply.body).toMatchObject({ errors: [{ code: 'ConcurrentModification', currentVersion: 4 }] })
    const next = await ask('PUT', `${PATH}?version=next&ifVersion=4`, { json: { objectTypeProperty: {} } })
    expect(next.body).toMatchObject({ version: 5 })
  })

  it('creates with version 0 only', async () => {
    const { ask } = await createAsk()
    const create = (id: string) =>
      ask('PUT', `/__admin/state/acme/resources/${id}?ifVersion=0`, { json: { objectTypeProperty: {} } })
    expect((await create('brand-new')).status).toBe(201)
    expect((await create('brand-new')).status).toBe(409)
  })
})

describe('the changes since a snapshot', () => {
  it('are added, removed and changed resources, with all digits', async () => {
    const { ask } = await createAsk()
    await ask('PUT', '/__admin/snapshots/before')
    expect((await ask('GET', '/__admin/snapshots/before/changes')).body).toEqual({ projects: [] })
    const changed = '{"version":4,"objectTypeProperty":{"arrayOfIntExample":[9223372036854775807]}}'
    await ask('PUT', PATH, { body: changed })
    await ask('PUT', '/__admin/state/acme/resources/brand-new', { json: { objectTypeProperty: {} } })
    await ask('DELETE', '/__admin/state/acme/resources/716c55f8-ef78-46e2-a052-fcfe094890c1')
    const { body, text } = await ask('GET', '/__admin/snapshots/before/changes')
    expect(body).toMatchObject({ projects: [{ projectKey: 'acme', more: 0, images: { added: 0, removed: 0 } }] })
    const [{ changes } = expect.fail()] = (body as { projects: { changes: { kind: string; id: string }[] }[] }).projects
    expect(changes.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual([
      'added brand-new',
      `changed ${TABLE}`,
      'removed 716c55f8-ef78-46e2-a052-fcfe094890c1',
    ])
    expect(text).toContain('[9223372036854775807]')
  })

  it('of an unknown snapshot get 404', async () => {
    const { ask } = await createAsk()
    expect((await ask('GET', '/__admin/snapshots/nope/changes')).status).toBe(404)
  })
})

it('checks a definition of a scenario without saving it', async () => {
  const { ask } = await createAsk()
  const check = (body: string) => ask('PUT', '/__admin/scenarios/teapot?check=true', { body })
  expect((await check('{"description":"Tea","rules":[{"effect":{"advanceVersion":1}}]}')).body).toEqual({})
  expect((await check('{\n  "rulez": []\n}')).body).toMatchObject({ errors: [{ line: 2, column: 3 }] })
  expect((await ask('GET', '/__admin/scenarios')).text).not.toContain('teapot')
})
