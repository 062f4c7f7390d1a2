import { describe, expect, it } from 'vitest'
import { createHistory, versionBytes } from '../../../src/service/state/history.ts'
import { createMemory } from '../../../src/service/state/memory.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'
import { aResource } from './records.ts'

/** A history of sessions that all start with a resource `a`. */
function aHistory({ limit = Infinity, mostVersions = 100 } = {}) {
  const memory = createMemory(limit)
  const data = new Map<string, StoredResource | undefined>()
  const find = (session: string, id: string) => {
    const name = `${session} ${id}`
    return id === 'a' && !data.has(name) ? aResource('a') : data.get(name)
  }
  const history = createHistory((session, _project, id) => find(session, id), memory, mostVersions)
  memory.freeInOrder({ all: [history.dropOldest], one: [history.dropOldest] })
  return {
    history,
    /** Writes versions of resources, each `session id version`. */
    write(...all: readonly string[]): void {
      for (const one of all) {
        const [session = '', id = '', version] = one.split(' ')
        const resource = aResource(id, { version: Number(version) })
        history.note(session, { kind: 'put', project: 'acme', resource }, { kind: 'request', correlationId: one })
        data.set(`${session} ${id}`, resource)
      }
    },
    remove(session: string, id: string): void {
      history.note(
        session,
        { kind: 'remove', project: 'acme', id },
        { kind: 'admin', time: '2026-01-31T12:00:00.000Z' },
      )
      data.set(`${session} ${id}`, undefined)
    },
    versionsOf: (session: string, id: string) =>
      history.versions(session, 'acme', id).map(({ kind, resource }) => `${kind} ${resource.version}`),
  }
}

describe('the history of resources', () => {
  it('starts with the resource before its first write', () => {
    const { write, versionsOf } = aHistory()
    write('s a 2', 's new 1')
    expect(versionsOf('s', 'a')).toEqual(['fixture 1', 'put 2'])
    expect(versionsOf('s', 'new')).toEqual(['put 1'])
    expect(versionsOf('other', 'a')).toEqual(['fixture 1'])
    expect(versionsOf('other', 'new')).toEqual([])
  })

  it('names the writer of each version', () => {
    const { history, write, remove } = aHistory()
    const writers = () => history.versions('s', 'acme', 'a').map(({ writer }) => writer?.kind)
    write('s a 2')
    expect(writers()).toEqual([undefined, 'request'])
    remove('s', 'a')
    expect(writers()).toEqual([undefined, 'request', 'admin'])
  })

  it('keeps the latest versions of a resource, including the current one', () => {
    const { write, remove, versionsOf } = aHistory({ mostVersions: 2 })
    write('s a 2', 's b 1', 's a 3')
    expect(versionsOf('s', 'a')).toEqual(['put 2', 'put 3'])
    expect(versionsOf('s', 'b')).toEqual(['put 1'])
    remove('s', 'a')
    expect(versionsOf('s', 'a')).toEqual(['put 3', 'removed 3'])
    write('s a 4')
    expect(versionsOf('s', 'a')).toEqual(['removed 3', 'put 4'])
  })

  /** A version's size, with room for the names of its writer. */
  const size = 1.1 * versionBytes({ kind: 'put', resource: aResource('a') })

  it('drops the oldest versions of a session that has half of the memory', () => {
    const { history, write, remove, versionsOf } = aHistory({ limit: 4 * size })
    write('s a 2', 's b 1', 's b 2', 't a 2')
    expect(versionsOf('s', 'a')).toEqual(['fixture 1', 'put 2'])
    write('s b 3')
    expect(versionsOf('s', 'a')).toEqual(['put 2'])
    expect(versionsOf('s', 'b')).toEqual(['put 1', 'put 2', 'put 3'])
    expect(versionsOf('t', 'a')).toEqual(['fixture 1', 'put 2'])
    remove('s', 'b')
    expect(versionsOf('s', 'b')).toEqual(['put 3', 'removed 3'])
    write('s a 3', 's a 4')
    expect(versionsOf('s', 'b')).toEqual([])
    expect(history.projectsOf('s', 'b')).toEqual([])
    expect(history.projectsOf('s', 'a')).toEqual(['acme'])
  })

  it('drops the oldest versions across sessions if memory is full', () => {
    const { write, versionsOf } = aHistory({ limit: 4 * size })
    write('s b 1', 's b 2', 's b 3', 't b 1', 't b 2', 't b 3', 'u b 1', 'u b 2')
    expect(versionsOf('s', 'b')).toEqual(['put 2', 'put 3'])
    expect(versionsOf('t', 'b')).toEqual(['put 1', 'put 2', 'put 3'])
  })

  it('frees the memory of versions that a session no longer has', () => {
    const { history, write, versionsOf } = aHistory({ limit: 4 * size })
    write('s b 1', 's b 2', 's b 3', 't b 1', 't b 2', 't b 3')
    history.note('s', { kind: 'end' })
    write('u b 1', 'u b 2', 'u b 3')
    expect(versionsOf('t', 'b')).toEqual(['put 1', 'put 2', 'put 3'])
  })

  it.each([
    ['a reset', { kind: 'session' }],
    ['a restored snapshot', { kind: 'restore', name: 'one' }],
    ['the end of its session', { kind: 'end' }],
    ['a replaced project', { kind: 'project', project: 'acme' }],
  ] as const)('starts again after %s', (_what, change) => {
    const { history, write, versionsOf } = aHistory()
    write('s a 2', 's a 3', 't a 2')
    history.note('s', change)
    expect(history.projectsOf('s', 'a')).toEqual([])
    // Data that were set count as a fixture.
    expect(versionsOf('s', 'a')).toEqual(['fixture 3'])
    expect(versionsOf('t', 'a')).toEqual(['fixture 1', 'put 2'])
  })
})
