import { SetupError } from './errors.ts'

/**
 * The mock's clock, in epoch milliseconds: the real one, or one that stands still.
 *
 * @param frozen ISO 8601
 * @throws {SetupError} for what is no date-time.
 */
export function createClock(frozen: string | undefined): () => number {
  if (frozen === undefined) return Date.now
  const at = Date.parse(frozen)
  if (Number.isNaN(at)) {
    throw new SetupError(`The clock ${JSON.stringify(frozen)} is no date-time. Give one such as 2026-01-31T12:00:00Z.`)
  }
  return () => at
}
