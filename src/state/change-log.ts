import type { Change } from './change.ts'
import type { Writer } from './history.ts'

/** How many commits a log has kept; 0 for an empty log. */
export type Position = number

/** How far a reader has read the log of a session. */
export interface LogPosition {
  readonly position: Position
  /** The id of the last commit that was read, if the log has commit ids. */
  readonly commitId?: string | undefined
}

/** The start of a log. */
export const START: LogPosition = { position: 0 }

/** For a write that depends on nothing it has read. */
export const ANY_POSITION: LogPosition = { position: Infinity }

/** The changes of one write to one session, kept all or none. */
export interface Commit {
  readonly session: string
  /** The position of the log that the write started from. */
  readonly after: LogPosition
  /** What the write read; see `noteRead`. */
  readonly readKeys: ReadonlySet<string>
  /** What it changed; see `noteWritten`. */
  readonly writeKeys: ReadonlySet<string>
  readonly changes: readonly Change[]
  readonly writer?: Writer | undefined
}

/** A commit that a log has kept. */
export interface KeptCommit extends LogPosition {
  readonly changes: readonly Change[]
  /** Undefined if the log does not know. */
  readonly writer?: Writer | undefined
  /** Its changes build the session from nothing, replacing what the reader has. */
  readonly isWhole?: true
  /** Written by another mock. */
  readonly isForeign?: true
}

/**
 * Whether a commit was kept, or overtaken by one that wrote what it had read. `commits` are those of its session that the
 * writer had not seen, its own included, in order.
 */
export interface Verdict {
  readonly isKept: boolean
  readonly commits: readonly KeptCommit[]
  /** Whether the session should be compacted: see {@link ChangeLog.compact}. */
  readonly isLong?: boolean
}

/** Keeps the changes of sessions, for a restart or for other mocks. */
export interface ChangeLog {
  /** The commits of a session after a position; undefined if no other mock writes to the log. */
  since(session: string, after: LogPosition): Promise<readonly KeptCommit[]> | undefined
  /** Keeps a commit, unless it was overtaken. Rejects if it cannot be kept; then none of it is. */
  append(commit: Commit): Promise<Verdict>
  /**
   * Replaces the commits of a session up to a position by its state there. Absent if the log compacts itself.
   *
   * @param changes build the session from nothing
   */
  compact?(session: string, at: LogPosition, changes: readonly Change[]): Promise<void>
  /** Resolves once all appended commits are kept or have failed. */
  close(): Promise<void>
  /** Why the last append failed; undefined once one has succeeded again. */
  fault(): unknown
}
