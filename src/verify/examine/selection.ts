import type { CheckName } from '../checks.ts'
import type { OperationExamination } from '../examination.ts'
import { compare, findFaultsIf } from '../fault.ts'
import { findOthers, idsOf, selectAll, toSelection } from '../pages.ts'
import type { ProviderAnswer, RequestQuery } from '../provider.ts'
import type { Fault } from '../report.ts'
import type { OwnSamples, Sample } from '../resources.ts'
import { ESCAPED, expectOwn } from '../samples.ts'
import { compareTimes, timesOf } from './dates.ts'
import { examineRefusals } from './requests.ts'

/** Which of the three samples a query must find: by their places. */
export type Places = readonly (0 | 1 | 2)[]
const ALL: Places = [0, 1, 2]

/** What a query must find of the three samples, and the check that says so. */
export type SelectionCase = readonly [name: CheckName, query: RequestQuery, places: Places]

/** Faults of an answer that does not hold exactly the samples at these places. */
const findOtherPlaces = (answer: ProviderAnswer, samples: OwnSamples, places: Places): readonly Fault[] =>
  findOthers(
    answer,
    places.map((place) => samples[place]),
  )

/** Sends the queries of all cases, and adds what `findFaults` finds of their answers. */
export async function examineCases(
  exam: OperationExamination,
  cases: readonly SelectionCase[],
  findFaults: (answer: ProviderAnswer, samples: OwnSamples, places: Places) => readonly Fault[] = findOtherPlaces,
): Promise<void> {
  const own = expectOwn(exam)
  const answers = await Promise.all(
    cases.map(async ([name, query, places]) => [name, await exam.send({ query }), places] as const),
  )
  for (const [name, answer, places] of answers) exam.add(name, findFaults(answer, own, places))
}

type WhereCase = readonly [name: CheckName, predicate: string, places: Places]

/** Predicates over the three samples, which each of them is joined to; the first has version 1, the second 2. */
const toCases = ([a, b, c]: OwnSamples): readonly WhereCase[] => {
  const [keyA, keyB, keyC] = [a, b, c].map(({ key }) => JSON.stringify(key))
  const nested = 'objectTypeProperty(arrayOfTwonumbersExample contains any (1))'
  return [
    ['where-comparisons', `key = ${keyA}`, [0]],
    ['where-comparisons', `key != ${keyA}`, [1, 2]],
    ['where-comparisons', `key <> ${keyA}`, [1, 2]],
    ['where-comparisons', 'version < 2', [0, 2]],
    ['where-comparisons', 'version <= 2', ALL],
    ['where-comparisons', 'version > 1', [1]],
    ['where-comparisons', 'version >= 2', [1]],
    ['where-comparisons', 'version >= 3', []],
    ['where-lists', `key in (${keyA}, ${keyC})`, [0, 2]],
    ['where-lists', `key not in (${keyA}, ${keyC})`, [1]],
    ['where-lists', 'arrayOfTwonumbersExample contains any (1, 4)', [0, 2]],
    ['where-lists', 'arrayOfTwonumbersExample contains all (2, 3)', [1]],
    ['where-lists', 'arrayOfStringExample contains all ("ax", "kiln")', [0]],
    ['where-lists', 'arrayOfStringExample contains any ("ax", "oakum")', [0, 1]],
    ['where-presence', 'someProperty is defined', [1]],
    ['where-presence', 'someProperty is not defined', [0, 2]],
    ['where-presence', 'arrayOfNumberNoDefaultsExample is empty', [2]],
    ['where-presence', 'arrayOfNumberNoDefaultsExample is not empty', [0, 1]],
    ['where-logic', `key = ${keyA} or key = ${keyB} and version = 99`, [0]],
    ['where-logic', `(key = ${keyA} or key = ${keyB}) and version = 2`, [1]],
    ['where-logic', `not key = ${keyA} or key = ${keyA}`, ALL],
    ['where-logic', `not (key = ${keyA} or key = ${keyB})`, [2]],
    ['where-logic', `not key = ${keyA} and version = 2`, [1]],
    ['where-fields', nested, [0]],
    ['where-fields', 'objectTypeProperty.arrayOfFloatExample contains any (2.5)', [1]],
    ['where-fields', 'arrayOfFloatExample contains any (3.5)', [2]],
    ['where-fields', 'createdAt >= "1970-01-01T00:00:00.000Z" and lastModifiedAt < "9999-01-01T00:00:00.000Z"', ALL],
    ['where-comparisons', `key > ${keyA}`, [1, 2]],
    ['where-comparisons', `key <= ${keyB}`, [0, 1]],
    ['where-case', 'arrayOfStringExample contains any ("KILN")', []],
    ['where-case', `key = ${keyA?.toUpperCase()}`, []],
    ['where-case', `key in (${keyA?.toUpperCase()}, ${keyB?.toUpperCase()})`, []],
    ['where-case', `someProperty = ${JSON.stringify(ESCAPED.toUpperCase())}`, []],
    ['where-entries', 'arrayOfObjectType(integerExample = 2 and integerExampleInt32 = 20)', [0]],
    ['where-entries', 'arrayOfObjectType(integerExample = 2 and integerExampleInt32 = 10)', []],
    ['where-literals', `someProperty = ${JSON.stringify(ESCAPED)}`, [1]],
    ['where-literals', 'arrayOfIntExample contains any (9007199254740993)', ALL],
    ['where-literals', 'arrayOfIntExample contains any (9007199254740992)', []],
  ]
}

/** What is refused whatever resources there are. */
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

/** where, its variables and sort: the same in 4.1 (D10) and 4.12 (D20). */
export async function examineSelection(
  exam: OperationExamination,
  samples: readonly [Sample, ...Sample[]],
): Promise<void> {
  const [first] = samples
  const expect = async (name: CheckName, query: RequestQuery, expected: readonly Sample[]) =>
    exam.add(name, findOthers(await exam.send({ query }), expected))
  await expect('where', selectAll(samples), samples)
  await expect('where', { where: `id = ${JSON.stringify(first.id)}` }, [first])
  await expect('variables', { where: 'id = :wanted', 'var.wanted': first.id }, [first])
  for (const expand of ['a', ['a', 'b.c[*]']]) await expect('expand', { ...selectAll(samples), expand }, samples)

  const ascending = samples.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (samples.length === 1) return exam.skip('sort', 'it takes two resources, and only one was found')
  await examineOrder(exam, 'sort', samples, ['id asc'], ascending)
  await examineOrder(exam, 'sort', samples, ['id desc'], ascending.toReversed())
}

/** What needs no resource: predicates and sorts that cannot be read. */
export async function examineUnreadable(exam: OperationExamination): Promise<void> {
  const predicates = UNREADABLE.map((where) => ({ query: { where } }))
  await examineRefusals(exam, 'where-refused', predicates, 400, 'InvalidInput')
  const sorts = ['noSuchField asc', 'id sideways'].map((sort) => ({ query: { sort } }))
  await examineRefusals(exam, 'sort-refused', sorts)
}

/** What takes resources of known content. */
export async function examineOwnSelection(exam: OperationExamination): Promise<void> {
  const own = expectOwn(exam)
  const [a, b, c] = own
  await examineCases(exam, [
    ...toCases(own).map(([name, predicate, places]): SelectionCase => [
      name,
      { where: `${toSelection(own)} and (${predicate})` },
      places,
    ]),
    ['where-repeated', { where: [toSelection([a, b]), toSelection([b, c])] }, [1]],
    ['variables', { where: 'id in :wanted', 'var.wanted': [a.id, c.id] }, [0, 2]],
    ['variables', { where: `${toSelection(own)} and version = :one`, 'var.one': '1' }, [0, 2]],
  ])
  await examineOrder(exam, 'sort-repeated', own, ['version desc', 'key desc'], [b, c, a])
  await examineOrder(exam, 'sort-repeated', own, ['version asc', 'key desc'], [c, a, b])
  await examineOrder(exam, 'sort-stable', own, ['arrayOfUniqueIntExample asc'], [a, b, c])
  await examineOrder(exam, 'sort-stable', own, ['arrayOfUniqueIntExample desc'], [a, b, c])
  await examineOrder(exam, 'sort-arrays', own, ['arrayOfIntExample asc'], [c, b, a])
  await examineOrder(exam, 'sort-arrays', own, ['objectTypeProperty.arrayOfNumberNoDefaultsExample desc'], [a, b, c])
  await examineOrder(exam, 'unsorted', own, [], [a, b, c])
  await examineDateSelection(exam, own)
}

const COMPARISONS: readonly (readonly [operator: string, isMeant: (order: number) => boolean])[] = [
  ['=', (order) => order === 0],
  ['>=', (order) => order >= 0],
  ['>', (order) => order > 0],
  ['<', (order) => order < 0],
]

/** Date-times that are those of a sample. The second one was modified after it was made. */
async function examineDateSelection(exam: OperationExamination, own: OwnSamples): Promise<void> {
  const page = await exam.send({ query: selectAll(own) })
  for (const name of ['createdAt', 'lastModifiedAt'] as const) {
    const times = timesOf(page, own, name)
    const [, time] = times
    if (time === undefined) return exam.skip('where-dates', 'no result tells the dates')
    for (const [operator, isMeant] of COMPARISONS) {
      const where = `${toSelection(own)} and ${name} ${operator} ${JSON.stringify(time)}`
      const answer = await exam.send({ query: { where } })
      const expected = own.filter((_, at) => isMeant(compareTimes(times[at], time)))
      exam.add('where-dates', findOthers(answer, expected))
    }
  }
}

async function examineOrder(
  exam: OperationExamination,
  name: CheckName,
  samples: readonly Sample[],
  sort: readonly string[],
  expected: readonly Sample[],
): Promise<void> {
  const ids = expected.map(({ id }) => id)
  // The predicate names them backwards: a provider that lists them in its order is not sorting.
  const answer = await exam.send({ query: { ...selectAll(samples.toReversed()), sort, limit: '500' } })
  const listed = idsOf(answer).filter((id) => ids.some((one) => one === id))
  exam.add(
    name,
    findFaultsIf(answer, 200, () => compare(answer, ['results'], ids, listed)),
  )
}
