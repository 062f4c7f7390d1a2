import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBase, createResourceList, joinResourceLists } from '../../../src/service/state/resource.ts'
import type { ProjectChange, Undo } from '../../../src/service/state/project-data.ts'
import { ProjectData } from '../../../src/service/state/project-data.ts'
import { writeProject } from '../../../src/service/state/records.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'
import { aResource, anImage } from './records.ts'

const acme = { baseUrl: '', projectKey: 'acme' }

const inBase = [aResource('a', { key: 'key-a' }), aResource('b'), aResource('c', { key: 'key-c' })]

const createData = (): ProjectData =>
  new ProjectData(
    createBase({
      resources: joinResourceLists(createResourceList(inBase.slice(0, 2)), createResourceList(inBase.slice(2))),
      action: '{}',
    }),
  )

const toText = (data: ProjectData): string => [...writeProject(acme, data)].join('')

/** A naive model of a project: a plain list, rewritten on each change. */
class PlainProject {
  resources: readonly StoredResource[] = inBase
  recent: readonly string[] = inBase.map(({ id }) => id)

  apply(change: ProjectChange): void {
    if (change.kind === 'put') {
      const { resource } = change
      const isKnown = this.resources.some(({ id }) => id === resource.id)
      this.resources = isKnown
        ? this.resources.map((one) => (one.id === resource.id ? resource : one))
        : [...this.resources, resource]
      this.recent = [...this.recent.filter((id) => id !== resource.id), resource.id]
    }
    if (change.kind === 'remove') {
      this.resources = this.resources.filter(({ id }) => id !== change.id)
      this.recent = this.recent.filter((id) => id !== change.id)
    }
  }
}

/** A put or a removal; a key always belongs to one id. */
const writes: fc.Arbitrary<ProjectChange> = fc.oneof(
  fc
    .record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      hasKey: fc.boolean(),
      version: fc.integer({ min: 1 }),
    })
    .map(({ id, hasKey, version }) => ({
      kind: 'put' as const,
      resource: aResource(id, { version, ...(hasKey ? { key: `key-${id}` } : {}) }),
    })),
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f').map((id) => ({ kind: 'remove' as const, id })),
)
const changes: fc.Arbitrary<ProjectChange> = fc.oneof(
  writes,
  fc.json().map((text) => ({ kind: 'action' as const, text })),
  fc.uuid().map((name) => ({ kind: 'posted' as const, name })),
  fc.uuid().map((id) => ({ kind: 'image' as const, image: anImage(id, 3) })),
)

describe('the data of a project', () => {
  it('match a plain list after any writes and removals', () => {
    fc.assert(
      fc.property(fc.array(writes, { maxLength: 300, size: 'max' }), (all) => {
        const data = createData()
        const plain = new PlainProject()
        for (const change of all) {
          data.apply(change, [])
          plain.apply(change)
          expect(data.count).toBe(plain.resources.length)
          expect(data.findLatest()?.id).toBe(plain.recent.at(-1))
        }
        // A resource of the base that was removed and put again takes its old position.
        const isOwn = ({ id }: StoredResource) => !inBase.some((one) => one.id === id)
        expect(new Set(data.all())).toEqual(new Set(plain.resources))
        expect([...data.all()].filter(isOwn)).toEqual(plain.resources.filter(isOwn))
        expect([...data.recent()]).toEqual(plain.recent)
        for (const offset of [1, 2, 3, 7]) {
          expect([...data.all(offset)]).toEqual([...data.all()].slice(offset))
        }
        for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
          const expected = plain.resources.find((one) => one.id === id)
          expect(data.find(id)).toBe(expected)
          expect(data.findByKey(`key-${id}`)).toBe(expected?.key === undefined ? undefined : expected)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('are restored if all changes since are undone', () => {
    fc.assert(
      fc.property(fc.array(changes), fc.array(changes, { maxLength: 300, size: 'max' }), (before, since) => {
        const data = createData()
        for (const change of before) data.apply(change, [])
        const text = toText(data)
        const { bytes } = data
        const undos: Undo[] = []
        for (const change of since) data.apply(change, undos)
        for (const undo of undos.toReversed()) undo()
        expect(toText(data)).toBe(text)
        expect(data.bytes).toBe(bytes)
        expect([...data.all()].every(({ id }) => data.find(id) !== undefined)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('are not affected by changes to a copy', () => {
    fc.assert(
      fc.property(fc.array(changes), fc.array(changes), (before, since) => {
        const data = createData()
        for (const change of before) data.apply(change, [])
        const text = toText(data)
        const copy = data.copy()
        expect(toText(copy)).toBe(text)
        for (const change of since) copy.apply(change, [])
        expect(toText(data)).toBe(text)
      }),
    )
  })

  it('keep the creation order', () => {
    const data = createData()
    const put = (id: string, createdAt: string) =>
      data.apply({ kind: 'put', resource: aResource(id, { createdAt }) }, [])
    put('later', '2026-03-01T00:00:00.000Z')
    put('earlier', '2026-02-01T00:00:00.000Z')
    put('a', '2026-04-01T00:00:00.000Z')
    expect(Array.from(data.all(), ({ id }) => id)).toEqual(['a', 'b', 'c', 'earlier', 'later'])
  })

  it('put a removed resource of the base back in its position', () => {
    const data = createData()
    data.apply({ kind: 'remove', id: 'a' }, [])
    data.apply({ kind: 'put', resource: aResource('a') }, [])
    expect(Array.from(data.all(), ({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('list a resource that is created again like a new one', () => {
    const data = createData()
    for (const id of ['d', 'e']) data.apply({ kind: 'put', resource: aResource(id) }, [])
    data.apply({ kind: 'remove', id: 'd' }, [])
    data.apply({ kind: 'put', resource: aResource('d') }, [])
    expect(Array.from(data.all(), ({ id }) => id)).toEqual(['a', 'b', 'c', 'e', 'd'])
  })

  it('read only the resources of a page, however many were added', () => {
    const list = createResourceList(inBase)
    let looks = 0
    const resources = {
      ...list,
      findPlace(id: string) {
        looks += 1
        return list.findPlace(id)
      },
    }
    const data = new ProjectData(createBase({ resources, action: '{}' }))
    for (let at = 0; at < 1000; at += 1) data.apply({ kind: 'put', resource: aResource(`new-${at}`) }, [])
    looks = 0
    const [first] = data.all()
    expect(first?.id).toBe('a')
    expect(looks).toBeLessThan(10)
  })

  it('stay small when resources come and go', () => {
    const data = createData()
    for (let turn = 0; turn < 5000; turn += 1) {
      data.apply({ kind: 'put', resource: aResource(`new-${turn}`, { key: `key-${turn}` }) }, [])
      data.apply({ kind: 'remove', id: `new-${turn}` }, [])
    }
    expect(data.changed.size).toBeLessThan(200)
  })
})
