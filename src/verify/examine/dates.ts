import type { OperationExamination } from '../examination.ts'
import { compare, finding, readPage, selectAll } from '../finding.ts'
import { pause } from '../resources.ts'
import type { ProviderAnswer } from '../provider.ts'

/** A resource as a query tells it (D5), and the answer that does. */
export interface Entry {
  readonly page: ProviderAnswer
  readonly entry: Readonly<Record<string, unknown>>
}

/** Reads what a query tells of a resource; undefined where none does. */
export async function readEntry(
  { provider }: Pick<OperationExamination, 'provider'>,
  id: string,
): Promise<Entry | undefined> {
  const page = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
  const entry = readPage(page).results.find((one) => one.id === id)
  return entry === undefined ? undefined : { page, entry }
}

/** Of each resource, a date as a page tells it; undefined where it tells none. */
export const timesOf = (
  page: ProviderAnswer,
  resources: readonly { readonly id: string }[],
  name: 'createdAt' | 'lastModifiedAt',
): readonly (string | undefined)[] =>
  resources.map(({ id }) => {
    const time = readPage(page).results.find((one) => one.id === id)?.[name]
    return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined
  })

/** The order of two date-times of one service; by their digits where a service tells more than milliseconds. */
export function compareTimes(a = '', b = ''): number {
  return Date.parse(a) - Date.parse(b) || (a < b ? -1 : a > b ? 1 : 0)
}

/**
 * Checks that a write keeps `createdAt` and sets `lastModifiedAt` to another time. Whether time passes for the service at
 * all, a resource tells that is made in between: a clock may be frozen, or coarse.
 *
 * @param write resolves with whether the resource was written
 */
export async function examineDates(
  exam: OperationExamination,
  id: string,
  write: () => Promise<boolean>,
): Promise<void> {
  const before = await readEntry(exam, id)
  if (before === undefined) return exam.skip('dates', 'no query tells the dates of the resource')
  await pause()
  const { id: laterId } = await exam.resources.create()
  const later = await readEntry(exam, laterId)
  if (!(await write())) return
  const after = await readEntry(exam, id)
  if (after === undefined) return
  const { createdAt, lastModifiedAt } = before.entry
  const isLate = Date.parse(String(later?.entry['createdAt'])) > Date.parse(String(lastModifiedAt))
  const hasStayed = isLate && after.entry['lastModifiedAt'] === lastModifiedAt
  const at = 'lastModifiedAt as its result has it'
  exam.add('dates', [
    ...compare(after.page, 'createdAt as its result has it', createdAt, after.entry['createdAt']),
    ...(hasStayed ? finding(after.page, at, 'another time than before', String(lastModifiedAt)) : []),
  ])
}
