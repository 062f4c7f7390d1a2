import type { Change } from './change.ts'
import type { Writer } from './history.ts'

/** How many commits a log has kept; 0 at its beginning. */
export type Position = number

/** How far a reader has come in the log of a session. */
export interface Place {
  readonly position: Position
  /** The mark of the commit there, if the log gives marks. */
  readonly mark?: string | undefined
}

/** The beginning of a log. */
export const START: Place = { position: 0 }

/** Not a place of the log: the write rests on nothing. */
export const ANYWHERE: Place = { position: Infinity }

/** The changes of one write to one session: kept together, or not at all. */
export interface Commit {
  readonly session: string
  /** Up to where the write had seen the log. */
  readonly at: Place
  /** What the write rests on, by the names of `footprint.ts`. */
  readonly reads: ReadonlySet<string>
  /** What its changes touch. */
  readonly touches: ReadonlySet<string>
  readonly changes: readonly Change[]
  readonly writer?: Writer | undefined
}

/** A commit that a log has kept. */
export interface KeptCommit extends Place {
  readonly changes: readonly Change[]
  /** Absent where the log does not say. */
  readonly writer?: Writer | undefined
  /** Its changes make the session from nothing: what the reader has of it goes first. */
  readonly isWhole?: true
  /** Another mock has written it. */
  readonly isForeign?: true
}

/**
 * What became of a commit: kept, or overtaken by another one that touched what it rests on. `commits` are those of its
 * session that the writer had not seen, its own included, in order.
 */
export interface Verdict {
  readonly isKept: boolean
  readonly commits: readonly KeptCommit[]
  /** So much has been appended that the log should take over the whole session by {@link ChangeLog.fold}. */
  readonly isLong?: boolean
}

/** Keeps the changes of sessions, for a restart or for other mocks. A mock that has none keeps nothing. */
export interface ChangeLog {
  /** The commits of a session after a position; undefined if nobody else writes to the log, so that there are none. */
  since(session: string, at: Place): Promise<readonly KeptCommit[]> | undefined
  /** Keeps a commit, unless it was overtaken. Rejects if it cannot be kept; then none of it is. */
  append(commit: Commit): Promise<Verdict>
  /**
   * Takes over what a session is at a place, so that a later reader needs no commit before it. Absent where the log does
   * that by itself.
   *
   * @param changes make the session from nothing
   */
  fold?(session: string, at: Place, changes: readonly Change[]): Promise<void>
  /** Resolves when all that was appended is kept, or could not be. */
  close(): Promise<void>
  /** Why the last append failed; undefined once one has succeeded again. */
  fault(): unknown
}
