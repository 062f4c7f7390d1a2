/** How long requests of one kind took. */
export interface Durations {
  readonly requests: number
  /** In milliseconds, of all of them. */
  readonly duration: number
  /** How many requests each bucket of {@link BOUNDS} has; the last one is for longer requests. */
  readonly buckets: readonly number[]
}

/** What was counted of one operation and status. */
export interface Count extends Durations {
  /** Undefined if the request matched none. */
  readonly operation: string | undefined
  /** 0 if a fault broke the connection. */
  readonly status: number
}

/** What was counted of one scenario. */
export interface ScenarioCount {
  readonly scenario: string
  readonly requests: number
}

/** One measurement of the process that the mock runs in. */
export interface ProcessGauge {
  readonly name: string
  readonly help: string
  readonly value: number
}

/** The upper bounds of the buckets of durations, in milliseconds. */
export const BOUNDS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** How many scenarios are counted: tests may define and delete any number. */
const MOST_SCENARIOS = 1000

/** Counts what is served. */
export interface Metrics {
  count(operation: string | undefined, status: number, duration: number, scenarios: readonly string[]): void
  counts(): readonly Count[]
  scenarios(): readonly ScenarioCount[]
}

/** Counts durations. */
export class Tally implements Durations {
  requests = 0
  duration = 0
  readonly buckets: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0)

  /** @param duration in milliseconds */
  add(duration: number): void {
    this.requests += 1
    this.duration += duration
    const bucket = toBucket(duration)
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
  }
}

/** The index of the bucket of a duration. */
function toBucket(duration: number): number {
  let at = 0
  while (duration > (BOUNDS[at] ?? Infinity)) at += 1
  return at
}

export function createMetrics(): Metrics {
  const byOperation = new Map<string | undefined, Map<number, Tally>>()
  const byScenario = new Map<string, number>()

  function countScenario(scenario: string): void {
    const known = byScenario.get(scenario)
    if (known !== undefined || byScenario.size < MOST_SCENARIOS) byScenario.set(scenario, (known ?? 0) + 1)
  }

  return {
    count(operation, status, duration, scenarios) {
      for (const scenario of scenarios) countScenario(scenario)
      let byStatus = byOperation.get(operation)
      if (byStatus === undefined) byOperation.set(operation, (byStatus = new Map<number, Tally>()))
      let tally = byStatus.get(status)
      if (tally === undefined) byStatus.set(status, (tally = new Tally()))
      tally.add(duration)
    },
    counts: () =>
      Array.from(byOperation, ([operation, byStatus]) =>
        Array.from(byStatus, ([status, { requests, duration, buckets }]) => ({
          operation,
          status,
          requests,
          duration,
          buckets,
        })),
      ).flat(),
    scenarios: () => Array.from(byScenario, ([scenario, requests]) => ({ scenario, requests })),
  }
}

/** Measures the requests to a store that mocks share. */
export interface StoreMetrics {
  /** Counts a command by its name, and how many milliseconds it took. */
  observe(command: string, duration: number): void
  /** Counts a command that is sent once more. */
  retry(): void
  readonly retries: number
  readonly commands: ReadonlyMap<string, Durations>
}

export function createStoreMetrics(): StoreMetrics {
  const commands = new Map<string, Tally>()
  let retries = 0
  return {
    observe(command, duration) {
      let tally = commands.get(command)
      if (tally === undefined) commands.set(command, (tally = new Tally()))
      tally.add(duration)
    },
    retry() {
      retries += 1
    },
    get retries() {
      return retries
    },
    commands,
  }
}
