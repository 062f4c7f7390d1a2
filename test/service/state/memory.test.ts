import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_SNAPSHOTS, createStore } from '../../../src/service/state/store.ts'
import { createMemory, sizeOf } from '../../../src/service/state/memory.ts'
import type { Memory } from '../../../src/service/state/memory.ts'
import { createProjectData } from '../../../src/service/state/project-data.ts'
import { Project } from '../../../src/service/state/project.ts'
import type { Store } from '../../../src/service/state/store.ts'
import { aResource, anImage } from './records.ts'

const KIB = 1024
const TAKEN_AT = '2026-01-31T12:00:00.000Z'

const idle: string[] = []
let memory: Memory
let store: Store
const fixtures = createProjectData([aResource('a'), aResource('b')], '{}')
beforeEach(() => {
  idle.length = 0
  memory = createMemory(200 * KIB)
  store = createStore({ sources: { initial: fixtures }, memory })
  function endIdle(): boolean {
    const session = idle.pop()
    if (session !== undefined) store.change(session, { kind: 'session' })
    return session !== undefined
  }
  memory.freeInOrder({ all: [store.history.dropOldest, endIdle], one: [store.history.dropOldest] })
})

const projectOf = (session: string, projectKey = 'acme') =>
  new Project(store.access(session, { baseUrl: '', projectKey }))

const countState = (): number => memory.uses.get('state') ?? NaN

/** Runs a write until it is refused; returns how often it succeeded and the error. */
function repeat(write: (count: number) => void): { readonly count: number; readonly reason: string } {
  for (let count = 0; count < 1000; count += 1) {
    try {
      write(count)
    } catch (fault) {
      return { count, reason: fault instanceof Error ? fault.message : '' }
    }
  }
  return expect.fail('There is no limit.')
}

const fill = (session: string) =>
  repeat((count) => projectOf(session, `project-${count % 3}`).insert(aResource(`more-${count}`)))

const HALF_SENTENCE =
  'Session "s1" would keep more than 1 MB, half of what all sessions may keep. Delete resources or snapshots, reset the session, or raise --memory.'

describe('the data of sessions', () => {
  it('are limited to half of the memory per session, and to all of it in total', () => {
    const first = fill('s1')
    expect(first.count).toBeLessThan(100)
    expect(first.reason).toBe(HALF_SENTENCE)
    projectOf('s2').insert(aResource('one'))
    const third = fill('s3')
    expect(third.count).toBeLessThan(first.count)
    expect(third.reason).toBe(
      'All sessions together may keep 1 MB, and this write would exceed that. Session "s1" is the largest, with 1 MB. Reset or delete sessions, or raise --memory.',
    )
  })

  it('stay unchanged if a write is refused', () => {
    const { count } = fill('s1')
    const project = projectOf('s1', `project-${count % 3}`)
    const before = [...project.all()]
    expect(() => project.insert(aResource('one-too-many'))).toThrow(HALF_SENTENCE)
    expect(() => (project.action = 'x'.repeat(200 * KIB))).toThrow(HALF_SENTENCE)
    expect([...project.all()]).toEqual(before)
    expect(project.action).toBe('{}')
  })

  it('are counted when a resource grows', () => {
    const project = projectOf('s1')
    const before = project.find('a') ?? expect.fail('There is no a.')
    const large = { arrayOfStringExample: ['x'.repeat(30 * KIB)] }
    const growing = [{ objectTypeProperty: large }, { someProperty: 'x'.repeat(60 * KIB) }, { staged: large }]
    for (const members of growing) {
      expect(() => project.replace(before, aResource('a', { version: 2, ...members }))).toThrow(HALF_SENTENCE)
    }
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

  it('may be updated any number of times: the oldest versions are dropped', () => {
    const project = projectOf('s1')
    const large = { arrayOfStringExample: ['x'.repeat(5 * KIB)] }
    for (let version = 2; version < 100; version += 1) {
      const before = project.find('a') ?? expect.fail('there is no "a"')
      project.replace(before, aResource('a', { version, objectTypeProperty: large }))
    }
    expect(project.find('a')?.version).toBe(99)
    expect(memory.uses.get('versions')).toBeLessThan(100 * KIB)
  })

  it('are counted if they are replaced as a whole', () => {
    const resources = Array.from({ length: 500 }, (_, at) => aResource(`r${at}`))
    const data = createProjectData(resources, '{}')
    expect(() => store.change('s1', { kind: 'session', data: new Map([['\u0000acme', data]]) })).toThrow(HALF_SENTENCE)
    expect(() => store.change('s1', { kind: 'project', project: '\u0000acme', data })).toThrow(HALF_SENTENCE)
    expect(store.changedProjects('s1').size).toBe(0)
  })

  it('of unused sessions make room for others', () => {
    const { count } = fill('s1')
    fill('s2')
    idle.push('s1')
    expect(fill('s3').count).toBe(count)
    expect(store.changedProjects('s1').size).toBe(0)
  })
})

describe('memory', () => {
  it('has room for an image together with its resource, or for neither', () => {
    const project = projectOf('s1')
    const owner = project.find('a') ?? expect.fail('There is no a.')
    expect(() => project.expectRoomForImage(anImage('i', 66 * KIB), owner)).toThrow(HALF_SENTENCE)
    project.expectRoomForImage(anImage('i', 50 * KIB), owner)
    project.addImage(anImage('i', 50 * KIB))
    expect(() => project.expectRoomForImage(anImage('j', 50 * KIB), owner)).toThrow(HALF_SENTENCE)
  })

  it('is limited for snapshots', () => {
    projectOf('s1').insert(aResource('c', { someProperty: 'x'.repeat(10 * KIB) }))
    const take = (name: string) => store.change('s1', { kind: 'snapshot', name, takenAt: TAKEN_AT })
    const { count, reason } = repeat((at) => take(`${at}`))
    expect(count).toBeLessThan(10)
    expect(reason).toBe(HALF_SENTENCE)
    // One of the same name replaces it.
    take('0')
  })

  it('is limited for defined scenarios', () => {
    const scenario = { text: 'x'.repeat(5 * KIB) }
    const { count, reason } = repeat((at) => store.change('s1', { kind: 'scenario', name: `${at}`, scenario }))
    expect(count).toBeLessThan(10)
    expect(reason).toBe(HALF_SENTENCE)
  })

  it('is free again once a session has ended', () => {
    projectOf('s1').insert(aResource('c'))
    projectOf('s1').addImage(anImage('i', 100))
    store.change('s1', { kind: 'snapshot', name: 'one', takenAt: TAKEN_AT })
    store.change('s1', { kind: 'scenario', name: 'mine', scenario: { text: '{}' } })
    store.change('s1', { kind: 'active', names: ['mine'] })
    store.change('s1', { kind: 'restore', name: 'one' })
    expect(countState()).toBeGreaterThan(2000)
    store.change('s1', { kind: 'end' })
    expect(countState()).toBe(0)
  })

  it.each([
    ['a string', 'x'.repeat(KIB), 2 * KIB],
    ['bytes', new Uint8Array(KIB), 2 * KIB],
    ['a list', ['x'.repeat(KIB), 'y'.repeat(KIB)], 4 * KIB],
    ['a set', new Set(['x'.repeat(KIB)]), 2 * KIB],
    ['a map', new Map([['x'.repeat(KIB), ['y'.repeat(KIB)]]]), 4 * KIB],
    ['headers', new Headers({ a: 'x'.repeat(KIB) }), 2 * KIB],
    ['an object', { text: 'x'.repeat(KIB), none: undefined, nothing: null, at: 1 }, 2 * KIB],
  ])('counts all that %s is made of', (_what, value, least) => {
    expect(sizeOf(value)).toBeGreaterThanOrEqual(least)
    expect(sizeOf(value)).toBeLessThan(least + 300)
  })

  it('counts nothing for what is absent', () => {
    expect(sizeOf(undefined)).toBe(0)
  })
})

describe('snapshots', () => {
  const take = (name: string) => store.change('s1', { kind: 'snapshot', name, takenAt: TAKEN_AT })

  it('are limited in number', () => {
    memory = createMemory(Infinity)
    store = createStore({ sources: { initial: fixtures }, memory })
    for (let at = 0; at < MAX_SNAPSHOTS; at += 1) take(`${at}`)
    expect(() => take('one-more')).toThrow(/^Snapshot limit of the session \(100\) reached/)
    take('0')
    // The dashboard takes it before a reset.
    take('before-reset')
    expect(() => take('one-more')).toThrow('Snapshot limit')
  })
})
