import { isFailure, toDurationText } from './row.ts'
import type { Row } from './row.ts'

/** What the charts need to know about a request. */
export type Beat = Pick<Row, 'time' | 'status' | 'duration'>

/** How far back the charts go, in milliseconds. */
export const SPAN = 5 * 60_000
const BUCKETS = 60
const BUCKET = SPAN / BUCKETS
const MINUTE = 60_000
const WIDTH = 10
const HEIGHT = 40

/** The box that all charts are drawn in. */
export const VIEW_BOX = `0 0 ${BUCKETS * WIDTH} ${HEIGHT}`

/** A chart: what it counts, in words, and its shape as the `d` of an SVG path. */
export interface Chart {
  readonly value: string
  readonly detail: string
  readonly shape: string
}

/** The charts over the list of requests. */
export interface Timeline {
  readonly rate: Chart
  readonly latency: Chart
  readonly errors: Chart
}

/** A `Float64Array` sorts numbers without a comparison function, many times faster. */
const toSorted = (values: readonly number[]): Float64Array => Float64Array.from(values).toSorted()

/** The quantile of sorted values, such as 0.95; 0 without values. */
const toQuantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

/** A bar for each value; the smallest is still visible. */
function toBars(values: readonly number[], greatest: number): string {
  return values
    .map((value, at) => {
      if (value === 0) return ''
      const height = Math.max(2, Math.round((value / greatest) * HEIGHT))
      return `M${at * WIDTH + 1} ${HEIGHT}v-${height}h${WIDTH - 2}v${height}z`
    })
    .join('')
}

const toShare = (part: number, whole: number): string =>
  whole === 0 ? '0%' : `${((part / whole) * 100).toFixed(part === 0 || part === whole ? 0 : 1)}%`

interface Period {
  /** The present, in epoch milliseconds. */
  readonly now: number
  /** The time of the oldest request, if older ones are left out. */
  readonly since?: number | undefined
}

/** Requests per minute: of the last minute, or extrapolated if less than a minute is known. */
function toRate(lastMinute: number, now: number, since: number): string {
  const seen = Math.max(1000, Math.min(MINUTE, now - since))
  return `${Math.round((lastMinute * MINUTE) / seen)}/min`
}

/** The charts of the last minutes, of rate, latency and errors. */
export function toTimeline(beats: Iterable<Beat>, { now, since = -Infinity }: Period): Timeline {
  const buckets = Array.from({ length: BUCKETS }, () => ({ durations: [] as number[], failures: 0 }))
  const durations: number[] = []
  let failures = 0
  let lastMinute = 0
  for (const beat of beats) {
    // Clocks may differ a little: a time in the future counts as now.
    const time = Math.min(beat.time, now)
    // Bars start at multiples of their length, so that they move without changing their height.
    const bucket = buckets[BUCKETS - 1 - (Math.floor(now / BUCKET) - Math.floor(time / BUCKET))]
    if (bucket === undefined) continue
    bucket.durations.push(beat.duration)
    durations.push(beat.duration)
    if (now - time < MINUTE) lastMinute += 1
    if (!isFailure(beat)) continue
    bucket.failures += 1
    failures += 1
  }
  const counts = buckets.map((bucket) => bucket.durations.length)
  const latencies = buckets.map((bucket) => toQuantile(toSorted(bucket.durations), 0.95))
  const most = Math.max(1, ...counts)
  const sorted = toSorted(durations)
  return {
    rate: {
      value: toRate(lastMinute, now, since),
      detail: now - since < SPAN ? `newest ${durations.length} requests` : `${durations.length} in 5 minutes`,
      shape: toBars(counts, most),
    },
    latency: {
      value: toDurationText(toQuantile(sorted, 0.95)),
      detail: `95th percentile; median ${toDurationText(toQuantile(sorted, 0.5))}`,
      shape: toBars(latencies, Math.max(1, ...latencies)),
    },
    errors: {
      value: String(failures),
      detail: `${toShare(failures, durations.length)} of requests`,
      // On the same scale as the rate, so that the two can be compared.
      shape: toBars(
        buckets.map((bucket) => bucket.failures),
        most,
      ),
    },
  }
}
