import { beforeEach, describe, expect, it } from 'vitest'
import { createProjectData } from '../../../src/service/state/project-data.ts'
import { Project } from '../../../src/service/state/project.ts'
import { createStore } from '../../../src/service/state/store.ts'
import type { Store } from '../../../src/service/state/store.ts'
import { toStateLimits } from '../../../src/service/state/limits.ts'
import { aResource, anImage } from './records.ts'

const KIB = 1024
const limits = { sessionBytes: 100 * KIB, totalBytes: 250 * KIB, imageBytes: 10 * KIB, totalImageBytes: 25 * KIB }

const idle: string[] = []
let store: Store
const fixtures = createProjectData([aResource('a'), aResource('b')], '{}')
beforeEach(() => {
  idle.length = 0
  store = createStore({
    sources: { seed: fixtures },
    limits,
    freeMemory() {
      const session = idle.pop()
      if (session !== undefined) store.change(session, { kind: 'session' })
      return session !== undefined
    },
  })
})

const projectOf = (session: string, projectKey = 'acme') =>
  new Project(store.access(session, { baseUrl: '', projectKey }))

/** Inserts resources until the limit is reached; returns their number and the error. */
function fill(session: string): { readonly count: number; readonly reason: string } {
  for (let count = 0; count < 1000; count += 1) {
    try {
      projectOf(session, `project-${count % 3}`).insert(aResource(`more-${count}`))
    } catch (fault) {
      return { count, reason: fault instanceof Error ? fault.message : '' }
    }
  }
  return expect.fail('There is no limit.')
}

describe('the data of sessions', () => {
  it('are limited in bytes, per session and in total', () => {
    const first = fill('s1')
    expect(first.count).toBeLessThan(100)
    expect(first.reason).toMatch(
      /^Session "s1" is limited to 0 MB of data, and this write would exceed that\. Delete resources, reset the session/,
    )
    expect(fill('s2').count).toBe(first.count)
    const third = fill('s3')
    expect(third.count).toBeLessThan(first.count)
    expect(third.reason).toMatch(/^All sessions together are limited to .* Reset or delete unused sessions/)
  })

  it('stay unchanged if a write is refused', () => {
    const { count } = fill('s1')
    const project = projectOf('s1', `project-${count % 3}`)
    const before = [...project.all()]
    expect(() => project.insert(aResource('one-too-many'))).toThrow('Session "s1" is limited to')
    expect(() => (project.action = 'x'.repeat(200 * KIB))).toThrow('Session "s1" is limited to')
    expect([...project.all()]).toEqual(before)
    expect(project.action).toBe('{}')
  })

  it('are counted when a resource grows', () => {
    const project = projectOf('s1')
    const before = project.find('a') ?? expect.fail('There is no a.')
    const large = { arrayOfStringExample: ['x'.repeat(30 * KIB)] }
    const grow = () => project.replace(before, aResource('a', { version: 2, objectTypeProperty: large }))
    expect(grow).toThrow('Session "s1" is limited to')
    expect(project.find('a')).toBe(before)
  })

  it('have room again after resources are removed, and after a reset', () => {
    const { count } = fill('s1')
    const project = projectOf('s1', 'project-0')
    for (const resource of project.all()) project.remove(resource)
    expect(fill('s1').count).toBeGreaterThan(5)
    store.change('s1', { kind: 'session' })
    expect(fill('s1').count).toBe(count)
  })

  it('do not grow through updates', () => {
    const project = projectOf('s1')
    for (let version = 2; version < 1000; version += 1) {
      const before = project.find('a') ?? expect.fail('there is no "a"')
      project.replace(before, { ...before, version })
    }
    expect(project.find('a')?.version).toBe(999)
  })

  it('are counted if they are replaced as a whole', () => {
    const resources = Array.from({ length: 500 }, (_, at) => aResource(`r${at}`))
    const data = createProjectData(resources, '{}')
    expect(() => store.change('s1', { kind: 'session', data: new Map([['\u0000acme', data]]) })).toThrow(
      'Session "s1" is limited to',
    )
    expect(() => store.change('s1', { kind: 'project', project: '\u0000acme', data })).toThrow(
      'Session "s1" is limited to',
    )
    expect(store.written('s1').size).toBe(0)
  })

  it('of unused sessions make room for others', () => {
    const { count } = fill('s1')
    fill('s2')
    idle.push('s1')
    expect(fill('s3').count).toBe(count)
    expect(store.written('s1').size).toBe(0)
  })
})

describe('the images of sessions', () => {
  it('are limited in bytes, per session and in total', () => {
    const add = (session: string) => projectOf(session).addImage(anImage(crypto.randomUUID(), 5 * KIB))
    for (const session of ['s1', 's2']) {
      add(session)
      add(session)
      expect(() => add(session)).toThrow(
        `The images of session "${session}" would exceed 10240 bytes in total. Reset the session, use another one, or raise --image-bytes.`,
      )
    }
    add('s3')
    expect(() => add('s3')).toThrow('All sessions together are limited to')
    expect([...projectOf('s3').images()]).toHaveLength(1)
  })

  it('are limited to the room in a persisted state', () => {
    expect(() => toStateLimits(300 * KIB * KIB, true)).toThrow('Lower it, or remove --persist.')
    expect(toStateLimits(300 * KIB * KIB, false).totalImageBytes).toBe(300 * KIB * KIB)
  })
})
