import { beforeEach, describe, expect, it } from 'vitest'
import { create, createAsk, update } from './ask.ts'
import type { Ask } from './ask.ts'
import { createFakePersistence } from '../../service/state/fake-persistence.ts'

let ask: Ask
beforeEach(async () => {
  ;({ ask } = await createAsk({ clock: '2026-01-31T12:00:00Z' }))
})

const take = (name: string, prefix = '') => ask('PUT', `${prefix}/__admin/snapshots/${name}`)
const restore = (name: string, prefix = '') => ask('POST', `${prefix}/__admin/snapshots/${name}/restore`)
const statusOf = async (path: string) => (await ask('GET', path)).status

describe('a snapshot', () => {
  it('restores the data repeatedly', async () => {
    const path = await create(ask)
    expect((await take('before')).body).toEqual({ name: 'before', takenAt: '2026-01-31T12:00:00.000Z', projects: 1 })
    for (let time = 0; time < 2; time += 1) {
      expect(await update(ask, path, 1)).toBe(200)
      const other = await create(ask)
      expect((await restore('before')).status).toBe(200)
      expect([await statusOf(path), await statusOf(other)]).toEqual([200, 404])
    }
    await ask('DELETE', path)
    await restore('before')
    expect(await update(ask, path, 1)).toBe(200)
  })

  it('of untouched data restores the fixtures', async () => {
    await take('empty')
    const path = await create(ask)
    await restore('empty')
    expect(await statusOf(path)).toBe(404)
  })

  it('belongs to its session', async () => {
    await take('mine', '/@a')
    expect(await restore('mine', '/@b')).toMatchObject({
      status: 404,
      body: { message: 'The session "b" has no snapshot "mine". GET /__admin/snapshots lists its snapshots.' },
    })
    expect((await ask('GET', '/@b/__admin/snapshots')).body).toEqual({ snapshots: [] })
  })

  it('is replaced by another of the same name', async () => {
    expect((await take('one')).status).toBe(201)
    const path = await create(ask)
    expect((await take('one')).status).toBe(200)
    await ask('POST', '/__admin/reset')
    await restore('one')
    expect(await statusOf(path)).toBe(200)
    expect((await ask('GET', '/__admin/snapshots')).body).toMatchObject({ snapshots: [{ name: 'one', projects: 1 }] })
  })

  it('is gone once it is deleted', async () => {
    await take('before')
    expect((await ask('DELETE', '/__admin/snapshots/before')).status).toBe(200)
    expect((await ask('DELETE', '/__admin/snapshots/before')).status).toBe(404)
    expect((await restore('before')).status).toBe(404)
  })

  it('is replaced even if it is deleted at the same time', async () => {
    const { ask: askStored } = await createAsk({ persistence: createFakePersistence() })
    const path = '/__admin/snapshots/before'
    await askStored('PUT', path)
    const replies = await Promise.all(['PUT', 'DELETE', 'PUT', 'DELETE'].map((method) => askStored(method, path)))
    // Over a socket, they arrive in any order: a PUT after a DELETE takes a new one.
    for (const { status } of replies.filter((_reply, at) => at % 2 === 0)) expect([200, 201]).toContain(status)
  })

  it('that is unknown changes nothing, and gets a suggestion', async () => {
    await take('before')
    const path = await create(ask)
    const { status, text } = await restore('befor')
    expect([status, text]).toEqual([404, expect.stringContaining('Did you mean \\"before\\"?')])
    expect(await statusOf(path)).toBe(200)
  })

  it('is limited to a hundred', async () => {
    for (let at = 0; at < 100; at += 1) await take(`s${at}`)
    const { status, text } = await take('one-more')
    expect([status, text]).toEqual([503, expect.stringContaining('Snapshot limit of the session (100) reached')])
    expect((await take('s1')).status).toBe(200)
  })
})
