import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileWhere } from '../../../src/service/query/where.ts'
import { createResourceList } from '../../../src/service/state/resource.ts'
import { createProjectData } from '../../../src/service/state/project-data.ts'
import type { Project } from '../../../src/service/state/project.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'
import { ExtendedProject } from '../../../src/service/state/project.ts'
import { catchProblem, createSample, toIds } from './samples.ts'

const variables = new Map([
  ['one', ['k1']],
  ['two', ['k2', 'k4']],
])

describe('the resources to look up', () => {
  const lookUp = (...sources: string[]) => {
    const { lookUp } = compileWhere(sources, variables)
    return lookUp && `${lookUp.field}: ${[...lookUp.values].join(' ')}`
  }

  it.each([
    [['key = "a"'], 'key: a'],
    [['id in ("a", "b", "a")'], 'id: a b'],
    [['key = :one'], 'key: k1'],
    [['key in (:two, "x")'], 'key: k2 k4 x'],
    [['key in :two'], 'key: k2 k4'],
    [['version > 1 and (key = "a" and id = "b")'], 'key: a'],
    [['version > 1', 'id = "b"'], 'id: b'],
    [['key != "a"'], undefined],
    [['key > "a"'], undefined],
    [['not key = "a"'], undefined],
    [['key not in ("a")'], undefined],
    [['key = "a" or version = 1'], undefined],
    [['someProperty = "a"'], undefined],
  ])('of %j', (sources, expected) => {
    expect(lookUp(...sources)).toBe(expected)
  })

  it.each(['key = 1', 'key = "a" and verzion = 1', 'key = :none', 'key = :two'])('still refuses %s', (source) => {
    expect(catchProblem(() => lookUp(source)).status).toBe(400)
  })
})

/** Ids are i1, i2 …, keys k1, k2 …; every third resource has no key. */
const toSample = (nth: number, version = 1, key = nth): StoredResource =>
  createSample(`i${nth}`, {}, { version, ...(key % 3 === 0 ? {} : { key: `k${key}` }) })

function createProject(count: number, extras: readonly StoredResource[]): Project {
  const data = createProjectData(
    Array.from({ length: count }, (_, at) => toSample(at + 1)),
    '{}',
  )
  return new ExtendedProject(
    { read: () => data, write: (change) => data.apply(change, []), expectRoom: () => undefined },
    createResourceList(extras),
  )
}

type Write = readonly [kind: 'put' | 'remove', nth: number]

function applyWrite(project: Project, [kind, nth]: Write): void {
  const previous = project.find(`i${nth}`)
  if (kind === 'remove' && previous !== undefined) project.remove(previous)
  if (kind === 'put' && previous === undefined) project.insert(toSample(nth))
  else if (kind === 'put' && previous !== undefined) project.replace(previous, { ...previous, version: 2 })
}

it('finds by look-up the same resources as by a scan, in creation order', () => {
  const value = fc.integer({ min: 0, max: 9 })
  const values = fc.array(value, { minLength: 1, maxLength: 4 })
  const clause = fc.oneof(
    value.map((nth) => `key = "k${nth}"`),
    value.map((nth) => `id = "i${nth}"`),
    values.map((all) => `key in (${all.map((nth) => `"k${nth}"`).join()})`),
    values.map((all) => `id in (${all.map((nth) => `"i${nth}"`).join()})`),
    fc.constantFrom('key in (:two, "k8")', 'version = 2', 'not version = 2'),
  )
  const where = fc.array(fc.array(clause, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
  const writes = fc.array(fc.tuple(fc.constantFrom('put' as const, 'remove' as const), value), { maxLength: 8 })
  fc.assert(
    fc.property(where, writes, fc.boolean(), (clauses, writes, isExtended) => {
      // The first of the extras shares its key with a resource of the project until that is removed.
      const extras = isExtended ? [createSample('x1', {}, { key: 'k1' }), createSample('x8', {}, { key: 'k8' })] : []
      const project = createProject(5, extras)
      for (const write of writes) applyWrite(project, write)
      const { holds, lookUp } = compileWhere(
        clauses.map((parts) => parts.join(' and ')),
        variables,
      )
      const candidates = lookUp === undefined ? [...project.all()] : project.select(lookUp.field, lookUp.values)
      expect(toIds(candidates.filter(holds))).toBe(toIds([...project.all()].filter(holds)))
    }),
    { numRuns: 500 },
  )
})
