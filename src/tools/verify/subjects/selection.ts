import {
  compare,
  compareStatus,
  findIfStatus,
  findInTurn,
  findOthers,
  findUnless,
  idsOf,
  selectAll,
  toSelection,
} from '../finding.ts'
import { show } from '../../../service/contract/check-response.ts'
import { readPage } from '../../../service/contract/results.ts'
import { ESCAPED, expectOwn, expectSamples } from '../samples.ts'
import { check, UNEXPECTED } from '../subject.ts'
import { Stop } from '../transport.ts'
import { findAccepted, findAcceptedQueries } from './common.ts'
import { compareTimes, timesOf } from './dates.ts'
import { identified } from './pages.ts'
import { endpoints } from '../../../service/contract/endpoints.ts'
import type { DecisionId } from '../../../service/contract/decisions.ts'
import type { Basis, Findings, OperationContext } from '../subject.ts'
import type { RequestQuery } from '../provider.ts'
import type { OwnSamples, Sample } from '../resources.ts'

/** The samples that a query must return, by index. */
export type Places = readonly (0 | 1 | 2)[]
export const ALL: Places = [0, 1, 2]

/** A query and its expected samples. */
export type SelectionCase = readonly [query: RequestQuery, places: Places]

/**
 * Sends queries; returns a finding for each response without exactly the expected samples. For HEAD, checks only whether
 * any match.
 */
export async function findMisselected(context: OperationContext, cases: readonly SelectionCase[]): Promise<Findings> {
  const own = expectOwn(context)
  const isHead = endpoints[context.operation].method === 'HEAD'
  const findings = cases.map(async ([query, places]) => {
    const answer = await context.send({ query })
    const expected = places.map((place) => own[place])
    return isHead ? compareStatus(answer, places.length > 0 ? 200 : 404) : findOthers(answer, expected)
  })
  return (await Promise.all(findings)).flat()
}

/** Creates a check of which samples a query selects. */
export const selects = (says: string, basis: Basis, toCases: (own: OwnSamples) => readonly SelectionCase[]) =>
  check(says, basis, async (context: OperationContext) => {
    const own = expectOwn(context)
    const among = { where: toSelection(own) }
    return findMisselected(
      context,
      toCases(own).map(([query, places]) => [{ ...among, ...query }, places]),
    )
  })

/** Creates a check of which samples a predicate selects; the first has version 1, the second 2. */
const selectsWhere = (
  says: string,
  basis: Basis,
  toCases: (keyA: string, keyB: string, keyC: string) => readonly (readonly [predicate: string, places: Places])[],
) =>
  selects(says, basis, (own) => {
    const [a, b, c] = own
    const cases = toCases(JSON.stringify(a.key), JSON.stringify(b.key), JSON.stringify(c.key))
    return cases.map(([predicate, places]) => [{ where: `${toSelection(own)} and (${predicate})` }, places])
  })

/** Predicates that are always invalid, whatever the data. */
const UNREADABLE = [
  'id = ',
  'id = "a" and',
  'id == "a"',
  "id = 'a'",
  'id = "a',
  'id = 5',
  'arrayOfIntExample contains any ("a")',
  '(id = "a"',
  'noSuchField = 1',
  'version = "one"',
  'id = :missing',
] as const

/** Checks the order of the samples in a sorted query. */
async function findDisordered(
  context: OperationContext,
  samples: readonly Sample[],
  sort: readonly string[],
  expected: readonly Sample[],
): Promise<Findings> {
  const ids = expected.map(({ id }) => id)
  // The predicate lists the ids in reverse, so that returning them in this order does not pass as sorting.
  const answer = await context.send({ query: { ...selectAll(samples.toReversed()), sort, limit: '500' } })
  const listed = idsOf(answer).filter((id) => ids.some((one) => one === id))
  return findIfStatus(answer, 200, () => compare(answer, ['results'], ids, listed))
}

/** Creates a check of the order of the samples. */
const sorts = (says: string, basis: Basis, ...cases: readonly (readonly [sort: readonly string[], places: Places])[]) =>
  check(says, basis, (context: OperationContext) => {
    const own = expectOwn(context)
    return findInTurn(cases, ([sort, places]) =>
      findDisordered(
        context,
        own,
        sort,
        places.map((place) => own[place]),
      ),
    )
  })

export const findOther = async (context: OperationContext, query: RequestQuery, expected: readonly Sample[]) =>
  findOthers(await context.send({ query }), expected)

const COMPARISONS: readonly (readonly [operator: string, isMeant: (order: number) => boolean])[] = [
  ['=', (order) => order === 0],
  ['>=', (order) => order >= 0],
  ['>', (order) => order > 0],
  ['<', (order) => order < 0],
]

/** Compares with the dates of the second sample, which was modified after its creation. */
async function findMisdated(context: OperationContext): Promise<Findings> {
  const own = expectOwn(context)
  const page = await context.send({ query: selectAll(own) })
  return findInTurn(['createdAt', 'lastModifiedAt'] as const, (name) => {
    const times = timesOf(page, own, name)
    const [, time] = times
    if (time === undefined) throw new Stop('no result has the dates')
    return findInTurn(COMPARISONS, ([operator, isMeant]) => {
      const where = `${toSelection(own)} and ${name} ${operator} ${JSON.stringify(time)}`
      const expected = own.filter((_, at) => isMeant(compareTimes(times[at], time)))
      return findOther(context, { where }, expected)
    })
  })
}

const NESTED = 'objectTypeProperty(arrayOfTwonumbersExample contains any (1))'

/** The checks of where, its variables and sort, for 4.1 (D10) and 4.12 (D20). */
export const selecting = (basis: DecisionId) => ({
  'with-total': check('omits total with withTotal=false', basis, async ({ send }: OperationContext) => {
    const without = await send({ query: { withTotal: 'false', limit: '1' } })
    const having = await send({ query: { withTotal: 'true', limit: '1' } })
    if (![without, having].every((answer) => answer.status === 200 && readPage(answer.body) !== undefined))
      throw new Stop(UNEXPECTED)
    const total = readPage(having.body)?.total
    return [
      ...compare(without, 'total', undefined, readPage(without.body)?.total),
      ...findUnless(total !== undefined, having, 'total', 'a number', show(total)),
    ]
  }),
  where: check('returns only resources that match id = and id in', basis, async (context: OperationContext) => {
    const samples = expectSamples(context)
    const [first] = samples
    return [
      ...(await findOther(context, selectAll(samples), samples)),
      ...(await findOther(context, { where: `id = ${JSON.stringify(first.id)}` }, [first])),
    ]
  }),
  'where-comparisons': selectsWhere('compares version and key with = != <> < > <= >=', basis, (keyA, keyB) => [
    [`key = ${keyA}`, [0]],
    [`key != ${keyA}`, [1, 2]],
    [`key <> ${keyA}`, [1, 2]],
    ['version < 2', [0, 2]],
    ['version <= 2', ALL],
    ['version > 1', [1]],
    ['version >= 2', [1]],
    ['version >= 3', []],
    [`key > ${keyA}`, [1, 2]],
    [`key <= ${keyB}`, [0, 1]],
  ]),
  'where-lists': selectsWhere('selects by in, not in, contains any and contains all', basis, (keyA, _keyB, keyC) => [
    [`key in (${keyA}, ${keyC})`, [0, 2]],
    [`key not in (${keyA}, ${keyC})`, [1]],
    ['arrayOfTwonumbersExample contains any (1, 4)', [0, 2]],
    ['arrayOfTwonumbersExample contains all (2, 3)', [1]],
    ['arrayOfStringExample contains all ("ax", "kiln")', [0]],
    ['arrayOfStringExample contains any ("ax", "oakum")', [0, 1]],
  ]),
  'where-presence': selectsWhere('selects by is [not] defined and is [not] empty', basis, () => [
    ['someProperty is defined', [1]],
    ['someProperty is not defined', [0, 2]],
    ['arrayOfNumberNoDefaultsExample is empty', [2]],
    ['arrayOfNumberNoDefaultsExample is not empty', [0, 1]],
  ]),
  'where-logic': selectsWhere(
    'gives not precedence over and, and over or, and parentheses over all',
    basis,
    (keyA, keyB) => [
      [`key = ${keyA} or key = ${keyB} and version = 99`, [0]],
      [`(key = ${keyA} or key = ${keyB}) and version = 2`, [1]],
      [`not key = ${keyA} or key = ${keyA}`, ALL],
      [`not (key = ${keyA} or key = ${keyB})`, [2]],
      [`not key = ${keyA} and version = 2`, [1]],
    ],
  ),
  'where-fields': selectsWhere(
    'selects by someProperty, createdAt, lastModifiedAt and arrays, also with objectTypeProperty. as a prefix or nested',
    basis,
    () => [
      [NESTED, [0]],
      ['objectTypeProperty.arrayOfFloatExample contains any (2.5)', [1]],
      ['arrayOfFloatExample contains any (3.5)', [2]],
      ['createdAt >= "1970-01-01T00:00:00.000Z" and lastModifiedAt < "9999-01-01T00:00:00.000Z"', ALL],
    ],
  ),
  'where-case': selectsWhere('compares strings case-sensitively', basis, (keyA, keyB) => [
    ['arrayOfStringExample contains any ("KILN")', []],
    [`key = ${keyA.toUpperCase()}`, []],
    [`key in (${keyA.toUpperCase()}, ${keyB.toUpperCase()})`, []],
    [`someProperty = ${JSON.stringify(ESCAPED.toUpperCase())}`, []],
  ]),
  'where-dates': check(
    'compares createdAt and lastModifiedAt with date-times, to the millisecond',
    basis,
    findMisdated,
  ),
  'where-entries': selectsWhere(
    'requires a single entry of arrayOfObjectType to match the whole predicate',
    basis,
    () => [
      ['arrayOfObjectType(integerExample = 2 and integerExampleInt32 = 20)', [0]],
      ['arrayOfObjectType(integerExample = 2 and integerExampleInt32 = 10)', []],
    ],
  ),
  'where-literals': selectsWhere('reads \\" and \\\\ in strings, and integers past 2^53 exactly', basis, () => [
    [`someProperty = ${JSON.stringify(ESCAPED)}`, [1]],
    ['arrayOfIntExample contains any (9007199254740993)', ALL],
    ['arrayOfIntExample contains any (9007199254740992)', []],
  ]),
  'where-repeated': selects('requires every repeated where to match', basis, ([a, b, c]) => [
    [{ where: [toSelection([a, b]), toSelection([b, c])] }, [1]],
  ]),
  'where-refused': check(
    'returns 400 InvalidInput for syntax errors, an unknown field, a literal of the wrong type and an undefined variable',
    basis,
    (context: OperationContext) =>
      findAccepted(
        context,
        UNREADABLE.map((where) => ({ query: { where } })),
        400,
        'InvalidInput',
      ),
  ),
  variables: check(
    'resolves var.<name> in where, with strings and numbers, and repeated values for in',
    basis,
    async (context: OperationContext) => {
      const [first] = expectSamples(context)
      const findings = await findOther(context, { where: 'id = :wanted', 'var.wanted': first.id }, [first])
      if (context.own === undefined) return findings
      const [a, , c] = context.own
      return [
        ...findings,
        ...(await findOther(context, { where: 'id in :wanted', 'var.wanted': [a.id, c.id] }, [a, c])),
        ...(await findOther(context, { where: `${toSelection(context.own)} and version = :one`, 'var.one': '1' }, [
          a,
          c,
        ])),
      ]
    },
  ),
  sort: check('sorts by id in both directions', basis, async (context: OperationContext) => {
    const samples = expectSamples(context)
    if (samples.length === 1) throw new Stop('it needs two resources, and only one was found')
    const ascending = samples.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return [
      ...(await findDisordered(context, samples, ['id asc'], ascending)),
      ...(await findDisordered(context, samples, ['id desc'], ascending.toReversed())),
    ]
  }),
  'sort-repeated': sorts(
    'uses the second sort to break ties',
    basis,
    [
      ['version desc', 'key desc'],
      [1, 2, 0],
    ],
    [
      ['version asc', 'key desc'],
      [2, 0, 1],
    ],
  ),
  'sort-stable': sorts(
    'keeps creation order for ties',
    basis,
    [['arrayOfUniqueIntExample asc'], ALL],
    [['arrayOfUniqueIntExample desc'], ALL],
  ),
  'sort-arrays': sorts(
    'sorts arrays by their minimum ascending, and by their maximum descending',
    basis,
    [['arrayOfIntExample asc'], [2, 1, 0]],
    [['objectTypeProperty.arrayOfNumberNoDefaultsExample desc'], ALL],
  ),
  'sort-refused': check(
    'returns 400 for an unknown path and an unknown direction',
    basis,
    (context: OperationContext) => findAcceptedQueries(context, [{ sort: 'noSuchField asc' }, { sort: 'id sideways' }]),
  ),
  unsorted: sorts('lists resources in creation order without sort', basis, [[], ALL]),
  expand: check('accepts expand, also repeated, without effect', basis, async (context: OperationContext) => {
    const samples = expectSamples(context)
    const all = selectAll(samples)
    return [
      ...(await findOther(context, { ...all, expand: 'a' }, samples)),
      ...(await findOther(context, { ...all, expand: ['a', 'b.c[*]'] }, samples)),
    ]
  }),
  ...identified,
})
