import { compare, finding, resultsOf, selectAll } from '../finding.ts'
import { pause } from '../resources.ts'
import { check, UNEXPECTED } from '../subject.ts'
import { Stop } from '../transport.ts'
import type { OperationContext } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'

/** Finds the query result for a resource (D5), with its page; undefined if it is not listed. */
export async function readEntry({ provider }: Pick<OperationContext, 'provider'>, id: string) {
  const page = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
  const entry = resultsOf(page).find((one) => one.id === id)
  return entry === undefined ? undefined : { page, entry }
}

/** The date of each resource on a page; undefined if it is missing or malformed. */
export const timesOf = (
  page: ProviderAnswer,
  resources: readonly { readonly id: string }[],
  name: 'createdAt' | 'lastModifiedAt',
): readonly (string | undefined)[] =>
  resources.map(({ id }) => {
    const time = resultsOf(page).find((one) => one.id === id)?.[name]
    return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined
  })

/** Compares two date-times of the same service; beyond milliseconds, compares them as strings. */
export function compareTimes(a = '', b = ''): number {
  return Date.parse(a) - Date.parse(b) || (a < b ? -1 : a > b ? 1 : 0)
}

/**
 * Checks that a write keeps `createdAt` and changes `lastModifiedAt`. A resource created before the write shows whether the
 * service's clock advances at all: it may be frozen or coarse.
 *
 * @param findId returns the id of the resource
 * @param write resolves with the response, which must be a success
 */
export const dated = <Context extends OperationContext>(
  findId: (context: Context) => string | Promise<string>,
  write: (context: Context) => Promise<ProviderAnswer>,
) =>
  check('keeps createdAt and updates lastModifiedAt', 'D5', async (context: Context) => {
    const id = await findId(context)
    const before = await readEntry(context, id)
    if (before === undefined) throw new Stop('no query returns the dates of the resource')
    await pause()
    const later = await readEntry(context, (await context.resources.create()).id)
    const { status } = await write(context)
    const after = status < 300 ? await readEntry(context, id) : undefined
    if (after === undefined) throw new Stop(UNEXPECTED)
    const { createdAt, lastModifiedAt } = before.entry
    const isLate = Date.parse(String(later?.entry['createdAt'])) > Date.parse(String(lastModifiedAt))
    const hasStayed = isLate && after.entry['lastModifiedAt'] === lastModifiedAt
    const at = 'lastModifiedAt in its query result'
    return [
      ...compare(after.page, 'createdAt in its query result', createdAt, after.entry['createdAt']),
      ...(hasStayed ? finding(after.page, at, 'a new time', String(lastModifiedAt)) : []),
    ]
  })
