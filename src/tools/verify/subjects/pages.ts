import {
  compare,
  compareStatus,
  findIfStatus,
  findInTurn,
  findUnless,
  finding,
  idsOf,
  resultsOf,
  toFindings,
} from '../finding.ts'
import { checkPage, show } from '../../../service/contract/check-response.ts'
import { readPage } from '../../../service/contract/results.ts'
import { checkOrder } from '../answers.ts'
import { check } from '../subject.ts'
import { findAcceptedQueries } from './common.ts'
import type { DecisionId } from '../../../service/contract/decisions.ts'
import type { OperationContext } from '../subject.ts'
import type { ProviderAnswer, RequestQuery } from '../provider.ts'
import type { Finding } from '../report.ts'
import type { Sample } from '../resources.ts'

/** An operation that returns pages. */
interface PageContext extends OperationContext {
  /** A query that selects only the samples; everything if there is no such query. */
  among(): RequestQuery
  /** The resources that it selects. */
  known(): readonly Sample[]
}

/** Checks the numbers of a page, except its total. */
const findPagingFindings = (answer: ProviderAnswer, limit: number, offset: number): readonly Finding[] =>
  findPageFindings(answer, limit, offset).filter(({ at }) => at !== 'total')

const findPageFindings = (answer: ProviderAnswer, limit: number, offset: number): readonly Finding[] =>
  toFindings(answer, checkPage(answer.body, 'D10', { page: { limit, offset, withTotal: true } }))

/** Pages through the results of a query: all at once, then one at a time. */
async function readPages({ send, among }: PageContext) {
  const ask = (limit: number, offset: number) =>
    send({ query: { ...among(), limit: String(limit), offset: String(offset) } })
  const parts = await Promise.all([0, 1].map(async (offset) => ({ offset, answer: await ask(1, offset) })))
  return { whole: await ask(500, 0), none: await ask(0, 0), parts: parts.filter(({ answer }) => answer.status === 200) }
}

const LIMITS: readonly (readonly [query: RequestQuery, limit: number, offset: number])[] = [
  [{}, 20, 0],
  [{ limit: '0' }, 0, 0],
  [{ limit: '500' }, 500, 0],
  [{ limit: '20.0' }, 20, 0],
  [{ offset: '10000' }, 20, 10_000],
]

/** The checks of pages, for queries and searches. */
export const paged = (basis: DecisionId) => ({
  paging: check(
    'applies limit and offset, and returns limit, offset and count',
    basis,
    async (context: PageContext) => {
      const { whole, parts } = await readPages(context)
      if (whole.status !== 200) return compareStatus(whole, 200)
      const all = idsOf(whole)
      return [
        ...findPagingFindings(whole, 500, 0),
        ...parts.flatMap(({ offset, answer }) => [
          ...findPagingFindings(answer, 1, offset),
          ...compare(answer, 'results[0].id', all[offset], idsOf(answer)[0]),
        ]),
      ]
    },
  ),
  total: check('returns the number of all results as total, also with limit=0', basis, async (context: PageContext) => {
    const { whole, none, parts } = await readPages(context)
    if (whole.status !== 200) return compareStatus(whole, 200)
    const { total, results = [] } = readPage(whole.body) ?? {}
    const compareTotal = (answer: ProviderAnswer) =>
      answer.status === 200 ? compare(answer, 'total', total, readPage(answer.body)?.total) : []
    const others = parts.filter(({ offset }) => offset < results.length).map(({ answer }) => answer)
    return [
      ...findPageFindings(whole, 500, 0).filter(({ at }) => at === 'total' || at === 'body'),
      ...[none, ...others].flatMap(compareTotal),
    ]
  }),
  limits: check(
    'accepts limit 0, 500 and 20.0 and offset 10000; the defaults are limit 20 and offset 0',
    basis,
    ({ send }: OperationContext) =>
      findInTurn(LIMITS, async ([query, limit, offset]) => {
        const answer = await send({ query })
        return findIfStatus(answer, 200, () => findPagingFindings(answer, limit, offset))
      }),
  ),
  'limits-refused': check(
    'returns 400 for a limit or offset that is negative, too large, a fraction, empty, abc, 10abc, NaN or Infinity',
    basis,
    (context: OperationContext) => {
      const texts = ['abc', '10abc', '', 'NaN', 'Infinity']
      const limits = ['-1', '501', '20.5', ...texts].map((limit) => ({ limit }))
      const offsets = ['-1', '10001', '0.5', ...texts].map((offset) => ({ offset }))
      return findAcceptedQueries(context, [...limits, ...offsets])
    },
  ),
})

/** Finds results modified before they were created. The check `shape` finds invalid date-times. */
function findDateFindings(answer: ProviderAnswer, { createdAt, lastModifiedAt }: Readonly<Record<string, unknown>>) {
  const isWrong = Date.parse(String(lastModifiedAt)) < Date.parse(String(createdAt))
  return findUnless(!isWrong, answer, 'lastModifiedAt', `${show(createdAt)} or later`, show(lastModifiedAt))
}

/** Checks the members of results. For resources that others wrote, checks only known values. */
export const identified = {
  identity: check(
    'returns id, key, version, content, someProperty, createdAt and lastModifiedAt of each result, with lastModifiedAt not before createdAt',
    'D5',
    async (context: PageContext) => {
      const known = context.known()
      const answer = await context.send({ query: context.among() })
      if (answer.status !== 200) return compareStatus(answer, 200)
      checkOrder(context, answer)
      return known.flatMap(({ id, key, version, content, someProperty }) => {
        const result = resultsOf(answer).find((one) => one.id === id)
        if (result === undefined) return finding(answer, 'results', `one with the id ${id}`, 'none')
        const members = {
          key,
          version,
          objectTypeProperty: content,
          ...(someProperty === undefined ? {} : { someProperty }),
        }
        return [
          ...findDateFindings(answer, result),
          ...Object.entries(members).flatMap(([name, value]) =>
            compare(answer, `${name} of ${id}`, value, result[name]),
          ),
        ]
      })
    },
  ),
}
