import type { ChangeLog, Position } from './change-log.ts'
import type { Change, ProjectName } from './change.ts'
import type { VersionReader, Writer } from './history.ts'
import type { ProjectData } from './project-data.ts'
import type { ProjectAccess } from './project.ts'
import type { Arrangement, ClockMove, Snapshot, StateData } from './state-data.ts'
import type { StateLimits } from './usage.ts'

/** The state of every session, in memory; a change log keeps what is written. */
export interface Store {
  /** A project as the session sees it: until the session writes to it, the session's own seed, or else everyone's. */
  access(session: string, name: ProjectName): ProjectAccess
  /** The session's projects that were written to, its own seed among them; empty for a session that never wrote. */
  written(session: string): ReadonlyMap<string, ProjectData>
  /** The session's snapshots by name, in the order of their taking. */
  snapshots(session: string): ReadonlyMap<string, Snapshot>
  /** Which scenarios the session has chosen and defined. */
  arrangement(session: string): Arrangement
  /** How far the clock of the session was moved. A write that asks rests on the answer. */
  clock(session: string): ClockMove
  /** The versions that resources had since the fixtures, or since all data of their project or session were replaced. */
  readonly history: VersionReader
  /** Whether the session has written something. */
  has(session: string): boolean
  /** Those that have written something. */
  sessions(): Iterable<string>
  /** How many commits of a session this store has applied; 0 without a log. */
  position(session: string): Position
  /** Resolves once the store has all commits whose application has begun: large ones are applied in slices. */
  applied(): Promise<void>
  /** Takes over what others wrote to a session; undefined if there is nothing to wait for. */
  catchUp(session: string): Promise<void> | undefined
  /**
   * Runs an operation, and returns what it returns once its changes are kept: all of them, or none. Without a log that is at
   * once. With one, the operation runs again if another write has touched what it looked at. It begins with what the store has:
   * call {@link catchUp} first.
   *
   * @param operation reads and changes the session by {@link access} and {@link change}, without waiting for anything
   * @param writer who is named in the history
   * @throws whatever the operation throws; nothing is changed then.
   */
  write<Result>(session: string, operation: () => Result, writer?: Writer): Result | Promise<Result>
  /**
   * Changes what a session has. Within {@link write} that counts once the write is kept. Outside of it, it counts at once, and the
   * log follows: for sessions that end because they were idle.
   *
   * @throws {Problem} 400 if the session was permanently deleted, 413 or 503 if a limit is reached; nothing is changed then.
   */
  change(session: string, change: Change): void
  /** Resolves when all that was written until now is kept, or could not be. */
  close(): Promise<void>
  /** Why the last write could not be kept; undefined once one has been again. */
  fault(): unknown
}

export interface StoreParts {
  /** What every project starts with, now; never written to. */
  readonly seed: () => ProjectData
  /** What there is already. */
  readonly state?: StateData
  /** Absent: memory only. */
  readonly log?: ChangeLog | undefined
  /** Called before each write of a session; throws where it cannot be written to, whatever was under way in it. */
  readonly enter?: (session: string) => void
  /** How much may be kept. Default: images of 100 MiB a session. */
  readonly limits?: StateLimits
  /** Called where all sessions together have no room left; frees some, and tells whether it could. */
  readonly makeRoom?: () => boolean
  /** Called with each write to a project. */
  readonly onWrite?: (session: string, name: ProjectName) => void
  /** Called with each change that another mock has made, once it is applied. */
  readonly onForeign?: (session: string, change: Change) => void
}
