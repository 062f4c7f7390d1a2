import { compare, finding, readPage, selectAll } from '../finding.ts'
import { pause } from '../resources.ts'
import { check, UNEXPECTED } from '../subject.ts'
import { Stop } from '../transport.ts'
import type { OperationExamination } from '../subject.ts'
import type { ProviderAnswer } from '../provider.ts'

/** Reads what a query returns of a resource (D5), and the answer that has it; undefined if none has. */
export async function readEntry({ provider }: Pick<OperationExamination, 'provider'>, id: string) {
  const page = await provider.send('sortedQuery', { query: selectAll([{ id }]) })
  const entry = readPage(page).results.find((one) => one.id === id)
  return entry === undefined ? undefined : { page, entry }
}

/** Of each resource, a date as a page has it; undefined if it has none. */
export const timesOf = (
  page: ProviderAnswer,
  resources: readonly { readonly id: string }[],
  name: 'createdAt' | 'lastModifiedAt',
): readonly (string | undefined)[] =>
  resources.map(({ id }) => {
    const time = readPage(page).results.find((one) => one.id === id)?.[name]
    return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined
  })

/** The order of two date-times of one service; by their digits if a service has more than milliseconds. */
export function compareTimes(a = '', b = ''): number {
  return Date.parse(a) - Date.parse(b) || (a < b ? -1 : a > b ? 1 : 0)
}

/**
 * Checks that a write keeps `createdAt` and sets `lastModifiedAt` to another time. A resource that is made in between
 * shows if time passes for the service at all: a clock may be frozen, or coarse.
 *
 * @param findId of the resource
 * @param write resolves with the answer, which must be a success
 */
export const dated = <Exam extends OperationExamination>(
  findId: (exam: Exam) => string | Promise<string>,
  write: (exam: Exam) => Promise<ProviderAnswer>,
) =>
  check('keeps createdAt, and sets lastModifiedAt to another time', 'D5', async (exam: Exam) => {
    const id = await findId(exam)
    const before = await readEntry(exam, id)
    if (before === undefined) throw new Stop('no query returns the dates of the resource')
    await pause()
    const later = await readEntry(exam, (await exam.resources.create()).id)
    const { status } = await write(exam)
    const after = status < 300 ? await readEntry(exam, id) : undefined
    if (after === undefined) throw new Stop(UNEXPECTED)
    const { createdAt, lastModifiedAt } = before.entry
    const isLate = Date.parse(String(later?.entry['createdAt'])) > Date.parse(String(lastModifiedAt))
    const hasStayed = isLate && after.entry['lastModifiedAt'] === lastModifiedAt
    const at = 'lastModifiedAt as its result has it'
    return [
      ...compare(after.page, 'createdAt as its result has it', createdAt, after.entry['createdAt']),
      ...(hasStayed ? finding(after.page, at, 'another time than before', String(lastModifiedAt)) : []),
    ]
  })
