import type { JournalEntry, KeptExchange } from '../journal/record.ts'
import type { KeptBody } from '../journal/redact.ts'
import { readEntries } from '../journal/record.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { inSlices } from '../util/turns.ts'
import { compileFilter } from './filter.ts'
import type { Filter } from './filter.ts'
import { compileBodyFilter, hasBodyTerm } from './filter-terms.ts'
import { FIRST_ROWS, MOST_ROWS, toRow } from './row.ts'
import type { Row } from './row.ts'
import type { ViewContext } from './view-context.ts'

/** What the script loads. */
export interface ListPage {
  /** Newest first. */
  readonly rows: readonly Row[]
  /** How many the journal has. */
  readonly total: number
  /** How many of them belong to the session of the page. */
  readonly own: number
  /** The ids of rows whose bodies are as the filter says; absent if it says nothing of bodies. */
  readonly bodyHits?: readonly string[]
}

/** The exchanges of the list, oldest first: of the session, or of all sessions. */
export const listExchanges = ({ parts, session, param }: ViewContext): readonly KeptExchange[] =>
  param('from') === EVERY_SESSION ? parts.journals.exchanges() : session.journal.exchanges()

/** The newest entries of a journal, newest first, at most that many. */
export const readNewest = (
  { parts: { elapsed } }: ViewContext,
  exchanges: readonly KeptExchange[],
  most: number,
): AsyncIterable<JournalEntry> => readEntries(most === 0 ? [] : exchanges.slice(-most).toReversed(), elapsed)

const toText = (body: KeptBody | undefined): string | undefined => (body?.encoding === 'utf-8' ? body.text : undefined)

/** The newest rows of the list, up to the `limit` in the URL. */
export async function toListPage(context: ViewContext): Promise<ListPage> {
  const asked = Number(/^\d{1,5}$/.exec(context.param('limit'))?.[0] ?? FIRST_ROWS)
  const exchanges = listExchanges(context)
  const text = context.param('text')
  const bodyFilter = hasBodyTerm(text) ? compileBodyFilter(text) : undefined
  const rows: Row[] = []
  const bodyHits: string[] = []
  for await (const entry of readNewest(context, exchanges, Math.min(asked, MOST_ROWS))) {
    rows.push(toRow(entry))
    const { id, request, response } = entry
    if (bodyFilter?.([toText(request.body), toText(response.body)]) === true) bodyHits.push(id)
  }
  const page = { rows, total: exchanges.length, own: context.session.journal.size }
  return bodyFilter === undefined ? page : { ...page, bodyHits }
}

/** The rows that a filter shows. */
export async function filterRows(
  { parts: { elapsed } }: ViewContext,
  { rows, bodyHits }: ListPage,
  filter: Filter,
): Promise<readonly Row[]> {
  const hits = bodyHits && new Set(bodyHits)
  const isAdmitted = compileFilter(filter, (id) => hits?.has(id) ?? true)
  const admitted: Row[] = []
  for await (const row of inSlices(rows, elapsed)) if (isAdmitted(row)) admitted.push(row)
  return admitted
}

/** Finds an exchange by its id in the journal of any session. */
export function findEntry({ parts, session }: ViewContext, id: string): JournalEntry | undefined {
  const found = session.journal.find(id)
  if (found !== undefined) return found
  for (const { journal } of parts.sessions.all()) {
    const elsewhere = journal === session.journal ? undefined : journal.find(id)
    if (elsewhere !== undefined) return elsewhere
  }
  return undefined
}
