import type { JournalEntry, KeptBody } from '../journal/entry.ts'
import { createPauses, scan } from '../query/effort.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
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

/** The first items, at most that many. */
export function take<Item>(items: Iterable<Item>, most: number): readonly Item[] {
  const taken: Item[] = []
  if (most === 0) return taken
  for (const item of items) if (taken.push(item) >= most) break
  return taken
}

/** The entries of several journals, newest first. */
function* merge(journals: readonly Iterable<JournalEntry>[]): Iterable<JournalEntry> {
  const heads = journals.flatMap((journal) => {
    const entries = journal[Symbol.iterator]()
    const first = entries.next()
    return first.done === true ? [] : [{ entry: first.value, entries }]
  })
  while (heads.length > 0) {
    const newest = heads.reduce((one, other) => (other.entry.time > one.entry.time ? other : one))
    yield newest.entry
    const next = newest.entries.next()
    if (next.done === true) heads.splice(heads.indexOf(newest), 1)
    else newest.entry = next.value
  }
}

/** The journals of the list: of the session, or of all sessions. */
const listJournals = ({ parts, session, param }: ViewContext) =>
  param('from') === EVERY_SESSION ? Array.from(parts.sessions.all(), ({ journal }) => journal) : [session.journal]

/** The exchanges of the list, newest first, read lazily. */
export function listEntries(context: ViewContext): Iterable<JournalEntry> {
  const journals = listJournals(context).map((journal) => journal.newest())
  const [only] = journals
  return journals.length === 1 && only !== undefined ? only : merge(journals)
}

export const countEntries = (context: ViewContext): number =>
  listJournals(context).reduce((count, { size }) => count + size, 0)

const toText = (body: KeptBody | undefined): string | undefined => (body?.encoding === 'utf-8' ? body.text : undefined)

/** After so many requests whose bodies are searched others have their turn. */
const MOST_SEARCHED = 4

/** The newest rows of the list, up to the `limit` in the URL. */
export async function toListPage(context: ViewContext): Promise<ListPage> {
  const asked = Number(/^\d{1,5}$/.exec(context.param('limit'))?.[0] ?? FIRST_ROWS)
  const entries = take(listEntries(context), Math.min(asked, MOST_ROWS))
  const text = context.param('text')
  const page = { rows: entries.map(toRow), total: countEntries(context), own: context.session.journal.size }
  if (!hasBodyTerm(text)) return page
  const admitsBodies = compileBodyFilter(text)
  const bodyHits: string[] = []
  await scan(entries, createPauses(MOST_SEARCHED), ({ id, request, response }) => {
    if (admitsBodies([toText(request.body), toText(response.body)])) bodyHits.push(id)
  })
  return { ...page, bodyHits }
}

function find(entries: Iterable<JournalEntry>, id: string): JournalEntry | undefined {
  for (const entry of entries) if (entry.id === id) return entry
  return undefined
}

/** Finds an exchange by its id in the journal of any session. */
export function findEntry({ parts, session }: ViewContext, id: string): JournalEntry | undefined {
  const found = find(session.journal.newest(), id)
  if (found !== undefined) return found
  for (const { journal } of parts.sessions.all()) {
    const elsewhere = journal === session.journal ? undefined : find(journal.newest(), id)
    if (elsewhere !== undefined) return elsewhere
  }
  return undefined
}
