import type { CheckName } from '../checks.ts'
import { findStatusFaults } from '../answers.ts'
import type { VerifyContext } from '../context.ts'
import { compare } from '../fault.ts'
import { findOthers, idsOf, selectAll, toSelection } from '../pages.ts'
import type { RequestQuery } from '../pages.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Fault } from '../report.ts'
import type { OwnSamples, Sample } from '../resources.ts'
import type { Results } from '../results.ts'
import { ESCAPED, OWNLESS } from '../samples.ts'
import { examineRefusals } from './requests.ts'

type SelectingOperation = 'queryResources' | 'sortedQuery'
type SelectionCheckName = CheckName<'sortedQuery'> & CheckName<'queryResources'>
type AskPage = (query: RequestQuery) => Promise<ProviderAnswer>

/** Which of the three samples a query must find: by their places. */
export type Places = readonly (0 | 1 | 2)[]
const ALL: Places = [0, 1, 2]

/** Faults of an answer that does not hold exactly the samples at these places. */
export const findOtherPlaces = (answer: ProviderAnswer, samples: OwnSamples, places: Places): readonly Fault[] =>
  answer.status === 200
    ? findOthers(
        answer,
        places.map((place) => samples[place]),
      )
    : findStatusFaults(answer, 200)

type WhereCase = readonly [name: SelectionCheckName, predicate: string, places: Places]

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
    ['where-entries', 'arrayOfObjectType(integerExample = 2 and integerExampleInt32 = 20)', [0]],
    ['where-entries', 'arrayOfObjectType(integerExample = 2 and integerExampleInt32 = 10)', []],
    ['where-literals', `someProperty = ${JSON.stringify(ESCAPED)}`, [1]],
    ['where-literals', 'arrayOfIntExample contains any (9007199254740993)', ALL],
    ['where-literals', 'arrayOfIntExample contains any (9007199254740992)', []],
  ]
}

/** What is refused whatever resources there are. */
const UNREADABLE: readonly RequestQuery[] = [
  [['where', 'id = ']],
  [['where', 'id = "a" and']],
  [['where', '(id = "a"']],
  [['where', 'noSuchField = 1']],
  [['where', 'version = "one"']],
  [['where', 'id = :missing']],
]

/** where, its variables and sort: the same in 4.1 (D10) and 4.12 (D20). */
export async function examineSelection(
  results: Results<SelectionCheckName>,
  operation: SelectingOperation,
  samples: readonly [Sample, ...Sample[]],
  context: VerifyContext,
): Promise<void> {
  const { provider, own } = context
  const ask: AskPage = (query) => provider.send(operation, { query })
  const [first] = samples
  for (const [query, expected] of [
    [selectAll(samples), samples],
    [[['where', `id = ${JSON.stringify(first.id)}`]], [first]],
  ] as const) {
    const answer = await ask(query)
    results.add('where', answer.status === 200 ? findOthers(answer, expected) : findStatusFaults(answer, 200))
  }
  const varied = await ask([
    ['where', 'id = :wanted'],
    ['var.wanted', first.id],
  ])
  results.add('variables', varied.status === 200 ? findOthers(varied, [first]) : findStatusFaults(varied, 200))

  const ascending = samples.map(({ id }) => id).toSorted()
  if (samples.length === 1) results.skip('sort', 'it takes two resources, and only one was found')
  else {
    await expectOrder(ask, results, 'sort', samples, ['id asc'], ascending)
    await expectOrder(ask, results, 'sort', samples, ['id desc'], ascending.toReversed())
  }
  for (const expand of [['expand', 'a']] as const) {
    for (const query of [[expand], [expand, ['expand', 'b.c[*]']]] as const) {
      const answer = await ask([...selectAll(samples), ...query])
      results.add('expand', answer.status === 200 ? findOthers(answer, samples) : findStatusFaults(answer, 200))
    }
  }
  if (own === undefined) return skipOwn(results)
  await examineOwn(results, ask, own)
}

/** What needs no resource: predicates and sorts that cannot be read. */
export async function examineUnreadable(
  results: Results<'where-refused' | 'sort-refused' | 'envelope' | 'correlation-id'>,
  operation: SelectingOperation,
  context: VerifyContext,
): Promise<void> {
  const predicates = UNREADABLE.map((query) => ({ query }))
  await examineRefusals(results, 'where-refused', operation, predicates, context, { code: 'InvalidInput' })
  const sorts = ['noSuchField asc', 'id sideways'].map((sort) => ({ query: [['sort', sort] as const] }))
  await examineRefusals(results, 'sort-refused', operation, sorts, context)
}

const OWN: readonly SelectionCheckName[] = [
  'where-comparisons',
  'where-lists',
  'where-presence',
  'where-logic',
  'where-fields',
  'where-entries',
  'where-literals',
  'where-repeated',
  'sort-repeated',
  'sort-arrays',
  'unsorted',
]

function skipOwn(results: Results<SelectionCheckName>): void {
  for (const name of OWN) results.skip(name, OWNLESS)
}

async function examineOwn(results: Results<SelectionCheckName>, ask: AskPage, own: OwnSamples): Promise<void> {
  const [a, b, c] = own
  const cases = toCases(own)
  const answers = await Promise.all(
    cases.map(([, predicate]) => ask([['where', `${toSelection(own)} and (${predicate})`]])),
  )
  for (const [at, answer] of answers.entries()) {
    const one = cases[at]
    if (one !== undefined) results.add(one[0], findOtherPlaces(answer, own, one[2]))
  }
  const both = await ask([
    ['where', toSelection([a, b])],
    ['where', toSelection([b, c])],
  ])
  results.add('where-repeated', findOtherPlaces(both, own, [1]))
  const listed = await ask([
    ['where', 'id in :wanted'],
    ['var.wanted', a.id],
    ['var.wanted', c.id],
  ])
  results.add('variables', findOtherPlaces(listed, own, [0, 2]))

  const order = (name: SelectionCheckName, sorts: readonly string[], expected: readonly Sample[]) =>
    expectOrder(
      ask,
      results,
      name,
      own,
      sorts,
      expected.map(({ id }) => id),
    )
  await order('sort-repeated', ['version desc', 'key desc'], [b, c, a])
  await order('sort-repeated', ['version asc', 'key desc'], [c, a, b])
  await order('sort-arrays', ['arrayOfIntExample asc'], [c, b, a])
  await order('sort-arrays', ['objectTypeProperty.arrayOfNumberNoDefaultsExample desc'], [a, b, c])
  await order('unsorted', [], [a, b, c])
}

async function expectOrder(
  ask: AskPage,
  results: Results<SelectionCheckName>,
  name: SelectionCheckName,
  samples: readonly Sample[],
  sorts: readonly string[],
  expected: readonly string[],
): Promise<void> {
  // The predicate names them backwards: whoever lists them in its order is not sorting.
  const query: RequestQuery = [...selectAll(samples.toReversed()), ...sorts.map((sort) => ['sort', sort] as const)]
  const answer = await ask([...query, ['limit', '500']])
  const listed = idsOf(answer).filter((id) => samples.some((sample) => sample.id === id))
  results.add(
    name,
    answer.status === 200 ? compare(answer, ['results'], expected, listed) : findStatusFaults(answer, 200),
  )
}
