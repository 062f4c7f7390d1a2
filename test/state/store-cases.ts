import type { Adapter } from 'lowdb'
import { describe, expect, it } from 'vitest'
import { createProjectData } from '../../src/state/project-data.ts'
import { Project } from '../../src/state/project.ts'
import { MAX_PROJECTS, openStore } from '../../src/state/store.ts'
import type { StateData } from '../../src/state/state-data.ts'
import type { ProjectName } from '../../src/state/project-name.ts'
import { aResource } from './records.ts'

const acme = { baseUrl: '', projectKey: 'acme' }
const names = (resources: Iterable<{ readonly id: string }>) => Array.from(resources, ({ id }) => id)

/** What every store does, whatever keeps its texts. */
export function storeCases(name: string, createAdapter: () => Adapter<StateData> | undefined): void {
  const open = async () => {
    const adapter = createAdapter()
    const seed = createProjectData([aResource('a', { key: 'key-a' }), aResource('b')], '{}')
    const store = await openStore({ seed, ...(adapter === undefined ? {} : { adapter }) })
    const projectOf = (session: string, name: ProjectName) => new Project(store.access(session, name))
    return { store, projectOf }
  }

  describe(`a store over ${name}`, () => {
    it('gives every project of every session the seed', async () => {
      const { projectOf } = await open()
      for (const session of ['s1', 's2']) {
        for (const projectKey of ['acme', 'other', '__proto__', 'constructor']) {
          expect(names(projectOf(session, { baseUrl: '', projectKey }).all())).toEqual(['a', 'b'])
        }
      }
    })

    it('keeps nothing of a project that was only read', async () => {
      const { store, projectOf } = await open()
      const project = projectOf('s1', acme)
      project.findLatest()
      project.findByKey('key-a')
      expect([...store.sessions()]).toEqual([])
      expect(store.commit()).toBeUndefined()
    })

    it('keeps sessions, base URLs and projects apart', async () => {
      const { projectOf } = await open()
      const places = [
        ['s1', acme],
        ['s2', acme],
        ['s1', { baseUrl: 'eu/gcp', projectKey: 'acme' }],
        ['s1', { baseUrl: '', projectKey: '__proto__' }],
      ] as const
      for (const [at, [session, place]] of places.entries()) projectOf(session, place).insert(aResource(`new-${at}`))
      for (const [at, [session, place]] of places.entries()) {
        expect(names(projectOf(session, place).all())).toEqual(['a', 'b', `new-${at}`])
      }
    })

    it('forgets what a session wrote when it is put back to the seed', async () => {
      const { store, projectOf } = await open()
      const project = projectOf('s1', acme)
      project.insert(aResource('c'))
      store.change('s1', { kind: 'session' })
      expect(names(project.all())).toEqual(['a', 'b'])
      expect(store.written('s1').size).toBe(0)
    })

    it('lets a session take over the data of another', async () => {
      const { store, projectOf } = await open()
      const data = new Map([['\u0000acme', createProjectData([aResource('x')], '1')]])
      store.change('s1', { kind: 'session', data })
      expect(names(projectOf('s1', acme).all())).toEqual(['x'])
    })

    it('takes as many written projects a session as it may hold, and not one more', async () => {
      const { projectOf } = await open()
      for (let at = 0; at < MAX_PROJECTS; at += 1) {
        projectOf('s1', { baseUrl: '', projectKey: `p${at}` }).action = '1'
      }
      const one = projectOf('s1', { baseUrl: '', projectKey: 'one-too-many' })
      expect(() => {
        one.action = '1'
      }).toThrow('Session "s1" has reached the limit of 1000 projects. Reset it, or use another session.')
      expect(one.action).toBe('{}')
      expect(names(one.all())).toEqual(['a', 'b'])
      projectOf('s2', { baseUrl: '', projectKey: 'p' }).action = '1'
    })

    it('lets one of many replacements of one version win', async () => {
      const { projectOf } = await open()
      const project = projectOf('s1', acme)
      const before = project.find('a') ?? expect.fail('there is no "a"')
      project.replace(before, { ...before, version: 2 })
      for (let other = 0; other < 10; other += 1) {
        expect(() => project.replace(before, { ...before, version: 2 })).toThrow('Expected: 1 - Actual: 2.')
      }
      expect(project.find('a')?.version).toBe(2)
      expect(before.version).toBe(1)
    })

    it('refuses to replace what was removed in between', async () => {
      const { projectOf } = await open()
      const project = projectOf('s1', acme)
      const before = project.find('a') ?? expect.fail('there is no "a"')
      project.remove(before)
      expect(() => project.replace(before, before)).toThrow("The Resource with ID 'a' was not found.")
    })
  })
}
