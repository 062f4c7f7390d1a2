import { describe, expect, it } from 'vitest'
import { createProjectData } from '../../../src/service/state/project-data.ts'
import { Project } from '../../../src/service/state/project.ts'
import { aResource } from './records.ts'

/** A project over its own data, with these resources. */
function createProject(...ids: readonly string[]): Project {
  const data = createProjectData(
    ids.map((id) => aResource(id, { key: `key-${id}` })),
    '{}',
  )
  return new Project({
    read: () => data,
    write: (change) => data.apply(change, []),
    expectRoom: () => undefined,
  })
}

const resourceOf = (project: Project, id: string) => project.find(id) ?? expect.fail(`there is no ${id}`)

describe('Project', () => {
  it('finds by id and by key, and neither after a removal', () => {
    const project = createProject('a', 'b')
    expect(project.findByKey('key-a')).toBe(project.find('a'))
    project.remove(resourceOf(project, 'a'))
    expect([project.find('a'), project.findByKey('key-a'), project.size]).toEqual([undefined, undefined, 1])
  })

  it('lets another resource take a freed key', () => {
    const project = createProject('a')
    project.remove(resourceOf(project, 'a'))
    project.insert(aResource('b', { key: 'key-a' }))
    expect(project.findByKey('key-a')?.id).toBe('b')
  })

  it('ignores names of Object.prototype', () => {
    const project = createProject('a')
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect([project.find(name), project.findByKey(name)]).toEqual([undefined, undefined])
    }
  })

  it('counts positions in creation order from 1, without removed resources and unaffected by updates', () => {
    const project = createProject('a', 'b', 'c')
    const a = resourceOf(project, 'a')
    project.replace(a, { ...a, version: 2 })
    project.remove(resourceOf(project, 'b'))
    expect([0, 1, 2, 3, -1].map((place) => project.nth(place)?.id)).toEqual([undefined, 'a', 'c', undefined, undefined])
  })

  it('shows a paused reader the resources as they were', () => {
    const project = createProject('a', 'b', 'c')
    const before = project.view()
    project.remove(resourceOf(project, 'b'))
    project.insert(aResource('d', {}))
    const after = project.view()
    expect(before.take(before.places())).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(after.take(after.places())).toMatchObject([{ id: 'a' }, { id: 'c' }, { id: 'd' }])
  })

  it('reports whether something was posted to a path before', () => {
    const project = createProject()
    expect(['x', 'x', 'y', '__proto__', '__proto__'].map((name) => project.notePosted(name))).toEqual([
      false,
      true,
      false,
      false,
      true,
    ])
  })
})

describe('findLatest', () => {
  it('keeps the last written resource, however long ago it was written', () => {
    const project = createProject('a', 'b', 'c')
    const write = (id: string) => {
      const resource = resourceOf(project, id)
      project.replace(resource, { ...resource, version: resource.version + 1 })
    }
    write('c')
    for (let at = 0; at < 200; at += 1) write(at % 2 === 0 ? 'a' : 'b')
    expect(project.findLatest()?.id).toBe('b')
    for (const id of ['a', 'b']) project.remove(resourceOf(project, id))
    expect(project.findLatest()?.id).toBe('c')
  })

  it('treats the fixtures as written in their order', () => {
    expect(createProject('a', 'b').findLatest()?.id).toBe('b')
    expect(createProject().findLatest()).toBeUndefined()
  })

  it('follows inserts and replacements, and goes back if the latest is removed', () => {
    const project = createProject('a', 'b')
    const a = resourceOf(project, 'a')
    project.replace(a, { ...a, version: 2 })
    expect(project.findLatest()?.id).toBe('a')
    project.insert(aResource('c'))
    expect(project.findLatest()?.id).toBe('c')
    project.remove(resourceOf(project, 'c'))
    expect(project.findLatest()?.id).toBe('a')
    project.remove(resourceOf(project, 'a'))
    expect(project.findLatest()?.id).toBe('b')
    project.remove(resourceOf(project, 'b'))
    expect(project.findLatest()).toBeUndefined()
  })
})
