import type { JournalEntry } from '../journal/entry.ts'
import { EVERY_SESSION } from '../sessions/events.ts'
import { toRow } from './row.ts'
import type { Row } from './row.ts'
import type { Show } from './show.ts'

/** The exchanges that the list is about, newest first: those of the session, or of all where the address says so. */
export function listEntries({ parts, session, param }: Show): readonly JournalEntry[] {
  if (param('from') !== EVERY_SESSION) return session.journal.entries().toReversed()
  return [...parts.sessions.all()].flatMap(({ journal }) => journal.entries()).toSorted((a, b) => b.time - a.time)
}

/** The rows of the list of requests, newest first. */
export const listRows = (show: Show): readonly Row[] => listEntries(show).map(toRow)

/** An exchange by its id, in the journal of whichever session has it. */
export function findEntry({ parts, session }: Show, id: string): JournalEntry | undefined {
  const found = session.journal.find(id)
  if (found !== undefined) return found
  for (const { journal } of parts.sessions.all()) {
    const elsewhere = journal.find(id)
    if (elsewhere !== undefined) return elsewhere
  }
  return undefined
}
