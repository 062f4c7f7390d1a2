import { setImmediate as macrotask } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { openPersistedStore } from '../../../src/service/state/persisted-store.ts'
import { createProjectData, parseProjectId, toProjectId } from '../../../src/service/state/project-data.ts'
import { Project } from '../../../src/service/state/project.ts'
import type { Persistence } from '../../../src/service/state/kept-state.ts'
import { createStore } from '../../../src/service/state/store.ts'
import { createFakePersistence } from './fake-persistence.ts'
import type { FakePersistence } from './fake-persistence.ts'
import { aResource, anImage, toMembers } from './records.ts'
import { storeCases } from './store-cases.ts'

storeCases('memory', async (parts) => createStore(parts))
storeCases('texts', (parts) => openPersistedStore({ ...parts, persistence: createFakePersistence() }))

const acme = { baseUrl: 'eu/gcp', projectKey: 'acme' }
const fixtures = createProjectData([aResource('a')], '{}')

async function openOver(persistence: Persistence, initial = fixtures) {
  const store = await openPersistedStore({ sources: { initial: initial }, persistence })
  const project = new Project(store.access('s1', acme))
  const insert = async (id: string) => store.write('s1', () => project.insert(aResource(id, { key: `key-${id}` })))
  return { store, project, insert, ids: () => Array.from(project.all(), ({ id }) => id) }
}

describe('a store over texts', () => {
  it('writes what is stored again at the start, so that a file that cannot be replaced is reported there', async () => {
    const persistence: Persistence = {
      read: async () => undefined,
      write: () => Promise.reject(new Error('resource busy')),
    }
    await expect(openOver(persistence)).rejects.toThrow(
      'The kept state cannot be written: resource busy. Correct that, and try again.',
    )
  })

  it('stores only what was changed over the fixtures', async () => {
    const persistence = createFakePersistence()
    await (await openOver(persistence)).insert('b')
    expect(JSON.parse(persistence.kept() ?? '')).toMatchObject({
      sessions: { s1: [{ kind: 'put', project: toProjectId(acme), resource: { id: 'b' } }] },
    })
  })

  it('applies the changes to other fixtures, of which one with the key of a stored resource yields', async () => {
    const persistence = createFakePersistence()
    await (await openOver(persistence)).insert('b')
    const initial = createProjectData([aResource('c', { key: 'key-b' }), aResource('d')], '{}')
    const { project, ids } = await openOver(persistence, initial)
    expect(ids()).toEqual(['d', 'b'])
    expect(project.findByKey('key-b')?.id).toBe('b')
  })

  it('keeps the keys of resources that have exchanged them', async () => {
    const persistence = createFakePersistence()
    const initial = createProjectData([aResource('b', { key: 'x1' }), aResource('c', { key: 'x2' })], '{}')
    const { store, project } = await openOver(persistence, initial)
    for (const [id, key] of [
      ['b', 'x3'],
      ['c', 'x1'],
      ['b', 'x2'],
    ] as const) {
      await store.write('s1', () => {
        const found = project.find(id) ?? expect.fail(`there is no ${id}`)
        project.replace(found, aResource(id, { key, version: found.version + 1 }))
      })
    }
    const again = (await openOver(persistence, initial)).project
    expect(['x1', 'x2'].map((key) => again.findByKey(key)?.id)).toEqual(['c', 'b'])
  })

  it('stores each image once next to the text, until nothing has it', async () => {
    const files = new Map<string, Uint8Array<ArrayBuffer>>()
    const write = vi.fn(async (name: string, bytes: Uint8Array) => void files.set(name, new Uint8Array(bytes)))
    const images = { read: async () => new Map(files), write, remove: async (name: string) => void files.delete(name) }
    const persistence: Persistence = { ...createFakePersistence(), images }
    const { store, insert } = await openOver(persistence)
    const image = anImage('i', 50)
    await store.write('s1', () => store.change('s1', { kind: 'image', project: toProjectId(acme), image }))
    await insert('b')
    expect([...files.values()]).toEqual([image.bytes])

    const again = await openOver(persistence)
    expect([...again.project.images()]).toEqual([image])
    await again.store.write('s1', () => again.store.change('s1', { kind: 'end' }))
    expect(files.size).toBe(0)
    expect(write).toHaveBeenCalledTimes(1)
  })

  it('does not open without the file of an image', async () => {
    const files = new Map<string, Uint8Array<ArrayBuffer>>()
    const images = {
      read: async () => files,
      write: async () => undefined,
      remove: async () => undefined,
    }
    const persistence: Persistence = { ...createFakePersistence(), images }
    const { store } = await openOver(persistence)
    const image = anImage('i', 50)
    await store.write('s1', () => store.change('s1', { kind: 'image', project: toProjectId(acme), image }))
    await expect(openOver(persistence)).rejects.toThrow(/cannot be read: the file of its image [-0-9a-f]+ is missing\./)
  })

  it('restores its data', async () => {
    const persistence = createFakePersistence()
    const { project, insert } = await openOver(persistence)
    await insert('b')
    const again = (await openOver(persistence)).project
    const find = (one: Project) => one.select('key', ['key-b']).map(toMembers)
    expect(find(again)).toEqual(find(project))
    expect(again.findLatest()?.id).toBe('b')
  })

  it('resolves each of 50 parallel writes only once its change is stored, and groups them', async () => {
    const persistence = createFakePersistence()
    const { insert } = await openOver(persistence)
    await Promise.all(
      Array.from({ length: 50 }, async (_none, at) => {
        for (let turn = 0; turn < at % 5; turn += 1) await Promise.resolve()
        await insert(`new-${at}`)
        expect(persistence.kept()).toContain(`"new-${at}"`)
      }),
    )
    expect(persistence.texts.length).toBeLessThan(10)
  })

  /** Waits until a write has started, and finishes it. */
  async function release(persistence: FakePersistence, count: number, fault?: Error): Promise<void> {
    while (persistence.texts.length < count) await macrotask()
    persistence.release(fault)
  }

  it('shows no write before it is stored', async () => {
    const persistence = createFakePersistence({ held: true })
    const { insert, ids } = await openOver(persistence)
    const writing = insert('b')
    while (persistence.texts.length === 0) await macrotask()
    expect(ids()).toEqual(['a'])
    persistence.release()
    await writing
    expect(ids()).toEqual(['a', 'b'])
  })

  it('stores changes made during a write with the next one', async () => {
    const persistence = createFakePersistence({ held: true })
    const { insert, ids } = await openOver(persistence)
    const first = insert('first')
    while (persistence.texts.length === 0) await macrotask()
    const second = insert('second')
    await release(persistence, 1)
    await first
    expect(ids()).toEqual(['a', 'first'])
    await release(persistence, 2)
    await second
    expect(persistence.kept()).toMatch(/"first"[^]*"second"/)
  })

  it('reports why a write failed, changes nothing, and stores later writes', async () => {
    const persistence = createFakePersistence({ held: true })
    const { store, insert, ids } = await openOver(persistence)
    const failing = insert('lost')
    const failed = expect(failing).rejects.toThrow(
      'The kept state could not be written, so the change was undone: disk full',
    )
    await release(persistence, 1, new Error('disk full'))
    await failed
    expect(ids()).toEqual(['a'])
    expect([...store.sessions()]).toEqual([])
    expect(store.fault()).toMatchObject({ status: 503, message: expect.stringContaining('disk full') })

    const next = insert('later')
    await release(persistence, 2)
    await next
    expect(persistence.kept()).toContain('"later"')
    expect(persistence.kept()).not.toContain('"lost"')
    expect(store.fault()).toBeUndefined()
  })

  it('reports a state that is too long for a string', async () => {
    const persistence = createFakePersistence({ held: true })
    const { insert } = await openOver(persistence)
    const failed = expect(insert('lost')).rejects.toThrow(
      'could not be written, so the change was undone: it would be longer than 512 MB. Delete sessions, resources or snapshots.',
    )
    await release(persistence, 1, new RangeError('Invalid string length'))
    await failed
  })

  it.each([
    ['is not JSON', '{"format":', 'line 1, column 11: unexpected end of the text.'],
    ['is not a state', '[]', 'JSON Object expected.'],
    ['has an unknown member', '{"format":"resource-mock-state/1","sessions":{},"more":1}', 'more: unknown member.'],
  ])('does not open over a text that %s, and does not change it', async (_case, text, sentence) => {
    const persistence = createFakePersistence({ text })
    await expect(openOver(persistence)).rejects.toThrow(
      `The kept state cannot be read: ${sentence} It was left unchanged. Repair it, or point --persist at another file.`,
    )
    expect(persistence.texts).toEqual([])
  })

  it('names the supported format', async () => {
    const persistence = createFakePersistence({ text: '{"format":"resource-mock/9","sessions":{}}' })
    await expect(openOver(persistence)).rejects.toThrow(/format: .*resource-mock-state\/1/)
  })
})

it.each([acme, { baseUrl: '', projectKey: 'a\u0000b' }, { baseUrl: 'a/b', projectKey: '' }])(
  'splits a project id into its original parts: %o',
  (name) => {
    expect(parseProjectId(toProjectId(name))).toEqual(name)
  },
)
