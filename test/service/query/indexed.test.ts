import { distance } from 'fastest-levenshtein'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ArrayTestType } from '../../../src/service/contract/models.ts'
import { toSearchWords } from '../../../src/service/query/words.ts'
import { compileSearch } from '../../../src/service/query/search.ts'
import { createResourceList, ResourceView } from '../../../src/service/state/resource.ts'
import { compileSort, MIN_INDEXED, takeSorted } from '../../../src/service/query/list.ts'
import type { StoredResource } from '../../../src/service/state/resource.ts'
import { createSample, toIds, toSorted } from './samples.ts'
import { hurry } from '../../support/hurry.ts'
import { runs } from '../../support/thorough.ts'

// Few values, so that many are equal; and enough resources for an index.
const words = ['Red', 'red-shirt', 'shirts', 'short', 'Größe', 'gro\u0308ße 42', 'jacket', 'jackte', '\u{1D49C}b', '']
const text = fc.constantFrom(...words)
const content: fc.Arbitrary<ArrayTestType> = fc.record(
  {
    arrayOfIntExample: fc.array(fc.constantFrom(1, 2, 2n ** 60n, 2n ** 60n + 1n), { maxLength: 2 }),
    arrayOfStringExample: fc.array(text, { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const kind = fc.record({
  content,
  version: fc.constantFrom(1, 2, 3),
  hasKey: fc.boolean(),
  lastModifiedAt: fc.constantFrom('2026-01-31T12:00:00.000Z', '2026-02-01T00:00:00.000Z'),
})
type Kind = typeof kind extends fc.Arbitrary<infer T> ? T : never

function toSample(id: string, { content, version, hasKey, lastModifiedAt }: Kind): StoredResource {
  return createSample(id, content, { version, lastModifiedAt, ...(hasKey ? { key: `key-${id}` } : {}) })
}

/** The same resources in two forms: as changes over a base, and as a list in creation order. */
interface Resources {
  readonly layers: ResourceView
  readonly all: readonly StoredResource[]
}

const COUNT = MIN_INDEXED + 1
const resources: fc.Arbitrary<Resources> = fc
  .record({
    kinds: fc.array(kind, { minLength: 1, maxLength: 8 }),
    seed: fc.nat(),
    changes: fc.array(fc.record({ place: fc.nat(COUNT - 1), next: fc.option(kind) }), { maxLength: 12 }),
    added: fc.array(kind, { maxLength: 6 }),
  })
  .map(({ kinds, seed, changes, added }) => {
    const inBase = Array.from({ length: COUNT }, (_, at) => {
      const chosen = kinds[(Math.imul(at + 1, seed | 1) >>> 8) % kinds.length] ?? kinds[0]
      return toSample(`base-${at}`, chosen as Kind)
    })
    const changed = new Map(
      changes.map(({ place, next }) => [`base-${place}`, next === null ? undefined : toSample(`base-${place}`, next)]),
    )
    const after = added.map((one, at) => toSample(`added-${at}`, one))
    const kept = inBase.map((one) => (changed.has(one.id) ? changed.get(one.id) : one))
    return {
      layers: ResourceView.of({ base: createResourceList(inBase), changed, added: after }),
      all: [...kept.filter((one) => one !== undefined), ...after],
    }
  })

const paths = [
  'id',
  'key',
  'version',
  'createdAt',
  'lastModifiedAt',
  'someProperty',
  'arrayOfIntExample',
  'arrayOfStringExample',
]
const sorts = fc.array(
  fc.tuple(fc.constantFrom(...paths), fc.constantFrom('asc', 'desc')).map((parts) => parts.join(' ')),
  { minLength: 1, maxLength: 3 },
)

it('sorts like a sort of all resources, whatever changed since the base', async () => {
  hurry()
  await fc.assert(
    fc.asyncProperty(
      resources,
      sorts,
      fc.nat(1100),
      fc.option(fc.constantFrom(2, 3, 50)),
      async ({ layers, all }, sorts, most, nth) => {
        const order = compileSort(sorts)
        if (order === undefined) throw new Error('No order')
        const found = nth === null ? undefined : layers.places().filter((place) => place % nth !== 0)
        const expected = found === undefined ? all : layers.take(found)
        const places = await takeSorted({ layers, found, order, most })
        expect(toIds(layers.take(places))).toBe(toIds(toSorted(expected, order).slice(0, most)))
      },
    ),
    { numRuns: runs(40) },
  )
})

const toLevel = (term: string) => ([...term].length <= 2 ? 0 : [...term].length <= 5 ? 1 : 2)

function isFound({ objectTypeProperty }: StoredResource, terms: readonly string[], fuzzy: boolean): boolean {
  const all = (objectTypeProperty.arrayOfStringExample ?? []).flatMap(toSearchWords)
  return terms.every((term) =>
    all.some((word) => word.startsWith(term) || (fuzzy && distance(term, word) <= toLevel(term))),
  )
}

it('finds words like a search through all resources, whatever changed since the base', async () => {
  const term = fc.constantFrom(
    'r',
    're',
    'red',
    'rad',
    'shirt',
    'shrit',
    'short',
    'jackte',
    'größe',
    '42',
    '\u{1D49C}',
    'none',
  )
  const request = fc.record({
    texts: fc.array(term, { minLength: 1, maxLength: 2 }),
    fuzzy: fc.boolean(),
    isFiltered: fc.boolean(),
  })
  hurry()
  await fc.assert(
    fc.asyncProperty(resources, request, async ({ layers, all }, { texts, fuzzy, isFiltered }) => {
      const filter = isFiltered ? ['arrayOfIntExample:1'] : []
      const found = await compileSearch({ texts, fuzzy, filter })(layers)
      const hasOne = ({ objectTypeProperty }: StoredResource) =>
        objectTypeProperty.arrayOfIntExample?.includes(1) === true
      const expected = all.filter((one) => isFound(one, texts, fuzzy) && (!isFiltered || hasOne(one)))
      expect(toIds(found.take(0, all.length))).toBe(toIds(expected))
      expect(found.total).toBe(expected.length)
    }),
    { numRuns: runs(40) },
  )
})
