import { checkOrder } from '../order.ts'
import type { OperationExamination } from '../examination.ts'
import { compare, fault, faultUnless, findFaultsIf, findStatusFaults, show } from '../fault.ts'
import { idsOf, isPage, readPage } from '../pages.ts'
import type { ProviderAnswer, RequestQuery } from '../provider.ts'
import type { Fault } from '../report.ts'
import type { Sample } from '../resources.ts'
import { examineQueries } from './requests.ts'

/** What a page says of itself must be so: the part that was asked for, and as many as it holds. */
function findPagingFaults(answer: ProviderAnswer, limit: number, offset: number): readonly Fault[] {
  const { results, ...told } = readPage(answer)
  return [
    ...compare(answer, 'limit', limit, told.limit),
    ...compare(answer, 'offset', offset, told.offset),
    ...compare(answer, 'count', results.length, told.count),
    ...faultUnless(results.length <= limit, answer, 'results', `at most ${limit}`, String(results.length)),
  ]
}

/** A page that is not full is the last one: what comes before it and in it is all there is. */
function findTotalFaults(answer: ProviderAnswer, limit: number, offset: number): readonly Fault[] {
  const { results, total } = readPage(answer)
  const seen = offset + results.length
  if (results.length < limit) return compare(answer, 'total', seen, total)
  return faultUnless(Number(total) >= seen, answer, 'total', `at least ${seen}`, show(total))
}

/** Pages through what a query selects, which is the samples where they are given. */
export async function examinePages(exam: OperationExamination, query: RequestQuery): Promise<void> {
  const ask = (limit: number, offset: number) =>
    exam.send({ query: { ...query, limit: String(limit), offset: String(offset) } })
  const whole = await ask(500, 0)
  if (whole.status !== 200) return
  exam.add('paging', findPagingFaults(whole, 500, 0))
  exam.add('total', findTotalFaults(whole, 500, 0))
  const none = await ask(0, 0)
  if (none.status === 200) exam.add('total', compare(none, 'total', readPage(whole).total, readPage(none).total))
  const all = idsOf(whole)
  for (const offset of [0, 1]) {
    const answer = await ask(1, offset)
    if (answer.status !== 200) continue
    exam.add('paging', [
      ...findPagingFaults(answer, 1, offset),
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
      findFaultsIf(answer, 200, () => findPagingFaults(answer, limit, offset)),
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
    exam.add('with-total', faultUnless(isRight, answer, 'total', hasTotal ? 'nothing' : 'a number', show(hasTotal)))
  }
}

/** What was modified before it was made. Whether both are date-times, the check `shape` tells. */
function findDateFaults(answer: ProviderAnswer, { createdAt, lastModifiedAt }: Readonly<Record<string, unknown>>) {
  const isWrong = Date.parse(String(lastModifiedAt)) < Date.parse(String(createdAt))
  return faultUnless(!isWrong, answer, 'lastModifiedAt', `${show(createdAt)} or later`, show(lastModifiedAt))
}

/** D5: what each result tells of its resource. Of resources that others wrote, as far as it is known. */
export async function examineIdentity(
  exam: OperationExamination,
  query: RequestQuery,
  samples: readonly Sample[],
): Promise<void> {
  const answer = await exam.send({ query })
  if (answer.status !== 200) return exam.add('identity', findStatusFaults(answer, 200))
  checkOrder(exam, answer)
  for (const { id, key, version, content, someProperty } of samples) {
    const result = readPage(answer).results.find((one) => one.id === id)
    if (result === undefined) {
      exam.add('identity', fault(answer, 'results', `one with the id ${id}`, 'none'))
      continue
    }
    exam.add('identity', findDateFaults(answer, result))
    const told = { key, version, objectTypeProperty: content, ...(someProperty === undefined ? {} : { someProperty }) }
    for (const [name, value] of Object.entries(told)) {
      exam.add('identity', compare(answer, `${name} of ${id}`, value, result[name]))
    }
  }
}
