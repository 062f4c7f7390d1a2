import { setImmediate as macrotask } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { openPersistedStore } from '../../../src/service/state/persisted-store.ts'
import { createProjectData, parseProjectId, toProjectId } from '../../../src/service/state/project-data.ts'
import { Project } from '../../../src/service/state/project.ts'
import type { Persistence } from '../../../src/service/state/kept-state.ts'
import { createStore } from '../../../src/service/state/store.ts'
import { PATIENCE } from '../../support/patience.ts'
import { createFakeFile, createFakePersistence } from './fake-persistence.ts'
import type { FakePersistence } from './fake-persistence.ts'
import { aResource, toMembers } from './records.ts'
import { storeCases } from './store-cases.ts'

const newId = () => 'log-1'

storeCases('memory', async (parts) => createStore(parts))
storeCases('whole texts', (parts) => openPersistedStore({ ...parts, newId, persistence: createFakePersistence() }))
storeCases('a text and lines', (parts) => openPersistedStore({ ...parts, newId, persistence: createFakeFile() }))

const acme = { baseUrl: 'eu/gcp', projectKey: 'acme' }
const fixtures = createProjectData([aResource('a')], '{}')

async function openOver(persistence: Persistence) {
  const store = await openPersistedStore({ sources: { seed: fixtures }, newId, persistence })
  const project = new Project(store.access('s1', acme))
  const insert = async (id: string) => store.write('s1', () => project.insert(aResource(id, { key: `key-${id}` })))
  return { store, project, insert, ids: () => Array.from(project.all(), ({ id }) => id) }
}

describe('a store over whole texts', () => {
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
    expect(store.fault()).toMatchObject({ cause: new Error('disk full') })

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
    ['has an unknown member', '{"format":"resource-mock/1","sessions":{},"more":1}', 'more: unknown member.'],
  ])('does not open over a text that %s, and does not change it', async (_case, text, sentence) => {
    const persistence = createFakePersistence({ text })
    await expect(openOver(persistence)).rejects.toThrow(
      `The kept state cannot be read: ${sentence} It was left unchanged. Repair it, or point --persist at another file.`,
    )
    expect(persistence.texts).toEqual([])
  })

  it('names the supported formats', async () => {
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

  it('restores its data, with and without a clean shutdown', async () => {
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

  it('drops a truncated last line, which was never confirmed', async () => {
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

  it('continues its log after a crash without rewriting the text, and after a clean shutdown writes it once', async () => {
    const file = createFakeFile()
    await (await openOver(file)).insert('b')
    const second = await openOver(file)
    await second.insert('c')
    expect(file.writes()).toBe(1)
    await second.store.close()
    await (await openOver(file)).insert('d')
    expect(file.writes()).toBe(3)
    expect((await openOver(file)).ids()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('does not open over an unreadable line, and names it', async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    await insert('b')
    await insert('c')
    file.log = file.log?.replace('"kind":"put"', '"kind":"pat"')
    await expect(openOver(file)).rejects.toThrow('The kept state cannot be read: its log has an invalid line 2: ')
  })

  it("does not open over another text's log", async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    await insert('b')
    file.text = '{"format":"resource-mock/1","sessions":{}}'
    await expect(openOver(file)).rejects.toThrow(
      'The kept state and its log do not match: one of them was replaced or deleted. Restore it, or delete the log to continue without its write.',
    )
  })

  /** A file whose mock was killed after one write. */
  async function killedAfterWriting() {
    const file = createFakeFile()
    await (await openOver(file)).insert('b')
    return file
  }

  it.each([
    ['empty', ''],
    ['missing', undefined],
  ])('does not open over a text whose log is %s, and says how to continue without it', async (state, log) => {
    const file = await killedAfterWriting()
    file.log = log
    await expect(openOver(file)).rejects.toThrow(
      `The kept state continues in a log, but the log is ${state}, so later writes would be lost. Restore it, or delete the member "log" of the state to continue without them.`,
    )
    file.text = file.text?.replace(/^"log":.*\n/m, '')
    expect((await openOver(file)).ids()).toEqual(['a'])
  })

  it('does not open over an empty log next to the text of a cleanly closed mock', async () => {
    const file = await killedAfterWriting()
    await (await openOver(file)).store.close()
    file.log = ''
    await expect(openOver(file)).rejects.toThrow('but the log is empty')
    file.log = undefined
    expect((await openOver(file)).ids()).toEqual(['a', 'b'])
  })

  it("does not open over a log other than its text's, and says how to continue without it", async () => {
    const file = await killedAfterWriting()
    file.log = '{"format":"resource-mock-log/1","id":"log-2"}\n'
    await expect(openOver(file)).rejects.toThrow(
      'Restore it, or delete the member "log" of the state, and delete this log to continue without its 0 writes.',
    )
  })

  it('opens after it was killed between its first steps, with an empty log and no text yet', async () => {
    const file = createFakeFile()
    file.log = '{"format":"resource-mock-log/1","id":"log-0"}\n'
    const { insert } = await openOver(file)
    await insert('b')
    expect((await openOver(file)).ids()).toEqual(['a', 'b'])
  })

  it('names its log in the text only once the log exists', async () => {
    const file = createFakeFile()
    const write = file.write.bind(file)
    file.write = (text) => {
      expect(file.log).toBe('{"format":"resource-mock-log/1","id":"log-1"}\n')
      return write(text)
    }
    await (await openOver(file)).insert('b')
    expect(file.text).toContain('"isOpen":true')
  })

  it('does not apply a line again that the text already contains', async () => {
    const file = createFakeFile()
    const { store, project, insert } = await openOver(file)
    await insert('b')
    const lines = file.log
    await store.close()
    // As after a crash between writing the text and deleting the log.
    file.log = lines
    const again = await openOver(file)
    await again.store.write('s1', () => again.project.remove(again.project.find('b') ?? expect.fail('there is no b')))
    expect((await openOver(file)).ids()).toEqual(['a'])
    expect(project.size).toBe(2)
  })

  it('writes the whole text again if it was deleted', async () => {
    const file = createFakeFile()
    const { insert } = await openOver(file)
    await insert('b')
    file.text = undefined
    await insert('c')
    expect((await openOver(file)).ids()).toEqual(['a', 'b', 'c'])
  })

  it('compacts a long log into the text', async () => {
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

  it('keeps its log within the size of the text or a megabyte through repeated compaction', async () => {
    const file = createFakeFile()
    const { store, project } = await openOver(file)
    const write = async (text: string) =>
      store.write('s1', () => {
        const found = project.find('large')
        const resource = aResource('large', { objectTypeProperty: { arrayOfStringExample: [text] } })
        if (found === undefined) project.insert(resource)
        else project.replace(found, resource)
      })
    const ratios: number[] = []
    // Characters of three bytes: the log length is counted in bytes on disk.
    for (let at = 0; at < 60; at += 1) {
      await write(`${at}${'日'.repeat(100_000)}`)
      await macrotask()
      ratios.push(Buffer.byteLength(file.log ?? '') / Math.max(1_000_000, Buffer.byteLength(file.text ?? '')))
    }
    expect(file.writes()).toBeGreaterThan(10)
    expect(Math.max(...ratios)).toBeLessThanOrEqual(1.01)
  })

  it('compacts a write that is longer than the text and a megabyte before the next one', async () => {
    const file = createFakeFile()
    const { store, project } = await openOver(file)
    const large = { arrayOfStringExample: ['x'.repeat(3_000_000)] }
    await store.write('s1', () => project.insert(aResource('large', { objectTypeProperty: large })))
    await vi.waitUntil(() => file.writes() === 2, PATIENCE)
    expect(file.log?.length).toBeLessThan(100)
    expect(file.text).toContain('xxx')
  })

  it('compacts a log only in full, though large writes are applied in slices', async () => {
    const file = createFakeFile()
    const { store, project } = await openOver(file)
    const ids = Array.from({ length: 8 * 600 }, (_none, at) => `new-${at}`)
    const objectTypeProperty = { arrayOfStringExample: ['x'.repeat(200)] }
    await Promise.all(
      Array.from({ length: 8 }, async (_none, write) =>
        store.write('s1', () => {
          for (const id of ids.slice(write * 600, (write + 1) * 600))
            project.insert(aResource(id, { objectTypeProperty }))
        }),
      ),
    )
    await vi.waitUntil(() => (file.log ?? '').length < 100, PATIENCE)
    const stored = new Set(file.text?.match(/(?<=")new-\d+(?=")/g))
    expect(ids.filter((id) => !stored.has(id))).toEqual([])
  })

  it('shows no write before it is stored, and nothing of a failed one', async () => {
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
  'splits a project id into its original parts: %o',
  (name) => {
    expect(parseProjectId(toProjectId(name))).toEqual(name)
  },
)
