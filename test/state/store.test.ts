import { setImmediate as macrotask } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createProjectData } from '../../src/state/project-data.ts'
import { Project } from '../../src/state/project.ts'
import { createStateAdapter } from '../../src/state/state-adapter.ts'
import { parseProjectId, toProjectId } from '../../src/state/project-name.ts'
import { openStore } from '../../src/state/store.ts'
import { createFakePersistence } from './fake-persistence.ts'
import type { FakePersistence } from './fake-persistence.ts'
import { aResource } from './records.ts'
import { storeCases } from './store-cases.ts'

storeCases('memory', () => undefined)
storeCases('an adapter', () => createStateAdapter(createFakePersistence()))

const acme = { baseUrl: 'eu/gcp', projectKey: 'acme' }
const seed = createProjectData([aResource('a')], '{}')

async function openOver(persistence: FakePersistence) {
  const store = await openStore({ seed, adapter: createStateAdapter(persistence) })
  return { store, project: new Project(store.access('s1', acme)) }
}

/** A store whose writes wait to be released, with one resource that was kept. */
async function openWithKept() {
  const persistence = createFakePersistence({ held: true })
  const opened = await openOver(persistence)
  opened.project.insert(aResource('kept'))
  const keeping = opened.store.commit()
  persistence.release()
  await keeping
  return { persistence, ...opened }
}

describe('a store that keeps its state', () => {
  it('finds again what it kept', async () => {
    const persistence = createFakePersistence()
    const { store, project } = await openOver(persistence)
    project.insert(aResource('b', { key: 'key-b' }))
    await store.commit()
    const again = (await openOver(persistence)).project
    expect(again.findByKey('key-b')).toEqual(project.findByKey('key-b'))
    expect(again.findLatest()?.id).toBe('b')
  })

  it('has nothing to wait for when all is kept', async () => {
    const { store, project } = await openOver(createFakePersistence())
    project.insert(aResource('b'))
    await store.commit()
    expect(store.commit()).toBeUndefined()
  })

  it('resolves each of 50 parallel commits only when its own change is kept, and groups their writes', async () => {
    const persistence = createFakePersistence()
    const { store, project } = await openOver(persistence)
    await Promise.all(
      Array.from({ length: 50 }, async (_none, at) => {
        for (let turn = 0; turn < at % 5; turn += 1) await Promise.resolve()
        project.insert(aResource(`new-${at}`))
        await store.commit()
        expect(persistence.kept()).toContain(`"new-${at}"`)
      }),
    )
    expect(persistence.texts.length).toBeLessThan(10)
  })

  it('keeps what is written during a write with the next one', async () => {
    const persistence = createFakePersistence({ held: true })
    const { store, project } = await openOver(persistence)
    project.insert(aResource('first'))
    const first = store.commit()
    await macrotask()
    project.insert(aResource('second'))
    let isKept = false
    const second = store.commit()?.then(() => (isKept = true))
    persistence.release()
    await first
    await macrotask()
    expect({ isKept, writes: persistence.texts.length }).toEqual({ isKept: false, writes: 2 })
    persistence.release()
    await second
    expect(persistence.kept()).toContain('"second"')
  })

  it('does not write again what the write under way keeps', async () => {
    const persistence = createFakePersistence({ held: true })
    const { store, project } = await openOver(persistence)
    project.insert(aResource('first'))
    const first = store.commit()
    await macrotask()
    const other = store.commit()
    persistence.release()
    await first
    await other
    expect(persistence.texts).toHaveLength(1)
  })

  it('undoes what could not be written, says so, and keeps what comes after it', async () => {
    const { persistence, store, project } = await openWithKept()
    project.insert(aResource('lost'))
    project.remove(aResource('a'))
    store.change('s2', { kind: 'project', project: toProjectId(acme), data: createProjectData([], '1') })
    const failing = store.commit()
    persistence.release(new Error('disk full'))
    await expect(failing).rejects.toThrow('The kept state could not be written, so the change was undone: disk full')
    expect(Array.from(project.all(), ({ id }) => id)).toEqual(['a', 'kept'])
    expect([...store.sessions()]).toEqual(['s1'])
    expect(store.fault()).toMatchObject({ cause: new Error('disk full') })
    expect(store.commit()).toBeUndefined()

    project.insert(aResource('later'))
    const next = store.commit()
    persistence.release()
    await next
    expect(persistence.kept()).toMatch(/"kept"[^]*"later"/)
    expect(persistence.kept()).not.toContain('"lost"')
    expect(store.fault()).toBeUndefined()
  })

  it('undoes a reset that could not be written', async () => {
    const { persistence, store, project } = await openWithKept()
    store.change('s1', { kind: 'session' })
    const failing = store.commit()
    persistence.release(new Error('disk full'))
    await expect(failing).rejects.toThrow('disk full')
    expect(project.find('kept')?.id).toBe('kept')
  })

  it('fails, and undoes, what was written while a write failed', async () => {
    const persistence = createFakePersistence({ held: true })
    const { store, project } = await openOver(persistence)
    project.insert(aResource('first'))
    const first = store.commit()
    await macrotask()
    project.insert(aResource('second'))
    const second = store.commit()
    persistence.release(new Error('disk full'))
    await expect(first).rejects.toThrow('disk full')
    await expect(second).rejects.toThrow('disk full')
    expect(Array.from(project.all(), ({ id }) => id)).toEqual(['a'])
  })

  it.each([
    ['is not JSON', '{"format":', 'line 1, column 11: unexpected end of the text.'],
    ['is no state', '[]', 'JSON Object expected.'],
    [
      'is of another format',
      '{"format":"resource-mock/9","sessions":{}}',
      'format: one of "resource-mock/1" expected.',
    ],
    ['has a member too many', '{"format":"resource-mock/1","sessions":{},"more":1}', 'more: unknown member.'],
  ])('does not open over a text that %s, and leaves it alone', async (_case, text, sentence) => {
    const persistence = createFakePersistence({ text })
    await expect(openOver(persistence)).rejects.toThrow(
      `The kept state cannot be read: ${sentence} It was left as it is; mend it, or give --persist another file.`,
    )
    expect(persistence.texts).toEqual([])
  })
})

it.each([acme, { baseUrl: '', projectKey: 'a\u0000b' }, { baseUrl: 'a/b', projectKey: '' }])(
  'takes a project id apart as it was put together: %o',
  (name) => {
    expect(parseProjectId(toProjectId(name))).toEqual(name)
  },
)
