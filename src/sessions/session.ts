import type { SessionCoverage } from '../journal/coverage.ts'
import type { Journal } from '../journal/journal.ts'
import type { ScenarioState } from '../scenarios/scenario-state.ts'
import type { Snapshot } from '../state/state-data.ts'
import type { SessionClock } from './session-clock.ts'

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
