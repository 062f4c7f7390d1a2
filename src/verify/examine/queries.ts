import { arrayNames } from '../../contract/models.ts'
import { checkAnswer, findTakenFindings } from '../answers.ts'
import type { OperationExamination } from '../examination.ts'
import { compareMember, compareStatus, findOthers, readPage, selectAll, toSelection } from '../finding.ts'
import type { ProviderAnswer, RequestQuery } from '../provider.ts'
import type { Finding } from '../report.ts'
import { expectOwn, expectSamples } from '../samples.ts'
import {
  examineAccess,
  examineHead,
  examineMethods,
  examineQueries,
  examineUnknownParameter,
  findBodyFindings,
  toUnknownStatuses,
} from './requests.ts'
import {
  conditions,
  toUnions,
  examineIdentity,
  examineLimits,
  examinePages,
  examineTotalless,
  examineCases,
  examineOwnSelection,
  examineSelection,
  examineUnreadable,
} from './selection.ts'
import { compareTimes, timesOf } from './dates.ts'
import type { SelectionCase } from './selection.ts'

/** Values that are not of their parameter's type (4.1). */
const MISTYPED: readonly RequestQuery[] = [
  { floatParameter: 'abc' },
  { floatParameter: '1.5abc' },
  { floatParameter: 'NaN' },
  { floatParameter: '' },
  { integerParameter: 'abc' },
  { integerParameter: '1.5' },
  { integerParameter: '1abc' },
  { integerParameter: '0x1F' },
  { integerParameter: '9223372036854775808' },
  { withMarkdownDescription: 'abc' },
  { withMarkdownDescription: 'Infinity' },
  { unionParameter: 'abc' },
  { unionParameter: '{"version":1}' },
  { objectParameter: 'abc' },
  { objectParameter: '[]' },
  { objectParameter: '{"arrayOfString":5}' },
  { withTotal: 'perhaps' },
]

/** Parameters that take one number. */
const TWICE = [
  'floatParameter',
  'integerParameter',
  'withMarkdownDescription',
  'unionParameter',
  'limit',
  'offset',
] as const

/** A query that finds nothing. */
const toNothing = ({ newId }: OperationExamination): string => `id = ${JSON.stringify(newId())}`

/** What holds of 4.1 and 4.12 alike, before there is any resource. */
async function examineQuery(exam: OperationExamination): Promise<void> {
  await examineUnknownParameter(exam)
  await examineUnreadable(exam)
  await examineLimits(exam)
  await examineTotalless(exam)
  await examineAccess(exam)
}

/** The samples alone, each case of them. */
const amongOwn = (exam: OperationExamination, cases: readonly SelectionCase[]): readonly SelectionCase[] =>
  cases.map(([name, query, places]) => [name, { where: toSelection(expectOwn(exam)), ...query }, places])

/** D10: the body is an ArrayTestType too, that of the first result. */
function examineProjection(exam: OperationExamination, answer: ProviderAnswer, content: unknown): void {
  if (!checkAnswer(exam, answer, 200)) return
  const arrays = Object.entries(typeof content === 'object' && content !== null ? content : {})
  const findings: readonly Finding[] = arrays.flatMap(([name, value]) => compareMember(answer, name, value))
  exam.add('projection', findings)
}

/** What HEAD does not read, or need not. */
const IGNORED = ['unionParameter', 'objectParameter', 'withTotal'] as const

/** Specification 4.1. */
export async function queryResources(exam: OperationExamination): Promise<void> {
  checkAnswer(exam, await exam.send({ query: { limit: '20' } }), 200)
  await examineQueries(exam, 'refused', MISTYPED)
  const numbers = ['1', '2']
  await examineQueries(exam, 'single-valued', [
    { stringParameter: ['a', 'b'] },
    ...TWICE.map((name) => ({ [name]: numbers })),
    { withTotal: ['true', 'false'] },
  ])
  await examineQuery(exam)
  for (const name of ['Limit', 'FLOATPARAMETER']) {
    const answer = await exam.send({ query: { [name]: 'abc' } })
    exam.add('parameter-case', findTakenFindings(answer, ...toUnknownStatuses(exam)))
  }
  const empty = Object.fromEntries(arrayNames.map((name) => [name, []]))
  examineProjection(exam, await exam.send({ query: { where: toNothing(exam) } }), empty)
  examineProjection(exam, await exam.send({ query: { limit: '0' } }), empty)

  const samples = expectSamples(exam)
  const query = selectAll(samples)
  await examinePages(exam, query)
  await examineSelection(exam, samples)
  await examineIdentity(exam, query, samples)
  for (const offset of ['0', '1']) {
    const selected = await exam.send({ query: { ...query, offset } })
    const [result] = readPage(selected).results
    if (result !== undefined) examineProjection(exam, selected, result['objectTypeProperty'])
  }
  await examineOwnSelection(exam)
  await examineCases(exam, amongOwn(exam, [...conditions, ...toUnions(expectOwn(exam))]))
  await examineDateUnions(exam)
}

/** D11: a date-time selects what was last modified at it or after it. The second sample was modified after it was made. */
async function examineDateUnions(exam: OperationExamination): Promise<void> {
  const own = expectOwn(exam)
  const page = await exam.send({ query: selectAll(own) })
  const times = timesOf(page, own, 'lastModifiedAt')
  const [, time] = times
  if (time === undefined) return
  for (const unionParameter of [time, new Date(Date.parse(time) + 1).toISOString()]) {
    const expected = own.filter((_, at) => compareTimes(times[at], unionParameter) >= 0)
    const answer = await exam.send({ query: { ...selectAll(own), unionParameter } })
    exam.add('union-date-time', findOthers(answer, expected))
  }
}

/** Specification 4.5. */
export async function checkResources(examined: OperationExamination): Promise<void> {
  const { samples, sampleless } = examined
  const exam: OperationExamination = { ...examined, send: sendBodiless }
  exam.add('no-match', compareStatus(await exam.send({ query: { where: toNothing(exam) } }), 404))
  await examineAccess(exam)
  await examineQueries(exam, 'refused', [
    ...MISTYPED.filter((query) => !IGNORED.some((name) => name in query)),
    { limit: 'abc' },
    { where: 'id = ' },
  ])
  const twice = ['a', 'b']
  await examineQueries(exam, 'single-valued', [
    { stringParameter: twice },
    { floatParameter: ['1', '2'] },
    { limit: ['1', '2'] },
  ])

  if (samples.length === 0) return exam.skip('status', sampleless)
  const [one] = expectSamples(exam)
  const all = toSelection(samples)
  const expect = async (name: 'status' | 'where' | 'union', query: RequestQuery, status = 200) =>
    exam.add(name, compareStatus(await exam.send({ query }), status))
  await expect('status', { where: all })
  await expect('where', { where: 'id = :a', 'var.a': one.id })
  await expect('where', { where: [all, toNothing(exam)] }, 404)
  for (const unionParameter of ['abc', '77.5', '{"version":1}']) await expect('union', { where: all, unionParameter })
  await examineCases(exam, amongOwn(exam, conditions), (answer, _own, places) =>
    compareStatus(answer, places.length > 0 ? 200 : 404),
  )

  /** Checks of each answer that it has no body. */
  async function sendBodiless(...sending: Parameters<OperationExamination['send']>): Promise<ProviderAnswer> {
    const answer = await examined.send(...sending)
    examined.add('no-body', findBodyFindings(answer))
    return answer
  }
}

/** Specification 4.12. */
export async function sortedQuery(exam: OperationExamination): Promise<void> {
  const answer = await exam.send()
  if (checkAnswer(exam, answer, 200)) await examineHead(exam, {}, answer)
  await examineQueries(exam, 'refused', [{ withTotal: 'perhaps' }, { withTotal: '1' }])
  const numbers = ['1', '2']
  await examineQueries(exam, 'single-valued', [
    { limit: numbers },
    { offset: numbers },
    { withTotal: ['true', 'false'] },
  ])
  await examineQuery(exam)
  await examineMethods(exam, ['POST', 'DELETE'])

  const samples = expectSamples(exam)
  const query = selectAll(samples)
  await examinePages(exam, { ...query, sort: 'id asc' })
  await examineSelection(exam, samples)
  await examineIdentity(exam, query, samples)
  await examineOwnSelection(exam)
}
