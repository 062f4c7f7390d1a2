import type { Journal } from '../journal/ring.ts'
import type { Stageplay } from '../scenarios/stageplay.ts'
import { createSnapshots } from '../state/snapshots.ts'
import type { Snapshots } from '../state/snapshots.ts'

/** One isolated copy of everything that changes; what it wrote is the store's. */
export interface Session {
  readonly name: string
  /** Epoch milliseconds. */
  lastUsedAt: number
  /** Its scenarios. */
  readonly stageplay: Stageplay
  /** Its last exchanges. */
  readonly journal: Journal
  readonly snapshots: Snapshots
  /** The path that a project's resources are under, behind what stood before the service's own path. */
  toCollection(prefix: string, projectKey: string): string
}

/** How the parts of a session are made. */
export interface SessionParts {
  readonly createStageplay: () => Stageplay
  readonly createJournal: () => Journal
}

/** Where a project's resources are, which most requests of a session ask for again. */
interface Collection {
  readonly prefix: string
  readonly projectKey: string
  readonly path: string
}

/** A session whose parts are made when they are first asked for, so that one which idles has next to nothing. */
export class LazySession implements Session {
  readonly name: string
  lastUsedAt: number
  readonly #parts: SessionParts
  #stageplay: Stageplay | undefined
  #journal: Journal | undefined
  #snapshots: Snapshots | undefined
  #collection: Collection | undefined

  constructor(name: string, now: number, parts: SessionParts) {
    this.name = name
    this.lastUsedAt = now
    this.#parts = parts
  }

  get stageplay(): Stageplay {
    return (this.#stageplay ??= this.#parts.createStageplay())
  }

  get journal(): Journal {
    return (this.#journal ??= this.#parts.createJournal())
  }

  get snapshots(): Snapshots {
    return (this.#snapshots ??= createSnapshots())
  }

  toCollection(prefix: string, projectKey: string): string {
    const known = this.#collection
    if (prefix === known?.prefix && projectKey === known.projectKey) return known.path
    const path = `${prefix}/${encodeURIComponent(projectKey)}/resource/`
    this.#collection = { prefix, projectKey, path }
    return path
  }
}
