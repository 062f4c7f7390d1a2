import { Problem } from '../errors.ts'
import { stringifyJson } from '../http/json.ts'
import { parseDefinition } from '../scenarios/parse.ts'
import type { SessionCoverage } from '../journal/counts.ts'
import type { Journal } from '../journal/journal.ts'
import type { ScenarioState } from '../scenarios/engine.ts'
import type { Snapshot, ScenarioSelection } from '../state/state-data.ts'
import type { ClockMove, StoredScenario } from '../state/change.ts'
import type { RuleRunner } from '../scenarios/rule-runner.ts'
import type { Scenario } from '../scenarios/schema.ts'

/** One isolated copy of everything that changes; what it wrote is the store's. */
export interface Session {
  readonly name: string
  /** Epoch milliseconds. */
  lastUsedAt: number
  readonly clock: SessionClock
  /** Its scenarios. */
  readonly scenarios: ScenarioState
  /** Its last exchanges. */
  readonly journal: Journal
  /** What its requests have met. */
  readonly coverage: SessionCoverage
  /** By name, in the order of their taking. */
  readonly snapshots: ReadonlyMap<string, Snapshot>
  /** Resolves once a store that mocks share has all of its requests; undefined if there is nothing to wait for. */
  settled(): Promise<void> | undefined
  /** Frees what it keeps apart from the data. */
  end(): void
}

/** How the parts of a session are made. */
export interface SessionParts {
  readonly createClock: (session: string) => SessionClock
  readonly createScenarioState: (session: string, clock: SessionClock) => ScenarioState
  readonly createJournal: (session: string) => Journal
  readonly createCoverage: (session: string) => SessionCoverage
  readonly snapshots: (session: string) => ReadonlyMap<string, Snapshot>
  /** Absent where no other mock shares the sessions. */
  readonly settled?: ((session: string) => Promise<void> | undefined) | undefined
}

/** A session whose parts are made when they are first asked for, so that one which idles has next to nothing. */
export class LazySession implements Session {
  readonly name: string
  lastUsedAt: number
  readonly #parts: SessionParts
  #clock: SessionClock | undefined
  #scenarios: ScenarioState | undefined
  #journal: Journal | undefined
  #coverage: SessionCoverage | undefined

  constructor(name: string, now: number, parts: SessionParts) {
    this.name = name
    this.lastUsedAt = now
    this.#parts = parts
  }

  get clock(): SessionClock {
    return (this.#clock ??= this.#parts.createClock(this.name))
  }

  get scenarios(): ScenarioState {
    return (this.#scenarios ??= this.#parts.createScenarioState(this.name, this.clock))
  }

  get journal(): Journal {
    return (this.#journal ??= this.#parts.createJournal(this.name))
  }

  get coverage(): SessionCoverage {
    return (this.#coverage ??= this.#parts.createCoverage(this.name))
  }

  get snapshots(): ReadonlyMap<string, Snapshot> {
    return this.#parts.snapshots(this.name)
  }

  settled(): Promise<void> | undefined {
    return this.#parts.settled?.(this.name)
  }

  end(): void {
    this.#journal?.release()
  }
}

/** The clock of a session: that of the mock, until a test moves it. */
export interface SessionClock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds of a monotonic clock. A move to the future counts as time that has passed. */
  elapsed(): number
  /** Moves the clock to a time, in epoch milliseconds; it goes on from there. */
  set(time: number): void
  /** Goes back to the clock of the mock. */
  reset(): void
}

interface ClockParts {
  /** Epoch milliseconds by the mock's clock. */
  readonly clock: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** How far the clock was moved. */
  readonly read: () => ClockMove
  readonly move: (move: ClockMove) => void
}

export function createSessionClock({ clock, elapsed, read, move }: ClockParts): SessionClock {
  return {
    now: () => clock() + read().offset,
    elapsed: () => elapsed() + read().passed,
    set(time) {
      const { offset: before, passed } = read()
      const offset = time - clock()
      move({ offset, passed: passed + Math.max(0, offset - before) })
    },
    reset() {
      const { offset, passed } = read()
      if (offset !== 0) move({ offset: 0, passed })
    },
  }
}

const scenarios = new WeakMap<StoredScenario, Scenario | undefined>()
const definitions = new WeakMap<ScenarioSelection['defined'], ReadonlyMap<string, Scenario>>()

/** The scenario as the state keeps it. */
export function toStoredScenario(scenario: Scenario): StoredScenario {
  const { description, rules } = scenario
  const stored = { text: stringifyJson({ description, rules }) }
  scenarios.set(stored, scenario)
  return stored
}

/** The scenario of a stored one; undefined if this version cannot read it. */
function findScenario(name: string, stored: StoredScenario): Scenario | undefined {
  if (scenarios.has(stored)) return scenarios.get(stored)
  let scenario: Scenario | undefined
  try {
    // Whether its paths can be met was checked when it was defined.
    scenario = parseDefinition(name, stored.text, true)
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
  }
  scenarios.set(stored, scenario)
  return scenario
}

function readDefined(defined: ScenarioSelection['defined']): ReadonlyMap<string, Scenario> {
  const known = definitions.get(defined)
  if (known !== undefined) return known
  const read = new Map<string, Scenario>()
  for (const [name, stored] of defined) {
    const scenario = findScenario(name, stored)
    if (scenario !== undefined) read.set(name, scenario)
  }
  definitions.set(defined, read)
  return read
}

/**
 * Creates the scenario state of a session.
 *
 * @param selection reads what the session has chosen and defined
 */
export function createScenarioState(
  selection: () => ScenarioSelection,
  createRuleRunner: () => RuleRunner,
): ScenarioState {
  let runner: RuleRunner | undefined
  return {
    get active() {
      return selection().active
    },
    get defined() {
      return readDefined(selection().defined)
    },
    get runner() {
      return (runner ??= createRuleRunner())
    },
  }
}
