import type { Journal } from '../journal/journal.ts'
import type { ScenarioState } from '../scenarios/scenario-state.ts'
import type { Snapshots } from '../state/snapshots.ts'

/** One isolated copy of everything that changes; what it wrote is the store's. */
export interface Session {
  readonly name: string
  /** Epoch milliseconds. */
  lastUsedAt: number
  /** Its scenarios. */
  readonly scenarios: ScenarioState
  /** Its last exchanges. */
  readonly journal: Journal
  readonly snapshots: Snapshots
  /** Whether someone chose or defined scenarios in it, or took snapshots. */
  readonly isArranged: boolean
  /** Frees what it keeps beside the data. */
  end(): void
}

/** How the parts of a session are made. */
export interface SessionParts {
  readonly createScenarioState: () => ScenarioState
  readonly createJournal: () => Journal
  readonly createSnapshots: () => Snapshots
}

/** A session whose parts are made when they are first asked for, so that one which idles has next to nothing. */
export class LazySession implements Session {
  readonly name: string
  lastUsedAt: number
  readonly #parts: SessionParts
  #scenarios: ScenarioState | undefined
  #journal: Journal | undefined
  #snapshots: Snapshots | undefined

  constructor(name: string, now: number, parts: SessionParts) {
    this.name = name
    this.lastUsedAt = now
    this.#parts = parts
  }

  get scenarios(): ScenarioState {
    return (this.#scenarios ??= this.#parts.createScenarioState())
  }

  get journal(): Journal {
    return (this.#journal ??= this.#parts.createJournal())
  }

  get snapshots(): Snapshots {
    return (this.#snapshots ??= this.#parts.createSnapshots())
  }

  get isArranged(): boolean {
    const { active, defined } = this.#scenarios ?? {}
    return active !== undefined || (defined?.size ?? 0) > 0 || (this.#snapshots?.all().length ?? 0) > 0
  }

  end(): void {
    this.#journal?.clear()
    this.#snapshots?.clear()
  }
}
