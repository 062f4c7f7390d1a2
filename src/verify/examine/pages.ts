import type { OperationId } from '../../contract/endpoints.ts'
import { findStatusFaults, holdRefusal } from '../answers.ts'
import type { Bench } from '../bench.ts'
import { compare, fault, show } from '../fault.ts'
import { idsOf, isPage, readPage, selectAll } from '../pages.ts'
import type { Query } from '../pages.ts'
import type { Answer } from '../provider.ts'
import type { Fault } from '../report.ts'
import type { Sample } from '../resources.ts'
import type { World } from '../world.ts'

/** Faults of results that are not exactly these, in any order. */
export function findOthers(answer: Answer, samples: readonly Sample[]): readonly Fault[] {
  const ids = idsOf(answer)
  const missing = samples.filter(({ id }) => !ids.includes(id))
  const others = ids.filter((id) => !samples.some((sample) => sample.id === id))
  if (missing.length === 0 && others.length === 0) return []
  const wrong = [
    ...(missing.length === 0 ? [] : [`without ${missing.map(({ id }) => id).join(', ')}`]),
    ...(others.length === 0 ? [] : [`with ${others.length} that do not match, such as ${show(others[0])}`]),
  ]
  return fault(answer, 'results', `the ${samples.length} that match`, `${ids.length} ${wrong.join(' and ')}`)
}

/** What a page says of itself must be so: the part that was asked for, and as many as it holds. */
function findPagingFaults(answer: Answer, limit: number, offset: number): readonly Fault[] {
  const { results, ...told } = readPage(answer)
  return [
    ...compare(answer, 'limit', limit, told.limit),
    ...compare(answer, 'offset', offset, told.offset),
    ...compare(answer, 'count', results.length, told.count),
    ...(results.length <= limit ? [] : fault(answer, 'results', `at most ${limit}`, String(results.length))),
  ]
}

/** A page that is not full is the last one: what stands before it and in it is all there is. */
function findTotalFaults(answer: Answer, limit: number, offset: number): readonly Fault[] {
  const { results, total } = readPage(answer)
  const seen = offset + results.length
  if (results.length < limit) return compare(answer, 'total', seen, total)
  return Number(total) >= seen ? [] : fault(answer, 'total', `at least ${seen}`, show(total))
}

type PagedOperation = Extract<OperationId, 'queryResources' | 'sortedQuery' | 'searchResources'>

/** Pages through what a query selects, which is the samples where they are given. */
export async function examinePages(
  bench: Bench<'paging' | 'total'>,
  operation: PagedOperation,
  query: Query,
  { provider }: World,
): Promise<void> {
  const ask = (limit: number, offset: number) =>
    provider.send(operation, { query: [...query, ['limit', String(limit)], ['offset', String(offset)]] })
  const whole = await ask(500, 0)
  if (whole.status !== 200) return
  bench.hold('paging', findPagingFaults(whole, 500, 0))
  bench.hold('total', findTotalFaults(whole, 500, 0))
  const all = idsOf(whole)
  for (const offset of [0, 1]) {
    const answer = await ask(1, offset)
    if (answer.status !== 200) continue
    const expected = all.slice(offset, offset + 1)
    bench.hold('paging', [
      ...findPagingFaults(answer, 1, offset),
      ...compare(answer, 'results[0].id', expected[0], idsOf(answer)[0]),
    ])
    if (expected.length === 1)
      bench.hold('total', compare(answer, 'total', readPage(whole).total, readPage(answer).total))
  }
}

/** D10, D20: `withTotal=false` drops the total. */
export async function examineTotalless(
  bench: Bench<'total'>,
  operation: PagedOperation,
  { provider }: World,
): Promise<void> {
  const query: Query = [
    ['withTotal', 'false'],
    ['limit', '1'],
  ]
  const answer = await provider.send(operation, { query })
  if (answer.status !== 200 || !isPage(answer)) return
  bench.hold('total', compare(answer, 'total', undefined, readPage(answer).total))
}

/** Parameters of the wrong type, and out of bounds, are refused (D9, D10). */
export async function examineRefused(
  bench: Bench<'refused' | 'envelope'>,
  operation: PagedOperation,
  queries: readonly Query[],
  { provider }: World,
): Promise<void> {
  for (const query of queries) holdRefusal(bench, 'refused', await provider.send(operation, { query }), 400)
}

/** where, its variables and sort: the same in 4.1 (D10) and 4.12 (D20). */
export async function examineSelection(
  bench: Bench<'where' | 'variables' | 'sort'>,
  operation: 'queryResources' | 'sortedQuery',
  samples: readonly [Sample, ...Sample[]],
  { provider }: World,
): Promise<void> {
  const [first] = samples
  const ask = async (query: Query) => provider.send(operation, { query })

  const one = await ask([['where', `id = ${JSON.stringify(first.id)}`]])
  for (const [answer, expected] of [[await ask(selectAll(samples)), samples] as const, [one, [first]] as const]) {
    bench.hold('where', answer.status === 200 ? findOthers(answer, expected) : findStatusFaults(answer, 200))
  }

  const varied = await ask([
    ['where', 'id = :wanted'],
    ['var.wanted', first.id],
  ])
  bench.hold('variables', varied.status === 200 ? findOthers(varied, [first]) : findStatusFaults(varied, 200))

  if (samples.length === 1) return bench.skip('sort', 'it takes two resources, and only one was found')
  const ascending = samples.map(({ id }) => id)
  for (const [direction, expected] of [
    ['asc', ascending],
    ['desc', ascending.toReversed()],
  ] as const) {
    const answer = await ask([...selectAll(samples), ['sort', `id ${direction}`], ['limit', '500']])
    const sorted = idsOf(answer).filter((id) => ascending.includes(String(id)))
    bench.hold(
      'sort',
      answer.status === 200 ? compare(answer, ['results'], expected, sorted) : findStatusFaults(answer, 200),
    )
  }
}
