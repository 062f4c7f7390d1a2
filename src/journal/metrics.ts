/** What was counted of one operation and status. */
export interface Count {
  /** Undefined: the request met none. */
  readonly operation: string | undefined
  /** 0 where the connection was broken off. */
  readonly status: number
  readonly requests: number
  /** In milliseconds, of all of them. */
  readonly duration: number
}

/** Counts what is served. */
export interface Metrics {
  count(operation: string | undefined, status: number, duration: number): void
  counts(): readonly Count[]
}

interface Tally {
  requests: number
  duration: number
}

export function createMetrics(): Metrics {
  const byOperation = new Map<string | undefined, Map<number, Tally>>()
  return {
    count(operation, status, duration) {
      let byStatus = byOperation.get(operation)
      if (byStatus === undefined) byOperation.set(operation, (byStatus = new Map<number, Tally>()))
      const tally = byStatus.get(status)
      if (tally === undefined) {
        byStatus.set(status, { requests: 1, duration })
        return
      }
      tally.requests += 1
      tally.duration += duration
    },
    counts: () =>
      Array.from(byOperation, ([operation, byStatus]) =>
        Array.from(byStatus, ([status, tally]) => ({ operation, status, ...tally })),
      ).flat(),
  }
}
