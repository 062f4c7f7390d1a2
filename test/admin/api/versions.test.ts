import { describe, expect, it } from 'vitest'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'
const PATH = `/__admin/resources/${TABLE}/versions`

interface Listed {
  readonly versions: readonly {
    readonly version: number
    readonly kind: string
    readonly lastModifiedAt: string
    readonly resource?: Readonly<Record<string, unknown>>
    readonly writer?: { readonly kind: string; readonly request?: string; readonly scenario?: string }
  }[]
  readonly meta: { readonly total: number }
}

async function list(ask: Ask, path: string): Promise<Listed> {
  const reply = await ask('GET', path)
  expect(reply.status).toBe(200)
  return reply.body as Listed
}

describe('the resources that a session has written', () => {
  it('are listed in their last version, deleted ones too', async () => {
    const { ask } = await createAsk()
    expect((await ask('GET', '/__admin/resources')).body).toEqual({ resources: [], meta: { total: 0 } })
    await ask('PUT', '/__admin/clock', { json: { now: '2026-01-31T12:00:00Z' } })
    await update(ask, `/acme/resource/${TABLE}`, 3)
    await ask('PUT', '/__admin/clock', { json: { now: '2026-01-31T13:00:00Z' } })
    const path = await create(ask, '/eu/gcp', 'lamp')
    await ask('DELETE', path)
    const known = { key: 'oak-side-table', projectKey: 'acme', baseUrl: '', version: 4, versions: 2, isDeleted: false }
    const lamp = { key: 'lamp', projectKey: 'acme', baseUrl: 'eu/gcp', version: 1, versions: 2, isDeleted: true }
    const { body } = await ask('GET', '/__admin/resources')
    expect(body).toMatchObject({ resources: [lamp, { id: TABLE, ...known }], meta: { total: 2 } })
    expect((await ask('GET', '/__admin/resources?limit=1')).body).toMatchObject({
      resources: [lamp],
      meta: { total: 2 },
    })
  })
})

describe('the versions of a resource', () => {
  it('lists the resources that were written last first, even within a millisecond', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    const ids = ['a', 'b', 'c']
    for (const id of [...ids, 'a', 'c', 'b', 'a']) {
      await ask('PUT', `/__admin/state/acme/resources/${id}?version=next`, { json: { objectTypeProperty: {} } })
    }
    const { body } = await ask('GET', '/__admin/resources')
    expect(body).toMatchObject({ resources: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] })
  })

  it('are listed newest first, each with the request that wrote it', async () => {
    const { ask } = await createAsk()
    await update(ask, `/acme/resource/${TABLE}`, 3)
    await ask('DELETE', `/acme/resource/${TABLE}`)
    const { versions, meta } = await list(ask, `${PATH}?projectKey=acme`)
    expect(versions).toMatchObject([
      { version: 4, kind: 'removed', writer: { kind: 'request' } },
      { version: 4, kind: 'put', writer: { kind: 'request' }, resource: { id: TABLE, version: 4 } },
      { version: 3, kind: 'fixture', resource: { id: TABLE, version: 3, key: 'oak-side-table' } },
    ])
    expect(versions[0]).not.toHaveProperty('resource')
    expect(versions[2]).not.toHaveProperty('writer')
    expect(meta).toEqual({ total: 3 })
    const requests = await Promise.all(
      [0, 1].map((at) => ask('GET', `/__admin/requests/${versions[at]?.writer?.request}`)),
    )
    expect(requests.map(({ body }) => body)).toMatchObject([
      { request: { method: 'DELETE' } },
      { request: { method: 'POST' } },
    ])
  })

  it('distinguish requests with the same correlation id', async () => {
    const { ask } = await createAsk()
    const headers = { 'X-Correlation-ID': 'always-this-one' }
    for (const version of [3, 4]) {
      const json = { version, actions: [{ action: 'doSomeThing' }] }
      // oxlint-disable-next-line no-await-in-loop -- one update after the other
      expect((await ask('POST', `/acme/resource/${TABLE}`, { headers, json })).status).toBe(200)
    }
    const { versions } = await list(ask, PATH)
    const [second, first] = versions.map(({ writer }) => writer?.request)
    expect(first).not.toBe(second)
    expect((await ask('GET', `/__admin/requests/${first}`)).text).toContain('\\"version\\":3')
  })

  it('name the scenario whose concurrent writer came first', async () => {
    const { ask } = await createAsk()
    const reply = await ask('POST', `/acme/resource/${TABLE}`, {
      headers: { 'X-Mock-Scenario': 'slow, conflict', 'X-Mock-Delay': '0' },
      json: { version: 3, actions: [{ action: 'doSomeThing' }] },
    })
    expect(reply.status).toBe(409)
    const { versions } = await list(ask, PATH)
    expect(versions[0]).toMatchObject({
      version: 4,
      kind: 'put',
      writer: { kind: 'scenario', scenario: 'conflict', request: expect.any(String) },
    })
  })

  it('have no time for a deletion whose request the journal has dropped', async () => {
    const { ask } = await createAsk({ journal: 1 })
    expect((await ask('DELETE', `/acme/resource/${TABLE}?version=3`)).status).toBe(200)
    expect((await list(ask, PATH)).versions[0]).toMatchObject({ kind: 'removed', time: expect.any(String) })
    await ask('GET', '/acme/resource')
    const { versions } = await list(ask, PATH)
    expect(versions[0]).toMatchObject({ kind: 'removed' })
    expect(versions[0]).not.toHaveProperty('time')
    expect(versions[1]).toMatchObject({ kind: 'fixture', time: expect.any(String) })
  })

  it('name the admin API as a writer', async () => {
    const { ask } = await createAsk()
    const json = { version: 40, objectTypeProperty: { arrayOfIntExample: [9223372036854775807n] } }
    await ask('PUT', `/__admin/state/acme/resources/${TABLE}`, { json })
    await ask('DELETE', `/__admin/state/acme/resources/${TABLE}`)
    const { text } = await ask('GET', PATH)
    expect(text).toContain('[9223372036854775807]')
    expect(JSON.parse(text)).toMatchObject({
      versions: [
        { version: 40, kind: 'removed', writer: { kind: 'admin' } },
        { version: 40, kind: 'put', writer: { kind: 'admin', time: expect.stringMatching(/^20.*Z$/) } },
        { version: 3, kind: 'fixture' },
      ],
    })
  })

  it('are only one for a resource that was never written', async () => {
    const { ask } = await createAsk()
    expect((await list(ask, PATH)).versions).toMatchObject([{ version: 3, kind: 'fixture' }])
  })

  it('omit refused writes', async () => {
    const { ask } = await createAsk()
    expect(await update(ask, `/acme/resource/${TABLE}`, 1)).toBe(409)
    expect((await list(ask, PATH)).meta.total).toBe(1)
  })

  it('are limited by the parameter limit', async () => {
    const { ask } = await createAsk()
    await update(ask, `/acme/resource/${TABLE}`, 3)
    const { versions, meta } = await list(ask, `${PATH}?limit=1`)
    expect(versions).toMatchObject([{ version: 4 }])
    expect(meta).toEqual({ total: 2 })
    expect((await ask('GET', `${PATH}?limit=many`)).status).toBe(400)
  })

  it('restart after a reset', async () => {
    const { ask } = await createAsk()
    await update(ask, `/acme/resource/${TABLE}`, 3)
    await ask('POST', '/__admin/reset')
    expect((await list(ask, PATH)).versions).toMatchObject([{ version: 3, kind: 'fixture' }])
  })

  it('are those of the only project that wrote the resource, unless the query names one', async () => {
    const { ask } = await createAsk()
    await update(ask, `/eu/gcp/acme/resource/${TABLE}`, 3)
    expect((await list(ask, PATH)).meta.total).toBe(2)
    expect((await list(ask, `${PATH}?projectKey=acme`)).meta.total).toBe(1)
    expect((await list(ask, `${PATH}?projectKey=acme&region=eu&cloudProvider=gcp`)).meta.total).toBe(2)
    await update(ask, `/other/resource/${TABLE}`, 3)
    const reply = await ask('GET', PATH)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Several projects have a resource')
  })

  it('belong to a session', async () => {
    const { ask } = await createAsk()
    const path = await create(ask, '/@one')
    const id = path.split('/').at(-1)
    expect((await list(ask, `/@one/__admin/resources/${id}/versions`)).meta.total).toBe(1)
    expect((await ask('GET', `/@two/__admin/resources/${id}/versions`)).status).toBe(404)
  })

  it('of a resource that never existed are 404, with the similar id', async () => {
    const { ask } = await createAsk()
    const none = await ask('GET', '/__admin/resources/none/versions?projectKey=acme')
    expect(none.status).toBe(404)
    expect(none.text).toContain('GET /__admin/state/acme lists')
    const key = await ask('GET', '/__admin/resources/oak-side-table/versions')
    expect(key.status).toBe(404)
    expect(key.text).toContain(`Did you mean the id \\"${TABLE}\\"?`)
  })
})
