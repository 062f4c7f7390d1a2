import { describe, expect, it } from 'vitest'
import { createHistory } from '../../src/state/history.ts'
import { createProjectData } from '../../src/state/project-data.ts'
import { resourceBytes } from '../../src/state/size.ts'
import { aResource } from './records.ts'

const seed = createProjectData([aResource('a')], '{}')
const UNBOUNDED = { versions: 100, sessionBytes: Infinity, totalBytes: Infinity }
const put = (id: string, version: number) =>
  ({ kind: 'put', project: 'acme', resource: aResource(id, { version }) }) as const

/** Writes versions of resources, each `session id version`. */
function write(history: ReturnType<typeof createHistory>, ...all: readonly string[]): void {
  for (const one of all) {
    const [session = '', id = '', version] = one.split(' ')
    history.note(session, put(id, Number(version)), seed)
  }
}

const versionsOf = (history: ReturnType<typeof createHistory>, session: string, id: string) =>
  history.versions(session, 'acme', id).map(({ kind, resource }) => `${kind} ${resource.version}`)

describe('the history of resources', () => {
  it('starts with what a resource was before its first write', () => {
    const history = createHistory(UNBOUNDED)
    write(history, 's a 2', 's new 1')
    expect(versionsOf(history, 's', 'a')).toEqual(['fixture 1', 'put 2'])
    expect(versionsOf(history, 's', 'new')).toEqual(['put 1'])
    expect(versionsOf(history, 'other', 'a')).toEqual([])
  })

  it('keeps the last versions of a resource', () => {
    const history = createHistory({ ...UNBOUNDED, versions: 2 })
    write(history, 's a 2', 's b 1', 's a 3')
    expect(versionsOf(history, 's', 'a')).toEqual(['put 2', 'put 3'])
    expect(versionsOf(history, 's', 'b')).toEqual(['put 1'])
  })

  const size = resourceBytes(aResource('a'))

  it('drops the oldest versions of a session that has no room left', () => {
    const history = createHistory({ ...UNBOUNDED, sessionBytes: 2 * size })
    write(history, 's a 2', 's b 1', 't a 2')
    expect(versionsOf(history, 's', 'a')).toEqual(['put 2'])
    expect(versionsOf(history, 't', 'a')).toEqual(['fixture 1', 'put 2'])
    write(history, 's b 2')
    expect(versionsOf(history, 's', 'a')).toEqual([])
    expect(history.projectsOf('s', 'a')).toEqual([])
    expect(versionsOf(history, 's', 'b')).toEqual(['put 1', 'put 2'])
  })

  it('drops the oldest versions of all sessions that have no room left', () => {
    const history = createHistory({ ...UNBOUNDED, totalBytes: 3 * size })
    write(history, 's b 1', 't b 1', 't b 2', 't b 3')
    expect(versionsOf(history, 's', 'b')).toEqual([])
    expect(versionsOf(history, 't', 'b')).toEqual(['put 1', 'put 2', 'put 3'])
  })

  it('has room again for what it forgot', () => {
    const history = createHistory({ ...UNBOUNDED, totalBytes: 2 * size })
    write(history, 's b 1', 't b 1')
    history.note('s', { kind: 'end' }, seed)
    write(history, 't b 2')
    expect(versionsOf(history, 't', 'b')).toEqual(['put 1', 'put 2'])
  })

  it.each([
    ['a reset', { kind: 'session' }],
    ['a restored snapshot', { kind: 'restore', name: 'one' }],
    ['the end of its session', { kind: 'end' }],
    ['a replaced project', { kind: 'project', project: 'acme' }],
  ] as const)('starts again after %s', (_what, change) => {
    const history = createHistory(UNBOUNDED)
    write(history, 's a 2', 't a 2')
    history.note('s', change, seed)
    expect(versionsOf(history, 's', 'a')).toEqual([])
    expect(versionsOf(history, 't', 'a')).toEqual(['fixture 1', 'put 2'])
  })
})
