import type { Change } from './change.ts'
import type { Writer } from './history.ts'

/** How many commits a log has kept; 0 at its beginning. */
export type Position = number

/** The changes of one write to one session: kept together, or not at all. */
export interface Commit {
  readonly session: string
  /** Up to where the write had seen the log. */
  readonly at: Position
  /** What the write rests on, by the names of `footprint.ts`. */
  readonly reads: ReadonlySet<string>
  /** What its changes touch. */
  readonly touches: ReadonlySet<string>
  readonly changes: readonly Change[]
  readonly writer?: Writer | undefined
}

/** A commit that a log has kept. */
export interface KeptCommit {
  readonly position: Position
  readonly changes: readonly Change[]
  /** Absent where the log does not say. */
  readonly writer?: Writer | undefined
}

/**
 * What became of a commit: kept, or overtaken by another one that touched what it rests on. `commits` are those of its
 * session that the writer had not seen, its own included, in order.
 */
export interface Verdict {
  readonly isKept: boolean
  readonly commits: readonly KeptCommit[]
}

/** Keeps the changes of sessions, for a restart or for other mocks. A mock that has none keeps nothing. */
export interface ChangeLog {
  /** The commits of a session after a position; undefined if nobody else writes to the log, so that there are none. */
  since(session: string, at: Position): Promise<readonly KeptCommit[]> | undefined
  /** Keeps a commit, unless it was overtaken. Rejects if it cannot be kept; then none of it is. */
  append(commit: Commit): Promise<Verdict>
  /** Resolves when all that was appended is kept, or could not be. */
  close(): Promise<void>
  /** Why the last append failed; undefined once one has succeeded again. */
  fault(): unknown
}
