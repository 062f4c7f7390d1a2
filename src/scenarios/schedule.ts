import type { Rule, Scenario } from './schema.ts'

/** Whether when a rule acts depends on the clock. */
export const isTimed = ({ during, flapping }: Rule): boolean => during !== undefined || flapping !== undefined

/** Whether a rule acts this many seconds after its scenario was switched on. */
export function isDue({ during: { from = 0, to = Infinity } = {}, flapping }: Rule, seconds: number): boolean {
  if (seconds < from || seconds >= to) return false
  return flapping === undefined || (seconds - from) % (flapping.up + flapping.down) >= flapping.up
}

/** Knows when the scenarios of a session were switched on. */
export interface Schedule {
  /** The milliseconds since then. */
  elapsed(scenario: Scenario): number
  restart(scenario: Scenario): void
  restartAll(): void
}

/** @param elapsed milliseconds of a clock that never stands still */
export function createSchedule(elapsed: () => number): Schedule {
  let starts = new WeakMap<Scenario, number>()
  let restartedAt: number | undefined

  /** A scenario of the command line or of a header is switched on by the first request. */
  function findStart(scenario: Scenario): number {
    const start = starts.get(scenario) ?? restartedAt ?? elapsed()
    starts.set(scenario, start)
    return start
  }

  return {
    elapsed(scenario) {
      const start = findStart(scenario)
      return elapsed() - start
    },
    restart(scenario) {
      starts.set(scenario, elapsed())
    },
    restartAll() {
      starts = new WeakMap()
      restartedAt = elapsed()
    },
  }
}
