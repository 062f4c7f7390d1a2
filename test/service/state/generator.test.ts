import { describe, expect, it, vi } from 'vitest'
import { createBase } from '../../../src/service/state/resource.ts'
import { createGenerator, createGeneratedResources, loadWords } from '../../../src/service/state/generate.ts'
import { ProjectData } from '../../../src/service/state/project-data.ts'
import { ExtendedProject, Project } from '../../../src/service/state/project.ts'
import { aResource } from './records.ts'

describe('a list of generated resources', () => {
  it('finds the position of each id and key, and draws the arrays of a resource once, on first read', async () => {
    const words = await loadWords()
    const pick = vi.fn(() => words.adjectives)
    const list = createGeneratedResources(Object.defineProperty({ ...words }, 'adjectives', { get: pick }), 3, 100_000)
    for (const place of [0, 1, 17, 99_999]) {
      expect(list.findPlace(list.idAt(place))).toBe(place)
      expect(list.findPlaceByKey(list.keyAt(place) ?? '')).toBe(place)
    }
    expect(pick).not.toHaveBeenCalled()
    const { id, key } = list.at(17)
    expect([id, key]).toEqual([list.idAt(17), list.keyAt(17)])
    expect(list.at(17)).toBe(list.at(17))
    expect(pick).not.toHaveBeenCalled()
    expect(list.at(17).text).toBe(list.at(17).text)
    expect(list.at(17).objectTypeProperty).toBe(list.at(17).objectTypeProperty)
    expect(pick).toHaveBeenCalledOnce()
  })

  it('finds nothing for other ids and keys', async () => {
    const list = createGeneratedResources(await loadWords(), 10, 100)
    const id = list.idAt(10)
    for (const other of ['', 'x', id.toUpperCase(), `${id}0`, id.slice(1), id.replace('0000000a', '0000000b')]) {
      expect(list.findPlace(other)).toBeUndefined()
    }
    expect(list.findPlace(list.idAt(100))).toBeUndefined()
    const keys = [
      '',
      'generated-',
      'generated-0',
      'generated-01',
      'generated-1.0',
      'generated-1e1',
      'generated-101',
      '1',
    ]
    for (const other of keys) expect(list.findPlaceByKey(other)).toBeUndefined()
  })
})

describe('a project with generated resources', () => {
  it('generates only those that are read', async () => {
    const list = createGeneratedResources(await loadWords(), 1, 100_000)
    const at = vi.spyOn(list, 'at')
    const data = new ProjectData(createBase({ resources: list, action: '{}' }))
    const access = { read: () => data, write: vi.fn(), expectRoom: vi.fn() }
    const [project, extended] = [
      new Project(access),
      new ExtendedProject(access, await createGenerator(1, 100_000).more(50)),
    ]
    expect([project.size, extended.size]).toEqual([100_000, 100_050])
    data.apply({ kind: 'put', resource: aResource('own', { key: 'own' }) }, [])
    data.apply({ kind: 'remove', id: list.idAt(1) }, [])
    expect(project.findLatest()?.id).toBe('own')
    expect(project.nth(100_000)?.id).toBe('own')
    expect(data.copy().bytes).toBe(data.bytes)
    expect(at.mock.calls.flat()).toEqual([1])
    expect(project.nth(99_999)?.key).toBe('generated-100000')
    expect(project.findByKey('generated-70000')?.id).toBe(list.idAt(69_999))
    expect(at.mock.calls.flat()).toEqual([1, 99_999, 69_999])
  })
})

describe('resources that a scenario generates', () => {
  it('are a prefix of one list, whatever the requested counts', async () => {
    const { first, more } = createGenerator(1, 5)
    const [before, fewer, largest] = [await first(), await more(3), await more(300)]
    expect([before.count, fewer.count, largest.count]).toEqual([5, 3, 300])
    expect([before.keyAt(4), fewer.keyAt(0), largest.keyAt(299)]).toEqual([
      'generated-5',
      'generated-6',
      'generated-305',
    ])
    for (const place of [0, 1, 2]) expect(fewer.at(place)).toBe(largest.at(place))
  })

  it('are found by id and key up to the requested count, and not before', async () => {
    const { first, more } = createGenerator(1, 5)
    const [own, twenty, ten] = [await first(), await more(20), await more(10)]
    for (const [list, place] of [
      [twenty, 19],
      [ten, undefined],
      [own, undefined],
    ] as const) {
      expect(list.findPlace(twenty.idAt(19))).toBe(place)
      expect(list.findPlaceByKey('generated-25')).toBe(place)
    }
    expect(twenty.findPlace(own.idAt(4))).toBeUndefined()
    expect(own.findPlaceByKey('generated-5')).toBe(4)
  })

  it('are limited in total across scenarios', async () => {
    const { more } = createGenerator(1, 0, 50)
    expect((await more(300)).count).toBe(50)
  })
})
