import type { ProjectData, ProjectChange } from './project-data.ts'

/** The projects of one session that were written to, by the ids of `toProjectId`. */
export type SessionData = Map<string, ProjectData>

/** A scenario that a session defined, as its JSON text. Another definition is another object. */
export interface StoredScenario {
  readonly text: string
}

/** How far a test has moved the clock of a session, in milliseconds. */
export interface ClockMove {
  /** What the clock of the session is ahead of that of the mock; below 0 if it is behind. */
  readonly offset: number
  /** All moves to the future: they count as time that has passed, also once the clock is put back. */
  readonly passed: number
}

/**
 * What a write does to a session. The same changes in the same order always make the same data: a change is all that
 * a file, or another mock, needs to know of a write.
 */
export type Change =
  | (ProjectChange & { readonly project: string })
  /** Replaces all that a project has; without data: with the fixtures. */
  | { readonly kind: 'project'; readonly project: string; readonly data?: ProjectData }
  /** Replaces all that a session has; without data: with the fixtures. */
  | { readonly kind: 'session'; readonly data?: SessionData }
  /** The session ends, its snapshots included; permanently if it is final. */
  | { readonly kind: 'end'; readonly isFinal?: true }
  /** Takes a snapshot of the session's data; without a time: removes the snapshot. */
  | { readonly kind: 'snapshot'; readonly name: string; readonly takenAt?: string }
  /** Replaces all that a session has with a snapshot. */
  | { readonly kind: 'restore'; readonly name: string }
  /** Activates scenarios; without names: those of the command line. */
  | { readonly kind: 'active'; readonly names?: readonly string[] }
  /** Defines a scenario; without one: removes it. */
  | { readonly kind: 'scenario'; readonly name: string; readonly scenario?: StoredScenario }
  /** Moves the clock of the session, or puts it back. */
  | ({ readonly kind: 'clock' } & ClockMove)

/** A part of a project that an operation reads or a change writes. */
export type StateKey =
  | `id ${string}`
  | `key ${string}`
  | 'latest'
  | 'count'
  | 'action'
  | `posted ${string}`
  | 'anything'

/** Everything in a session: what a reset writes. */
const SESSION = 'session'

/** How far the clock of the session was moved. */
const CLOCK = 'clock'

const nameOf = (project: string, key: StateKey | 'everything'): string => `${project}\n${key}`

/** Notes that a key of a project was read. Replacing the project, or the whole session, writes every key. */
export function noteRead(readKeys: Set<string>, project: string, key: StateKey): void {
  readKeys.add(SESSION).add(nameOf(project, 'everything')).add(nameOf(project, key))
}

/** Notes that the clock of the session was read. Its end puts the clock back, too. */
export function noteClockRead(readKeys: Set<string>): void {
  readKeys.add(SESSION).add(CLOCK)
}

/** The keys of a project that a change writes. */
function listWriteKeys(change: Change, before: ProjectData): readonly StateKey[] {
  switch (change.kind) {
    case 'put': {
      const { id, key } = change.resource
      const previous = before.find(id)
      const keys = [previous?.key, key].filter((one) => one !== undefined)
      return [
        `id ${id}`,
        ...keys.map((one) => `key ${one}` as const),
        'latest',
        ...(previous === undefined ? ['count' as const] : []),
      ]
    }
    case 'remove': {
      const key = before.find(change.id)?.key
      return [`id ${change.id}`, ...(key === undefined ? [] : [`key ${key}` as const]), 'latest', 'count']
    }
    case 'posted':
      return [`posted ${change.name}`]
    case 'action':
      return ['action']
    default:
      return []
  }
}

/**
 * Notes what a change writes. A write that read one of the keys before has to be tried again.
 *
 * @param read reads a project as it is before the change
 */
export function noteWritten(writeKeys: Set<string>, change: Change, read: (project: string) => ProjectData): void {
  if (change.kind === 'session' || change.kind === 'restore' || change.kind === 'end') writeKeys.add(SESSION)
  if (change.kind === 'clock') writeKeys.add(CLOCK)
  if (!('project' in change)) return
  if (change.kind === 'project') writeKeys.add(nameOf(change.project, 'everything'))
  const keys = listWriteKeys(change, read(change.project))
  for (const key of [...keys, 'anything' as const]) writeKeys.add(nameOf(change.project, key))
}

/** Whether a write read what another one wrote. */
export function isOvertaken(readKeys: ReadonlySet<string>, writeKeys: ReadonlySet<string>): boolean {
  for (const one of writeKeys) if (readKeys.has(one)) return true
  return false
}

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

/** Who made a write. */
export type Writer =
  /** A request of the service, by its correlation id. */
  | { readonly kind: 'request'; readonly correlationId: string }
  /** The other writer of a scenario, which came before a request. */
  | { readonly kind: 'scenario'; readonly scenario: string; readonly correlationId: string }
  /** The admin API, and when by the session's clock, ISO 8601: the record that it wrote may name any time. */
  | { readonly kind: 'admin'; readonly time: string }
