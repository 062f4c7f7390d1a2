import {
  compare,
  findIfStatus,
  findOthers,
  idsOf,
  selectAll,
  toSelection,
  finding,
  findUnless,
  compareStatus,
  show,
  isPage,
  readPage,
} from '../finding.ts'
import { ESCAPED, expectOwn } from '../samples.ts'
import { compareTimes, timesOf } from './dates.ts'
import { examineRefusals, examineQueries } from './requests.ts'
import { stringifyJson } from '../../http/json.ts'
import { checkOrder } from '../answers.ts'
import type { CheckName } from '../checks.ts'
import type { OperationExamination } from '../examination.ts'
import type { ProviderAnswer, RequestQuery } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { OwnSamples, Sample } from '../resources.ts'

/** Which of the three samples a query must find: by their places. */
export type Places = readonly (0 | 1 | 2)[]
const ALL: Places = [0, 1, 2]

/** What a query must find of the three samples, and the check that says so. */
export type SelectionCase = readonly [name: CheckName, query: RequestQuery, places: Places]

/** Faults of an answer that does not hold exactly the samples at these places. */
const findOtherPlaces = (answer: ProviderAnswer, samples: OwnSamples, places: Places): readonly Finding[] =>
  findOthers(
    answer,
    places.map((place) => samples[place]),
  )

/** Sends the queries of all cases, and adds what `findWrong` finds of their answers. */
export async function examineCases(
  exam: OperationExamination,
  cases: readonly SelectionCase[],
  findWrong: (answer: ProviderAnswer, samples: OwnSamples, places: Places) => readonly Finding[] = findOtherPlaces,
): Promise<void> {
  const own = expectOwn(exam)
  const answers = await Promise.all(
    cases.map(async ([name, query, places]) => [name, await exam.send({ query }), places] as const),
  )
  for (const [name, answer, places] of answers) exam.add(name, findWrong(answer, own, places))
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
    findIfStatus(answer, 200, () => compare(answer, ['results'], ids, listed)),
  )
}

const json = (value: unknown): string => JSON.stringify(value)

/** What the conditions select of the three samples (D11). */
export const conditions: readonly SelectionCase[] = [
  ['string-parameter', { stringParameter: 'kiln' }, [0]],
  ['string-parameter', { stringParameter: 'kil' }, []],
  ['string-parameter', { stringParameter: 'KILN' }, []],
  ['string-parameter', { stringParameter: '2 in arrayOfTwonumbersExample' }, [0, 1]],
  ['string-parameter', { stringParameter: '3 in arrayOfFloatExample' }, []],
  ['string-parameter', { stringParameter: '99 in arrayOfIntExample' }, [2]],
  ['float-parameter', { floatParameter: '2.5' }, [1]],
  ['float-parameter', { floatParameter: '35e-1' }, [2]],
  ['float-parameter', { floatParameter: '2' }, []],
  ['exact-numbers', { floatParameter: '0.1' }, [0]],
  ['exact-numbers', { floatParameter: '0.10000000149011612' }, []],
  ['integer-parameter', { integerParameter: '-3' }, [2]],
  ['integer-parameter', { integerParameter: '2.0' }, [1]],
  ['integer-parameter', { integerParameter: '4' }, []],
  ['markdown-parameter', { withMarkdownDescription: '8.25' }, [1]],
  ['markdown-parameter', { withMarkdownDescription: '9' }, [0]],
  ['markdown-parameter', { withMarkdownDescription: '2.5' }, []],
  ['array-of-string', { arrayOfString: 'oakum' }, [1]],
  ['array-of-string', { arrayOfString: ['kiln', 'ax'] }, [0]],
  ['array-of-string', { arrayOfString: ['kiln', 'oakum'] }, []],
  ['array-of-string', { arrayOfString: 'Kiln' }, []],
  ['array-of-string-with-description', { arrayOfStringWithDescription: 'oakum' }, [1]],
  ['array-of-string-with-description', { arrayOfStringWithDescription: ['kiln', 'ax'] }, [0]],
  ['array-of-string-with-description', { arrayOfStringWithDescription: ['ax', 'oakum'] }, []],
  ['object-parameter', { objectParameter: json({ arrayOfString: 'kiln' }) }, [0]],
  ['object-parameter', { objectParameter: json({ arrayOfString: ['kiln', 'ax'] }) }, [0]],
  ['object-parameter', { objectParameter: json({ arrayOfString: ['kiln', 'oakum'] }) }, []],
  ['object-parameter', { 'objectParameter[arrayOfString]': 'oakum' }, [1]],
  ['object-parameter', { 'objectParameter[arrayOfString]': 'oak' }, []],
  ['object-parameter', { 'objectParameter[arrayOfString]': ['kiln', 'ax'] }, [0]],
  ['object-parameter', { 'objectParameter[arrayOfString]': ['kiln', 'oakum'] }, []],
  ['object-parameter', { 'objectParameter.arrayOfString': 'oakum' }, [1]],
  ['object-parameter', { 'objectParameter.arrayOfString': 'oak' }, []],
  ['exact-numbers', { integerParameter: '9007199254740993' }, [0, 1, 2]],
  ['exact-numbers', { integerParameter: '9007199254740992' }, []],
  ['exact-numbers', { stringParameter: '9007199254740992 in arrayOfIntExample' }, []],
  ['all-conditions', { stringParameter: 'kiln', floatParameter: '1.5', arrayOfString: 'ax' }, [0]],
  ['all-conditions', { stringParameter: 'kiln', floatParameter: '2.5' }, []],
  ['all-conditions', { integerParameter: '1', arrayOfString: 'oakum' }, []],
]

/** What `unionParameter` selects of them. */
export const toUnions = ([first]: OwnSamples): readonly SelectionCase[] => {
  const { version, content } = first
  // JSON of its own: `content` has integers past 2^53.
  const text = stringifyJson({ version, objectTypeProperty: content })
  const reversed = Object.fromEntries(Object.entries(content).toReversed())
  const { arrayOfFloatExample: _, ...partial } = content
  const other = stringifyJson({ version: version + 1, objectTypeProperty: content })
  return [
    ['union-number', { unionParameter: '-3' }, [2]],
    ['union-number', { unionParameter: '2.5' }, [1]],
    ['union-number', { unionParameter: '4' }, [2]],
    ['union-number', { unionParameter: '9' }, [0]],
    ['union-number', { unionParameter: '77.5' }, []],
    ['union-number', { unionParameter: '20' }, []],
    ['exact-numbers', { unionParameter: '9223372036854775807' }, [0, 1, 2]],
    ['exact-numbers', { unionParameter: '9007199254740992' }, []],
    ['union-date-time', { unionParameter: '1970-01-01T00:00:00.000Z' }, [0, 1, 2]],
    ['union-date-time', { unionParameter: '9999-01-01T00:00:00.000Z' }, []],
    ['union-object', { unionParameter: text }, [0]],
    ['union-object', { unionParameter: other }, []],
    ['union-object', { unionParameter: stringifyJson({ objectTypeProperty: reversed, version }) }, [0]],
    ['union-object', { unionParameter: stringifyJson({ version, objectTypeProperty: partial }) }, []],
  ]
}

/** What a page says of itself must be so: the part that was asked for, and as many as it holds. */
function findPagingFindings(answer: ProviderAnswer, limit: number, offset: number): readonly Finding[] {
  const { results, ...told } = readPage(answer)
  return [
    ...compare(answer, 'limit', limit, told.limit),
    ...compare(answer, 'offset', offset, told.offset),
    ...compare(answer, 'count', results.length, told.count),
    ...findUnless(results.length <= limit, answer, 'results', `at most ${limit}`, String(results.length)),
  ]
}

/** A page that is not full is the last one: what comes before it and in it is all there is. */
function findTotalFindings(answer: ProviderAnswer, limit: number, offset: number): readonly Finding[] {
  const { results, total } = readPage(answer)
  const seen = offset + results.length
  if (results.length < limit) return compare(answer, 'total', seen, total)
  return findUnless(Number(total) >= seen, answer, 'total', `at least ${seen}`, show(total))
}

/** Pages through what a query selects, which is the samples where they are given. */
export async function examinePages(exam: OperationExamination, query: RequestQuery): Promise<void> {
  const ask = (limit: number, offset: number) =>
    exam.send({ query: { ...query, limit: String(limit), offset: String(offset) } })
  const whole = await ask(500, 0)
  if (whole.status !== 200) return
  exam.add('paging', findPagingFindings(whole, 500, 0))
  exam.add('total', findTotalFindings(whole, 500, 0))
  const none = await ask(0, 0)
  if (none.status === 200) exam.add('total', compare(none, 'total', readPage(whole).total, readPage(none).total))
  const all = idsOf(whole)
  for (const offset of [0, 1]) {
    const answer = await ask(1, offset)
    if (answer.status !== 200) continue
    exam.add('paging', [
      ...findPagingFindings(answer, 1, offset),
      ...compare(answer, 'results[0].id', all[offset], idsOf(answer)[0]),
    ])
    if (offset < all.length) exam.add('total', compare(answer, 'total', readPage(whole).total, readPage(answer).total))
  }
}

/** The bounds of limit and offset, and what they are where they are not given (D10). */
export async function examineLimits(exam: OperationExamination): Promise<void> {
  const right: readonly (readonly [query: RequestQuery, limit: number, offset: number])[] = [
    [{}, 20, 0],
    [{ limit: '0' }, 0, 0],
    [{ limit: '500' }, 500, 0],
    [{ limit: '20.0' }, 20, 0],
    [{ offset: '10000' }, 20, 10_000],
  ]
  for (const [query, limit, offset] of right) {
    const answer = await exam.send({ query })
    exam.add(
      'limits',
      findIfStatus(answer, 200, () => findPagingFindings(answer, limit, offset)),
    )
  }
  const texts = ['abc', '10abc', '', 'NaN', 'Infinity']
  const limits = ['-1', '501', '20.5', ...texts].map((limit) => ({ limit }))
  const offsets = ['-1', '10001', '0.5', ...texts].map((offset) => ({ offset }))
  await examineQueries(exam, 'limits-refused', [...limits, ...offsets])
}

/** D10, D20: `withTotal=false` drops the total. */
export async function examineTotalless(exam: OperationExamination): Promise<void> {
  for (const withTotal of ['false', 'true']) {
    const answer = await exam.send({ query: { withTotal, limit: '1' } })
    if (answer.status !== 200 || !isPage(answer)) continue
    const hasTotal = readPage(answer).total !== undefined
    const isRight = hasTotal === (withTotal === 'true')
    exam.add('with-total', findUnless(isRight, answer, 'total', hasTotal ? 'nothing' : 'a number', show(hasTotal)))
  }
}

/** What was modified before it was made. Whether both are date-times, the check `shape` tells. */
function findDateFindings(answer: ProviderAnswer, { createdAt, lastModifiedAt }: Readonly<Record<string, unknown>>) {
  const isWrong = Date.parse(String(lastModifiedAt)) < Date.parse(String(createdAt))
  return findUnless(!isWrong, answer, 'lastModifiedAt', `${show(createdAt)} or later`, show(lastModifiedAt))
}

/** D5: what each result tells of its resource. Of resources that others wrote, as far as it is known. */
export async function examineIdentity(
  exam: OperationExamination,
  query: RequestQuery,
  samples: readonly Sample[],
): Promise<void> {
  const answer = await exam.send({ query })
  if (answer.status !== 200) return exam.add('identity', compareStatus(answer, 200))
  checkOrder(exam, answer)
  for (const { id, key, version, content, someProperty } of samples) {
    const result = readPage(answer).results.find((one) => one.id === id)
    if (result === undefined) {
      exam.add('identity', finding(answer, 'results', `one with the id ${id}`, 'none'))
      continue
    }
    exam.add('identity', findDateFindings(answer, result))
    const told = { key, version, objectTypeProperty: content, ...(someProperty === undefined ? {} : { someProperty }) }
    for (const [name, value] of Object.entries(told)) {
      exam.add('identity', compare(answer, `${name} of ${id}`, value, result[name]))
    }
  }
}
