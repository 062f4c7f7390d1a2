import { describe, expect, it } from 'vitest'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'

const TABLE = 'df3775a4-90ef-4965-b751-d48698f3949f'
const RESOURCE = `/acme/resource/${TABLE}`

interface Event {
  readonly kind: string
  readonly version?: number
  readonly sent?: number
  readonly current?: number
  readonly time: string
  readonly request?: { readonly id: string; readonly operation: string; readonly status: number; readonly url: string }
  readonly writer?: { readonly kind: string; readonly request?: string; readonly scenario?: string }
}

interface History {
  readonly history: readonly Event[]
  readonly resource: Readonly<Record<string, unknown>>
  readonly meta: { readonly hasMore: boolean }
}

async function read(ask: Ask, idOrKey: string, query = '', prefix = ''): Promise<History> {
  const reply = await ask('GET', `${prefix}/__admin/resources/${idOrKey}/history${query}`)
  expect(reply.status).toBe(200)
  return reply.body as History
}

/** The events, as `read 3` or `conflict 3/4`. */
const toLines = ({ history }: History): readonly string[] =>
  history.map(({ kind, version, sent, current }) => `${kind} ${version ?? `${sent}/${current}`}`)

describe('the history of a resource', () => {
  it('shows how a conflict came about: versions, reads and the request with an old version', async () => {
    // The clock stands still, so times do not give the order.
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    await ask('GET', RESOURCE)
    await ask('GET', '/acme/resource/key=oak-side-table')
    await update(ask, RESOURCE, 3)
    await update(ask, RESOURCE, 3)
    await ask('GET', RESOURCE)
    const found = await read(ask, TABLE)
    expect(toLines(found)).toEqual(['read 4', 'conflict 3/4', 'put 4', 'read 3', 'read 3', 'fixture 3'])
    expect(found.history[1]).toMatchObject({
      time: '2026-01-31T12:00:00.000Z',
      request: { session: 'default', method: 'POST', url: RESOURCE, operation: 'updateResource', status: 409 },
    })
    expect(found.resource).toEqual({
      id: TABLE,
      key: 'oak-side-table',
      baseUrl: '',
      projectKey: 'acme',
      isDeleted: false,
    })
    const { body } = await ask('GET', `/__admin/requests/${found.history[2]?.writer?.request}`)
    expect(body).toMatchObject({ operation: 'updateResource', response: { status: 200 } })
  })

  it('orders writes of the admin API and requests if the clock of the session has been moved', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    await ask('GET', RESOURCE)
    await ask('PUT', '/__admin/clock', { json: { advance: '2h' } })
    await ask('PUT', `/__admin/state/acme/resources/${TABLE}?version=next`, { json: { objectTypeProperty: {} } })
    await ask('GET', RESOURCE)
    await update(ask, RESOURCE, 3)
    await ask('DELETE', `/__admin/state/acme/resources/${TABLE}`)
    await ask('GET', RESOURCE)
    expect(toLines(await read(ask, TABLE))).toEqual([
      'removed 4',
      'conflict 3/4',
      'read 4',
      'put 4',
      'read 3',
      'fixture 3',
    ])
    const { body } = await ask('GET', '/__admin/requests?limit=1')
    const [{ id }] = (body as { requests: [{ id: string }] }).requests
    const explained = await ask('GET', `/__admin/requests/${id}/explanation`)
    expect(explained.body).toMatchObject({ cause: { kind: 'deleted' } })
  })

  it('has what the app got from writes that a restored snapshot undid, even within a millisecond', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    await ask('PUT', '/__admin/snapshots/full-cart')
    await update(ask, RESOURCE, 3)
    await update(ask, RESOURCE, 4)
    await ask('POST', '/__admin/snapshots/full-cart/restore')
    await update(ask, RESOURCE, 5)
    expect(toLines(await read(ask, TABLE))).toEqual(['conflict 5/3', 'fixture 3', 'read 5', 'read 4'])
  })

  it('has the other writer of a scenario before the request that it overtook', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z', scenario: 'conflict-once' })
    await ask('GET', RESOURCE)
    await update(ask, RESOURCE, 3)
    const found = await read(ask, TABLE)
    expect(toLines(found)).toEqual(['conflict 3/4', 'put 4', 'read 3', 'fixture 3'])
    expect(found.history[1]?.writer).toMatchObject({ kind: 'scenario', scenario: 'conflict-once' })
  })

  it('has writes through the admin API between the requests', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    await ask('GET', RESOURCE)
    const json = { version: 9, objectTypeProperty: {} }
    await ask('PUT', `/__admin/state/acme/resources/${TABLE}`, { json })
    await ask('GET', RESOURCE)
    expect(toLines(await read(ask, TABLE))).toEqual(['read 9', 'put 9', 'read 3', 'fixture 3'])
  })

  it('has writes through the admin API between the requests even if they lower the version', async () => {
    const { ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' })
    await ask('GET', RESOURCE)
    for (const version of [2, 5, 1]) {
      await ask('PUT', `/__admin/state/acme/resources/${TABLE}`, { json: { version, objectTypeProperty: {} } })
      await ask('GET', RESOURCE)
    }
    await ask('DELETE', `/__admin/state/acme/resources/${TABLE}`)
    const lines = ['removed 1', 'read 1', 'put 1', 'read 5', 'put 5', 'read 2', 'put 2', 'read 3', 'fixture 3']
    expect(toLines(await read(ask, TABLE))).toEqual(lines)
  })

  it('has queries and searches whose results include the resource', async () => {
    const { ask } = await createAsk()
    const id = (await create(ask, '', 'lamp')).split('/').at(-1) ?? ''
    await ask('GET', '/acme/resource?limit=500')
    await ask('GET', '/acme/resource/sorted-query-parameters?where=key%3D%22lamp%22')
    await ask('GET', '/acme/resource/sorted-query-parameters?where=key%3D%22oak-side-table%22')
    const found = await read(ask, id)
    expect(found.history.map(({ kind, request }) => request?.operation ?? kind)).toEqual([
      'sortedQuery',
      'queryResources',
      'put',
    ])
    expect(toLines(found)).toEqual(['read 1', 'read 1', 'put 1'])
  })

  it('is found by id and by a former key after the resource was deleted', async () => {
    const { ask } = await createAsk()
    await ask('GET', RESOURCE)
    await ask('DELETE', RESOURCE)
    await ask('GET', RESOURCE)
    for (const name of [TABLE, 'oak-side-table']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const found = await read(ask, name)
      expect(toLines(found)).toEqual(['removed 3', 'read 3', 'fixture 3'])
      expect(found.resource).toMatchObject({ id: TABLE, isDeleted: true })
    }
  })

  it('of a key is that of the resource that has it now', async () => {
    const { ask } = await createAsk()
    await ask('DELETE', RESOURCE)
    const id = (await create(ask, '', 'oak-side-table')).split('/').at(-1)
    expect((await read(ask, 'oak-side-table', '?projectKey=acme')).resource).toMatchObject({ id })
  })

  it('has only requests to its own project and session', async () => {
    const { ask } = await createAsk()
    await update(ask, RESOURCE, 3)
    await ask('GET', `/other${RESOURCE.slice('/acme'.length)}`)
    await ask('GET', `/eu/gcp${RESOURCE}`)
    await ask('GET', `/@one${RESOURCE}`)
    expect(toLines(await read(ask, TABLE))).toEqual(['put 4', 'fixture 3'])
    expect(toLines(await read(ask, TABLE, '', '/@one'))).toEqual(['read 3', 'fixture 3'])
    expect(toLines(await read(ask, TABLE, '?projectKey=acme&region=eu&cloudProvider=gcp'))).toEqual([
      'read 3',
      'fixture 3',
    ])
  })

  it('keeps all digits of a version', async () => {
    const { ask } = await createAsk()
    await ask('POST', RESOURCE, { json: { version: 9223372036854775807n, actions: [{ action: 'doSomeThing' }] } })
    const { text } = await ask('GET', `/__admin/resources/${TABLE}/history`)
    expect(text).toContain('"sent":9223372036854775807,"current":3')
  })

  it('is limited by the parameter limit', async () => {
    const { ask } = await createAsk()
    await ask('GET', RESOURCE)
    const first = await read(ask, TABLE, '?limit=1')
    expect({ lines: toLines(first), ...first.meta }).toEqual({ lines: ['read 3'], hasMore: true })
    expect((await read(ask, TABLE, '?limit=2')).meta).toEqual({ hasMore: false })
    expect((await ask('GET', `/__admin/resources/${TABLE}/history?limit=all`)).status).toBe(400)
  })

  it('of a resource that never existed is 404, and of one in several projects 400', async () => {
    const { ask } = await createAsk()
    const none = await ask('GET', '/__admin/resources/none/history')
    expect(none.status).toBe(404)
    expect(none.text).toContain('has never had a resource with the id or key \\"none\\".')
    await update(ask, RESOURCE, 3)
    await update(ask, `/other/resource/${TABLE}`, 3)
    expect((await ask('GET', `/__admin/resources/${TABLE}/history`)).status).toBe(400)
    expect((await ask('GET', '/__admin/resources/oak-side-table/history')).status).toBe(400)
  })
})
