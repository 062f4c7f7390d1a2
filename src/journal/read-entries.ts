import { inSlices } from '../util/pause.ts'
import type { JournalEntry } from './entry.ts'
import type { KeptExchange } from './record.ts'

function* readEach(exchanges: Iterable<Pick<KeptExchange, 'entry'>>): Generator<JournalEntry, void> {
  for (const { entry } of exchanges) yield entry
}

/**
 * Reads entries one after the other, and lets other requests have their turn every few milliseconds. Whoever needs more
 * than one entry reads them here: to read a whole journal at once would hold everybody up.
 *
 * @param elapsed milliseconds of a monotonic clock
 */
export const readEntries = (
  exchanges: Iterable<Pick<KeptExchange, 'entry'>>,
  elapsed: () => number,
): AsyncGenerator<JournalEntry, void> => inSlices(readEach(exchanges), elapsed)
