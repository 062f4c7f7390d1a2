import { isFailedStatus } from './record.ts'
import type { KeptExchange } from './kept-exchange.ts'

/** Counts of requests in equal periods. */
export interface Histogram {
  /** Start of the first period in ISO 8601. */
  readonly from: string
  /** Length of a period in milliseconds: a power of two. */
  readonly step: number
  readonly counts: readonly number[]
  /** Counts of the requests that failed. */
  readonly failed: readonly number[]
}

const MOST_PERIODS = 200

/** Counts requests in at most as many periods as wanted; undefined without requests. */
export function toHistogram(
  exchanges: readonly Pick<KeptExchange, 'time' | 'status'>[],
  wanted: number,
): Histogram | undefined {
  if (exchanges.length === 0) return undefined
  const most = Math.min(Math.max(wanted, 1), MOST_PERIODS)
  let [earliest, latest] = [Infinity, -Infinity]
  for (const { time } of exchanges) {
    earliest = Math.min(earliest, time)
    latest = Math.max(latest, time)
  }
  let step = 1
  while (Math.floor(latest / step) - Math.floor(earliest / step) >= most) step *= 2
  const first = Math.floor(earliest / step)
  const counts = Array.from({ length: Math.floor(latest / step) - first + 1 }, () => 0)
  const failed = [...counts]
  for (const { time, status } of exchanges) {
    const at = Math.floor(time / step) - first
    counts[at] = (counts[at] ?? 0) + 1
    if (isFailedStatus(status)) failed[at] = (failed[at] ?? 0) + 1
  }
  return { from: new Date(first * step).toISOString(), step, counts, failed }
}
