import { describe, expect, it } from 'vitest'
import { createProjectData, toProjectId } from '../../../src/service/state/project-data.ts'
import type { ProjectName } from '../../../src/service/state/project-data.ts'
import { Project } from '../../../src/service/state/project.ts'
import { MAX_PROJECTS } from '../../../src/service/state/store.ts'
import type { Store, StoreParts } from '../../../src/service/state/store.ts'
import { aResource } from './records.ts'
import { pick } from '../../support/thorough.ts'

const acme = { baseUrl: '', projectKey: 'acme' }
const names = (resources: Iterable<{ readonly id: string }>) => Array.from(resources, ({ id }) => id)

const fixtures = createProjectData([aResource('a', { key: 'key-a' }), aResource('b')], '{}')

/** The behaviour of every store, whatever its persistence. */
export function storeCases(name: string, openStore: (parts: StoreParts) => Promise<Store>): void {
  const open = async () => {
    const store = await openStore({ sources: { initial: fixtures } })
    const projectOf = (session: string, project: ProjectName = acme) => new Project(store.access(session, project))
    const write = async <Result>(session: string, operation: (project: Project) => Result, project = acme) =>
      store.write(session, () => operation(projectOf(session, project)))
    return { store, projectOf, write }
  }

  describe(`a store over ${name}`, () => {
    it('gives every project of every session the fixtures', async () => {
      const { projectOf } = await open()
      for (const session of ['s1', 's2']) {
        for (const projectKey of ['acme', 'other', '__proto__', 'constructor']) {
          expect(names(projectOf(session, { baseUrl: '', projectKey }).all())).toEqual(['a', 'b'])
        }
      }
    })

    it('stores nothing for a project that was only read', async () => {
      const { store, projectOf, write } = await open()
      const project = projectOf('s1')
      project.findLatest()
      project.findByKey('key-a')
      await write('s1', (one) => one.find('a'))
      expect([...store.sessions()]).toEqual([])
    })

    it('isolates sessions, base URLs and projects', async () => {
      const { projectOf, write } = await open()
      const places = [
        ['s1', acme],
        ['s2', acme],
        ['s1', { baseUrl: 'eu/gcp', projectKey: 'acme' }],
        ['s1', { baseUrl: '', projectKey: '__proto__' }],
      ] as const
      for (const [at, [session, place]] of places.entries()) {
        await write(session, (project) => project.insert(aResource(`new-${at}`)), place)
      }
      for (const [at, [session, place]] of places.entries()) {
        expect(names(projectOf(session, place).all())).toEqual(['a', 'b', `new-${at}`])
      }
    })

    it('returns the result of the operation', async () => {
      const { write } = await open()
      expect(await write('s1', (project) => project.notePosted('x'))).toBe(false)
      expect(await write('s1', (project) => project.notePosted('x'))).toBe(true)
    })

    it('changes nothing if the operation throws', async () => {
      const { store, projectOf, write } = await open()
      const failing = write('s1', (project) => {
        if (project.find('a') !== undefined) throw new Error('refused')
        project.insert(aResource('c'))
      })
      await expect(failing).rejects.toThrow('refused')
      expect(names(projectOf('s1').all())).toEqual(['a', 'b'])
      expect([...store.sessions()]).toEqual([])
    })

    it('deletes what a session wrote when it is reset', async () => {
      const { store, projectOf, write } = await open()
      await write('s1', (project) => project.insert(aResource('c')))
      await store.write('s1', () => store.change('s1', { kind: 'session' }))
      expect(names(projectOf('s1').all())).toEqual(['a', 'b'])
      expect(store.changedProjects('s1').size).toBe(0)
    })

    it('replaces the data of a session with those of another', async () => {
      const { store, projectOf } = await open()
      const data = new Map([[toProjectId(acme), createProjectData([aResource('x')], '1')]])
      await store.write('s1', () => store.change('s1', { kind: 'session', data }))
      expect(names(projectOf('s1').all())).toEqual(['x'])
    })

    it('restores a snapshot, whatever was written since', async () => {
      const { store, projectOf, write } = await open()
      await write('s1', (project) => project.insert(aResource('c')))
      await store.write('s1', () =>
        store.change('s1', { kind: 'snapshot', name: 'one', takenAt: '2026-01-01T00:00:00Z' }),
      )
      await write('s1', (project) => project.insert(aResource('d')))
      for (let turn = 0; turn < 2; turn += 1) {
        await store.write('s1', () => store.change('s1', { kind: 'restore', name: 'one' }))
        expect(names(projectOf('s1').all())).toEqual(['a', 'b', 'c'])
        await write('s1', (project) => project.insert(aResource('e')))
      }
      expect([...store.snapshots('s1').keys()]).toEqual(['one'])
      await store.write('s1', () => store.change('s1', { kind: 'snapshot', name: 'one' }))
      expect(store.snapshots('s1').size).toBe(0)
    })

    it('ends a session with its snapshots', async () => {
      const { store, write } = await open()
      await write('s1', (project) => project.insert(aResource('c')))
      await store.write('s1', () =>
        store.change('s1', { kind: 'snapshot', name: 'one', takenAt: '2026-01-01T00:00:00Z' }),
      )
      await store.write('s1', () => store.change('s1', { kind: 'end' }))
      expect([store.changedProjects('s1').size, store.snapshots('s1').size]).toEqual([0, 0])
    })

    it('moves the clock of one session, until the session ends', async () => {
      const { store } = await open()
      const move = { offset: -1000, passed: 500.5 }
      await store.write('s1', () => store.change('s1', { kind: 'clock', ...move }))
      expect([store.clock('s1'), store.clock('s2')]).toEqual([move, { offset: 0, passed: 0 }])
      await store.write('s1', () => store.change('s1', { kind: 'session' }))
      expect(store.clock('s1')).toEqual(move)
      await store.write('s1', () => store.change('s1', { kind: 'end' }))
      expect(store.clock('s1')).toEqual({ offset: 0, passed: 0 })
      expect([...store.sessions()]).toEqual([])
    })

    // A thousand writes, which a log and a file make slow.
    it.runIf(pick(true, name === 'memory'))(
      'accepts exactly as many written projects per session as the limit',
      async () => {
        const { projectOf, write } = await open()
        const setAction = (session: string, projectKey: string) =>
          write(session, (project) => (project.action = '1'), { baseUrl: '', projectKey })
        // At the same time, so that a store of whole texts writes them together.
        await Promise.all(Array.from({ length: MAX_PROJECTS }, (_none, at) => setAction('s1', `p${at}`)))
        await expect(setAction('s1', 'one-too-many')).rejects.toThrow(
          'Session "s1" has reached the limit of 1000 projects. Reset it, or use another session.',
        )
        const one = projectOf('s1', { baseUrl: '', projectKey: 'one-too-many' })
        expect(one.action).toBe('{}')
        expect(names(one.all())).toEqual(['a', 'b'])
        await setAction('s2', 'p')
      },
    )

    it('lets exactly one of many replacements of one version succeed', async () => {
      const { projectOf, write } = await open()
      const before = projectOf('s1').find('a') ?? expect.fail('there is no "a"')
      const racers = Array.from({ length: 20 }, () =>
        write('s1', (project) => project.replace(before, { ...before, version: 2 })).then(
          () => 'won',
          (fault: unknown) => (fault instanceof Error ? fault.message : ''),
        ),
      )
      const results = await Promise.all(racers)
      expect(results.filter((one) => one === 'won')).toHaveLength(1)
      expect(results.filter((one) => one.endsWith('Expected: 1 - Actual: 2.'))).toHaveLength(19)
      expect(projectOf('s1').find('a')?.version).toBe(2)
      expect(before.version).toBe(1)
    })

    it('has a history of the stored writes, each once', async () => {
      const { store, projectOf, write } = await open()
      const raise = async () => {
        await write('s1', (project) => {
          const previous = project.find('a') ?? expect.fail('there is no "a"')
          project.replace(previous, aResource('a', { version: previous.version + 1 }))
        })
      }
      await Promise.all([raise(), raise(), raise()])
      const failing = write('s1', (project) => project.replace(aResource('a'), aResource('a')))
      await expect(failing).rejects.toThrow('Expected: 1')
      await write('s1', () => projectOf('s1').remove(aResource('a')))
      const versions = store.history.versions('s1', toProjectId(acme), 'a')
      expect(versions.map(({ kind, resource }) => `${kind} ${resource.version}`)).toEqual([
        'fixture 1',
        'put 2',
        'put 3',
        'put 4',
        'removed 4',
      ])
    })

    it('gives the key to exactly one of many inserts of it', async () => {
      const { projectOf, write } = await open()
      const ids = Array.from({ length: 20 }, (_, at) => `new-${at}`)
      await Promise.all(
        ids.map((id) =>
          write('s1', (project) => {
            if (project.findByKey('wanted') === undefined) project.insert(aResource(id, { key: 'wanted' }))
          }),
        ),
      )
      expect(projectOf('s1').size).toBe(3)
    })

    it('refuses to replace a resource that was removed in between', async () => {
      const { projectOf, write } = await open()
      const before = projectOf('s1').find('a') ?? expect.fail('there is no "a"')
      await write('s1', (project) => project.remove(before))
      await expect(write('s1', (project) => project.replace(before, before))).rejects.toThrow(
        "The Resource with ID 'a' was not found.",
      )
    })
  })
}
