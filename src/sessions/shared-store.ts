import type { Coverage, SessionCoverage, StoreMetrics } from './journal/counts.ts'
import type { RedactedExchange } from './journal/record.ts'
import type { RuleCounters } from '../service/scenarios/rule-runner.ts'
import type { ChangeLog, KeptCommit, LogPosition } from '../service/state/change.ts'

/** Identifies mocks that respond alike; only these can share a store. */
export interface StoreIdentity {
  /** Equal for mocks that respond alike. */
  readonly text: string
  /** Lists the differences from the mock with the given text, one clause each. */
  readonly describe: (text: string) => readonly string[]
}

/** What a store needs from the mock that opens it. */
export interface SharedStoreParts {
  readonly identity: StoreIdentity
  /** Minimum interval between records of a session's use, in milliseconds. */
  readonly useInterval: number
  /** Maximum number of requests in each session's journal. */
  readonly journal: number
  /** The session limit of all mocks together. */
  readonly maxSessions: number
  /** Minimum idle time before a session may be ended for another one, in milliseconds. */
  readonly sessionTtl: number
  readonly metrics: Pick<StoreMetrics, 'observe' | 'retry'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Called with notices for the person who runs the mock: the store disconnected, reconnected, or may lose data. */
  readonly onNotice: (sentence: string) => void
}

/** Everything of a session except its data. */
export interface SharedSession {
  readonly counters: RuleCounters
  /**
   * Counts a request. The counts are sent with the journal entry that follows, or separately if the journal stores none.
   */
  readonly coverage: SessionCoverage
  /** Appends to the journal. */
  record(entry: RedactedExchange): void
  /**
   * Appends a read to the journal, unless the session's log is no longer at the position where it read.
   *
   * @returns the commits that it missed; undefined if it was appended
   */
  recordRead(entry: RedactedExchange, after: LogPosition): Promise<readonly KeptCommit[] | undefined>
  clear(): void
  remove(ids: readonly string[]): void
  /**
   * Reads the counters and the new journal entries.
   *
   * @returns whether to clear the journal first, which entries to add, and the total number of requests
   */
  readDelta(): Promise<JournalDelta>
  /**
   * Resolves once the store has everything that this mock sent; undefined if there is nothing to wait for. Rejects if a
   * write could not be stored, but not for a request missing from the journal or coverage: its response stays the same.
   */
  settled(): Promise<void> | undefined
}

/** A request recorded by any mock. */
export interface RecordedEntry {
  readonly entry: RedactedExchange
  /** The length of its JSON text. */
  readonly characters: number
  /** In epoch milliseconds, by the clock of the store. */
  readonly recordedAt: number
}

/** The changes in a journal since the last read. */
export interface JournalDelta {
  /** Whether the entries are the complete journal and replace those read before. */
  readonly isNew: boolean
  readonly entries: readonly RecordedEntry[]
  /** The entries that were never read before. */
  readonly unseen: readonly RedactedExchange[]
  /** Whether another mock has removed entries that were read before. */
  readonly isShorter: boolean
  /** The number of requests since the journal was last cleared. */
  readonly total: number
}

/**
 * Whether a session was started or already exists. At the session limit, another one must end first: either this mock has
 * to end it, unless it knows of a later use, or none may be ended.
 */
export type Admission =
  | { readonly kind: 'begun' }
  | { readonly kind: 'idle'; readonly name: string; readonly usedAt: number }
  | { readonly kind: 'full' }

/** The name under which changes to the runs are published. No session has it. */
export const RUNS = '~'

/** The runs and the archived sessions of all mocks, as text. Everything in it expires. */
export interface SharedArchive {
  /** Appends a change to the runs. */
  append(change: string): Promise<void>
  /** Reads what other mocks have appended since the last read, oldest first. */
  readChanges(): Promise<readonly string[]>
  /** Stores an archived session. The other mocks find it once it is complete. */
  put(id: string, parts: AsyncIterable<string>): Promise<void>
  /** Reads an archived session; undefined if it does not exist. */
  get(id: string): Promise<readonly string[] | undefined>
  remove(id: string): Promise<void>
}

/** An open store shared by several mocks. */
export interface OpenSharedStore {
  readonly log: ChangeLog
  /** Signs tokens; the same for all mocks. */
  readonly secret: string
  /** The number of this mock in start order, from 1. */
  readonly number: number
  /** The existing sessions and when each was last used, in epoch milliseconds, accurate to about `useInterval`. */
  sessions(): Promise<ReadonlyMap<string, number>>
  /** When a session was last used, as in {@link OpenSharedStore.sessions}; undefined if it does not exist. */
  usedAt(name: string): Promise<number | undefined>
  /** Starts a session, unless it is new and the limit is reached. */
  begin(name: string): Promise<Admission>
  /** Sets what to call with the name of a session that may have changed, or with {@link RUNS}. */
  listen(onChange: (session: string) => void): void
  /** The sessions that changed since the last call. */
  changed(): Promise<ReadonlySet<string>>
  /** @param passed returns how many milliseconds a test has moved the session's clock forward */
  session(name: string, passed: () => number): SharedSession
  /** The coverage of all sessions. */
  readonly coverage: Coverage
  readonly archive: SharedArchive
  /** Records a use of a session. */
  use(name: string): void
  /** Records the next use of a session immediately, because another mock has ended it. */
  forget(name: string): void
  /** Records that a session has ended. */
  end(name: string): void
  close(): Promise<void>
}

/** A store shared by several mocks. */
export interface SharedStore {
  /** @throws {SetupError} if it cannot be reached, or is used by mocks with other settings. */
  open(parts: SharedStoreParts): Promise<OpenSharedStore>
}
