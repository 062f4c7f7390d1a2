import type { Coverage, SessionCoverage, StoreMetrics } from '../journal/counts.ts'
import type { JournalEntry } from '../journal/record.ts'
import type { RuleCounters } from '../scenarios/rule-runner.ts'
import type { ChangeLog } from '../state/change.ts'

/** Identifies mocks that respond alike: only those may share a store. */
export interface Identity {
  /** The same text for mocks that are alike. */
  readonly text: string
  /** What distinguishes the mock from one with another text, a clause each. */
  readonly describe: (text: string) => readonly string[]
}

/** What a store needs from the mock that opens it. */
export interface SharedStoreParts {
  readonly identity: Identity
  /** After this many milliseconds the use of a session is noted again. */
  readonly useInterval: number
  /** Requests that the journal of each session keeps. */
  readonly journal: number
  /** The session limit of all mocks together. */
  readonly maxSessions: number
  /** How long a session must be idle before another one may end it, in milliseconds. */
  readonly sessionTtl: number
  /** Called when a session may have changed. */
  readonly onChange: (session: string) => void
  readonly metrics: Pick<StoreMetrics, 'observe' | 'retry'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Called with notices for the person who runs the mock: the store is gone, is back, may lose data. */
  readonly onNotice: (sentence: string) => void
}

/** Everything of a session except its data. */
export interface SharedSession {
  readonly counters: RuleCounters
  /** What a request counts for is sent with its entry of the journal, which follows; by itself if the journal keeps none. */
  readonly coverage: SessionCoverage
  /** Appends to the journal. */
  record(entry: JournalEntry): void
  clear(): void
  remove(ids: readonly string[]): void
  /**
   * Reads the counters, and what the journal has that was not read before.
   *
   * @returns whether the journal has to be emptied first, what has to be added to it, and how many requests it had in all
   */
  readDelta(): Promise<JournalDelta>
  /**
   * Resolves once the store has everything that this mock sent; undefined if there is nothing to wait for. Rejects if it could not
   * keep a write, but not for a request that the journal or the coverage lacks: the response to it stays the same.
   */
  settled(): Promise<void> | undefined
}

/** A request that some mock has recorded. */
export interface RecordedEntry {
  readonly entry: JournalEntry
  /** The length of its JSON text. */
  readonly characters: number
  /** In epoch milliseconds, by the clock of the store. */
  readonly recordedAt: number
}

/** What changed in a journal since the last read. */
export interface JournalDelta {
  /** Whether the entries are all that there are, in place of what was read before. */
  readonly isNew: boolean
  readonly entries: readonly RecordedEntry[]
  /** Those of the entries that were never read before. */
  readonly unseen: readonly JournalEntry[]
  /** Whether something that was read before is gone, and another mock has removed it. */
  readonly isShorter: boolean
  /** How many requests there were since the journal was last cleared. */
  readonly total: number
}

/**
 * Whether a session has begun, or is there already. If there are too many, it can begin once another one is ended: this mock is
 * to end it, unless it knows of a later use. Or there is none that may be ended.
 */
export type Admission =
  | { readonly kind: 'begun' }
  | { readonly kind: 'idle'; readonly name: string; readonly usedAt: number }
  | { readonly kind: 'full' }

/** A store that several mocks share, open. */
export interface OpenSharedStore {
  readonly log: ChangeLog
  /** Signs tokens; the same for all mocks. */
  readonly secret: string
  /** This mock is the first that was started, or the second, and so on. */
  readonly number: number
  /** The sessions that there are, and when each was last used in epoch milliseconds, to about `useInterval`. */
  sessions(): Promise<ReadonlyMap<string, number>>
  /** When a session was last used, as {@link OpenSharedStore.sessions} has it; undefined for one that there is not. */
  usedAt(name: string): Promise<number | undefined>
  /** Starts a session, unless it is new and there are too many. */
  begin(name: string): Promise<Admission>
  /** The sessions that changed since the last call. */
  changed(): Promise<ReadonlySet<string>>
  /** @param passed returns how many milliseconds a test has moved the clock of the session to the future */
  session(name: string, passed: () => number): SharedSession
  /** What the requests of all sessions have met. */
  readonly coverage: Pick<Coverage, 'read' | 'clear'>
  /** Notes that a session is used. */
  use(name: string): void
  /** Notes the next use of a session at once, since another mock has ended it. */
  forget(name: string): void
  /** Notes that a session has ended. */
  end(name: string): void
  close(): Promise<void>
}

/** A store that several mocks share. */
export interface SharedStore {
  /**
   * @throws {SetupError} if it cannot be reached, or is used by mocks that are not like this one.
   */
  open(parts: SharedStoreParts): Promise<OpenSharedStore>
}
