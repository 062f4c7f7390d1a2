import type { OperationId } from '../../contract/endpoints.ts'
import { findStatusFaults } from '../answers.ts'
import type { VerifyContext } from '../context.ts'
import { compare, fault, show } from '../fault.ts'
import { idsOf, isPage, readPage } from '../pages.ts'
import type { RequestQuery } from '../pages.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Fault } from '../report.ts'
import type { Sample } from '../resources.ts'
import type { Results } from '../results.ts'
import { examineQueries } from './requests.ts'

export type PagedOperation = Extract<OperationId, 'queryResources' | 'sortedQuery' | 'searchResources'>

/** What a page says of itself must be so: the part that was asked for, and as many as it holds. */
function findPagingFaults(answer: ProviderAnswer, limit: number, offset: number): readonly Fault[] {
  const { results, ...told } = readPage(answer)
  return [
    ...compare(answer, 'limit', limit, told.limit),
    ...compare(answer, 'offset', offset, told.offset),
    ...compare(answer, 'count', results.length, told.count),
    ...(results.length <= limit ? [] : fault(answer, 'results', `at most ${limit}`, String(results.length))),
  ]
}

/** A page that is not full is the last one: what stands before it and in it is all there is. */
function findTotalFaults(answer: ProviderAnswer, limit: number, offset: number): readonly Fault[] {
  const { results, total } = readPage(answer)
  const seen = offset + results.length
  if (results.length < limit) return compare(answer, 'total', seen, total)
  return Number(total) >= seen ? [] : fault(answer, 'total', `at least ${seen}`, show(total))
}

/** Pages through what a query selects, which is the samples where they are given. */
export async function examinePages(
  results: Results<'paging' | 'total'>,
  operation: PagedOperation,
  query: RequestQuery,
  { provider }: VerifyContext,
): Promise<void> {
  const ask = (limit: number, offset: number) =>
    provider.send(operation, { query: [...query, ['limit', String(limit)], ['offset', String(offset)]] })
  const whole = await ask(500, 0)
  if (whole.status !== 200) return
  results.add('paging', findPagingFaults(whole, 500, 0))
  results.add('total', findTotalFaults(whole, 500, 0))
  const all = idsOf(whole)
  for (const offset of [0, 1]) {
    const answer = await ask(1, offset)
    if (answer.status !== 200) continue
    const expected = all.slice(offset, offset + 1)
    results.add('paging', [
      ...findPagingFaults(answer, 1, offset),
      ...compare(answer, 'results[0].id', expected[0], idsOf(answer)[0]),
    ])
    if (expected.length === 1) {
      results.add('total', compare(answer, 'total', readPage(whole).total, readPage(answer).total))
    }
  }
}

/** The bounds of limit and offset, and what they are where they are not given (D10). */
export async function examineLimits(
  results: Results<'limits' | 'limits-refused' | 'envelope' | 'correlation-id'>,
  operation: PagedOperation,
  context: VerifyContext,
): Promise<void> {
  const { provider } = context
  const ask = (query: RequestQuery) => provider.send(operation, { query })
  for (const [query, limit, offset] of [
    [[], 20, 0],
    [[['limit', '0']], 0, 0],
    [[['limit', '500']], 500, 0],
    [[['limit', '20.0']], 20, 0],
    [[['offset', '10000']], 20, 10_000],
  ] as const) {
    const answer = await ask(query)
    const faults = answer.status === 200 ? findPagingFaults(answer, limit, offset) : findStatusFaults(answer, 200)
    results.add('limits', faults)
  }
  const wrong = [
    ...['-1', '501', '20.5', 'abc'].map((limit) => [['limit', limit] as const]),
    ...['-1', '10001', '0.5', 'abc'].map((offset) => [['offset', offset] as const]),
  ]
  await examineQueries(results, 'limits-refused', operation, wrong, context)
}

/** D10, D20: `withTotal=false` drops the total. */
export async function examineTotalless(
  results: Results<'with-total'>,
  operation: PagedOperation,
  { provider }: VerifyContext,
): Promise<void> {
  for (const withTotal of ['false', 'true']) {
    const query: RequestQuery = [
      ['withTotal', withTotal],
      ['limit', '1'],
    ]
    const answer = await provider.send(operation, { query })
    if (answer.status !== 200 || !isPage(answer)) continue
    const hasTotal = readPage(answer).total !== undefined
    const isRight = hasTotal === (withTotal === 'true')
    results.add('with-total', isRight ? [] : fault(answer, 'total', hasTotal ? 'nothing' : 'a number', show(hasTotal)))
  }
}

const idOf = (result: Readonly<Record<string, unknown>>): unknown => result['id']

/** D5: what each result tells of its resource. Of resources that others wrote, as far as it is known. */
export async function examineIdentity(
  results: Results<'identity'>,
  operation: PagedOperation,
  query: RequestQuery,
  samples: readonly Sample[],
  { provider }: VerifyContext,
): Promise<void> {
  const answer = await provider.send(operation, { query })
  if (answer.status !== 200) return results.add('identity', findStatusFaults(answer, 200))
  for (const { id, key, version, content, someProperty } of samples) {
    const result = readPage(answer).results.find((one) => idOf(one) === id)
    if (result === undefined) {
      results.add('identity', fault(answer, 'results', `one with the id ${id}`, 'none'))
      continue
    }
    results.add('identity', [
      ...compare(answer, `key of ${id}`, key, result['key']),
      ...compare(answer, `version of ${id}`, version, result['version']),
      ...compare(answer, `objectTypeProperty of ${id}`, content, result['objectTypeProperty']),
      ...(someProperty === undefined
        ? []
        : compare(answer, `someProperty of ${id}`, someProperty, result['someProperty'])),
    ])
  }
}
