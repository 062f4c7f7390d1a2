import { setImmediate as macrotask } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../src/state/open-store.ts'
import { createProjectData } from '../../src/state/project-data.ts'
import { parseProjectId, toProjectId } from '../../src/state/project-name.ts'
import { Project } from '../../src/state/project.ts'
import type { Persistence } from '../../src/state/state-adapter.ts'
import { createStore } from '../../src/state/store.ts'
import { createFakeFile, createFakePersistence } from './fake-persistence.ts'
import type { FakePersistence } from './fake-persistence.ts'
import { aResource } from './records.ts'
import { storeCases } from './store-cases.ts'

const newId = () => 'log-1'

storeCases('memory', async (parts) => createStore(parts))
storeCases('whole texts', (parts) => openStore({ ...parts, newId, persistence: createFakePersistence() }))
storeCases('a text and lines', (parts) => openStore({ ...parts, newId, persistence: createFakeFile() }))

const acme = { baseUrl: 'eu/gcp', projectKey: 'acme' }
const seed = createProjectData([aResource('a')], '{}')

async function openOver(persistence: Persistence) {
  const store = await openStore({ seed: () => seed, newId, persistence })
  const project = new Project(store.access('s1', acme))
  const insert = async (id: string) => store.write('s1', () => project.insert(aResource(id, { key: `key-${id}` })))
  return { store, project, insert, ids: () => Array.from(project.all(), ({ id }) => id) }
}

describe('a store over whole texts', () => {
  it('finds again what it kept', async () => {
    const persistence = createFakePersistence()
    const { project, insert } = await openOver(persistence)
    await insert('b')
    const again = (await openOver(persistence)).project
    expect(again.findByKey('key-b')).toEqual(project.findByKey('key-b'))
    expect(again.findLatest()?.id).toBe('b')
  })

  it('resolves each of 50 parallel writes only when its own change is kept, and groups them', async () => {
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

  /** Waits until a write has begun, and ends it. */
  async function release(persistence: FakePersistence, count: number, fault?: Error): Promise<void> {
    while (persistence.texts.length < count) await macrotask()
    persistence.release(fault)
  }

  it('shows a write to nobody before it is kept', async () => {
    const persistence = createFakePersistence({ held: true })
    const { insert, ids } = await openOver(persistence)
    const writing = insert('b')
    while (persistence.texts.length === 0) await macrotask()
    expect(ids()).toEqual(['a'])
    persistence.release()
    await writing
    expect(ids()).toEqual(['a', 'b'])
  })

  it('keeps what is written during a write with the next one', async () => {
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

  it('says why a write could not be kept, changes nothing, and keeps what comes after it', async () => {
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
    expect(store.fault()).toMatchObject({ cause: new Error('disk full') })

    const next = insert('later')
    await release(persistence, 2)
    await next
    expect(persistence.kept()).toContain('"later"')
    expect(persistence.kept()).not.toContain('"lost"')
    expect(store.fault()).toBeUndefined()
  })

  it.each([
    ['is not JSON', '{"format":', 'line 1, column 11: unexpected end of the text.'],
    ['is no state', '[]', 'JSON Object expected.'],
    ['has a member too many', '{"format":"resource-mock/1","sessions":{},"more":1}', 'more: unknown member.'],
  ])('does not open over a text that %s, and leaves it alone', async (_case, text, sentence) => {
    const persistence = createFakePersistence({ text })
    await expect(openOver(persistence)).rejects.toThrow(
      `The kept state cannot be read: ${sentence} It was left as it is; mend it, or give --persist another file.`,
    )
    expect(persistence.texts).toEqual([])
  })

  it('names the formats that it reads', async () => {
    const persistence = createFakePersistence({ text: '{"format":"resource-mock/9","sessions":{}}' })
    await expect(openOver(persistence)).rejects.toThrow(/format: .*resource-mock\/1.*resource-mock\/2/)
  })
})

describe('a store over a text and lines', () => {
  it('appends a line for a write, and writes the whole text once', async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    for (const id of ['b', 'c', 'd']) await insert(id)
    expect(file.writes()).toBe(1)
    expect(file.log?.split('\n').map((line) => line.includes('"put"'))).toEqual([false, true, true, true, false])
  })

  it('finds again what it kept, with and without an orderly end', async () => {
    const file = createFakeFile()
    const first = await openOver(file)
    await first.insert('b')
    const second = await openOver(file)
    expect(second.ids()).toEqual(['a', 'b'])
    await second.insert('c')
    await second.store.close()
    expect(file.log).toBeUndefined()
    const third = await openOver(file)
    expect(third.ids()).toEqual(['a', 'b', 'c'])
    expect(third.project.findLatest()?.id).toBe('c')
  })

  it('drops a last line that was cut off, for nobody was told that it was kept', async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    await insert('b')
    await insert('c')
    file.log = file.log?.slice(0, -5)
    const again = await openOver(file)
    expect(again.ids()).toEqual(['a', 'b'])
    await again.insert('d')
    expect((await openOver(file)).ids()).toEqual(['a', 'b', 'd'])
  })

  it('goes on with its log after a start, without writing the whole text', async () => {
    const file = createFakeFile()
    await (await openOver(file)).insert('b')
    const second = await openOver(file)
    await second.insert('c')
    expect(file.writes()).toBe(1)
    await second.store.close()
    await (await openOver(file)).insert('d')
    expect(file.writes()).toBe(2)
    expect((await openOver(file)).ids()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('does not open over a line that cannot be read, and names it', async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    await insert('b')
    await insert('c')
    file.log = file.log?.replace('"kind":"put"', '"kind":"pat"')
    await expect(openOver(file)).rejects.toThrow('The kept state cannot be read: its log has an invalid line 2: ')
  })

  it('does not open over a log of another text', async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    await insert('b')
    file.text = '{"format":"resource-mock/1","sessions":{}}'
    await expect(openOver(file)).rejects.toThrow(
      'The kept state and its log do not belong together: one of them was replaced or deleted. Restore it, or delete the log to go on without its 1 writes.',
    )
  })

  it('does not apply a line again that the text has already', async () => {
    const file = createFakeFile()
    const { store, project, insert } = await openOver(file)
    await insert('b')
    const lines = file.log
    await store.close()
    // As after a crash between the text and the removal of the log.
    file.log = lines
    const again = await openOver(file)
    await again.store.write('s1', () => again.project.remove(again.project.find('b') ?? expect.fail('there is no b')))
    expect((await openOver(file)).ids()).toEqual(['a'])
    expect(project.size).toBe(2)
  })

  it('writes the whole text again if somebody deleted it', async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    await insert('b')
    file.text = undefined
    await insert('c')
    expect((await openOver(file)).ids()).toEqual(['a', 'b', 'c'])
  })

  it('makes a long log part of the text', async () => {
    const file = createFakeFile()
    const { store, project, ids } = await openOver(file)
    const large = { arrayOfStringExample: ['x'.repeat(100_000)] }
    for (let at = 0; at < 25; at += 1) {
      await store.write('s1', () => project.insert(aResource(`large-${at}`, { objectTypeProperty: large })))
    }
    expect(file.writes()).toBeGreaterThan(1)
    expect(file.log?.length).toBeLessThan(2_000_000)
    expect((await openOver(file)).ids()).toEqual(ids())
  })

  it('shows a write to nobody before it is kept, and nothing of it if it fails', async () => {
    const file = createFakeFile({ held: true })
    const { store, insert, ids } = await openOver(file)
    const failing = insert('b')
    while (file.writes() === 0) await macrotask()
    await macrotask()
    expect(ids()).toEqual(['a'])
    const failed = expect(failing).rejects.toThrow('disk full')
    file.release(new Error('disk full'))
    await failed
    expect(ids()).toEqual(['a'])
    expect(store.fault()).toMatchObject({ cause: new Error('disk full') })
  })
})

it.each([acme, { baseUrl: '', projectKey: 'a\u0000b' }, { baseUrl: 'a/b', projectKey: '' }])(
  'takes a project id apart as it was put together: %o',
  (name) => {
    expect(parseProjectId(toProjectId(name))).toEqual(name)
  },
)
