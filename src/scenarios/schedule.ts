import type { Rule, Scenario } from './schema.ts'

/** Whether a rule acts this many seconds after its scenario was switched on. */
function isDue({ during: { from = 0, to = Infinity } = {}, flapping }: Rule, seconds: number): boolean {
  if (seconds < from || seconds >= to) return false
  return flapping === undefined || (seconds - from) % (flapping.up + flapping.down) >= flapping.up
}

/** Knows when the scenarios of a session were switched on. */
export interface Schedule {
  isDue(scenario: Scenario, rule: Rule): boolean
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
    isDue(scenario, rule) {
      if (rule.during === undefined && rule.flapping === undefined) return true
      const start = findStart(scenario)
      return isDue(rule, (elapsed() - start) / 1000)
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
