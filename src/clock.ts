import { isDateTime } from './contract/date-time.ts'
import { SetupError } from './errors.ts'

/**
 * The mock's clock, in epoch milliseconds: the real one, or one that stands still.
 *
 * @param frozen ISO 8601, with time and offset
 * @throws {SetupError} for what is no date-time, and for a day that no month has.
 */
export function createClock(frozen: string | undefined): () => number {
  if (frozen === undefined) return Date.now
  if (!isDateTime(frozen)) {
    throw new SetupError(
      `The clock ${JSON.stringify(frozen)} is no ISO 8601 date-time. Give date, time and offset, such as 2026-01-31T12:00:00Z.`,
    )
  }
  const at = Date.parse(frozen)
  return () => at
}
