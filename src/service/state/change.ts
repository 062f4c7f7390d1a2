import type { ProjectData, ProjectChange } from './project-data.ts'

/** The projects of one session that have been written to, by the ids of `toProjectId`. */
export type SessionData = Map<string, ProjectData>

/** A scenario defined by a session, as JSON text. Each definition is a new object. */
export interface StoredScenario {
  readonly text: string
}

/** The clock cannot move beyond the range of a `Date`. */
export const FURTHEST = 8e15

/** The years that ISO 8601 writes with four digits, in epoch milliseconds. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** The nearest time that ISO 8601 writes with four digits. */
export const toKeptTime = (at: number): number => Math.min(LATEST, Math.max(EARLIEST, at))

/** Epoch milliseconds as ISO 8601 with milliseconds and Z, within the years 0000 to 9999. */
export const toTime = (at: number): string => new Date(toKeptTime(at)).toISOString()

/** How far a test has moved a session's clock, in milliseconds. */
export interface ClockMove {
  /** The session clock minus the mock's clock; negative if it is behind. */
  readonly offset: number
  /** The sum of all moves forward. They count as elapsed time even after the clock is reset. */
  readonly passed: number
}

/**
 * What a write does to a session. Changes are deterministic: applied in the same order, they always produce the same data,
 * so a file or another mock needs nothing else.
 */
export type Change =
  | (ProjectChange & { readonly project: string })
  /** Replaces all data of a project; without data: with the fixtures. */
  | { readonly kind: 'project'; readonly project: string; readonly data?: ProjectData | undefined }
  /** Replaces all data of a session; without data: with the fixtures. */
  | { readonly kind: 'session'; readonly data?: SessionData | undefined }
  /** Ends the session and deletes its snapshots; permanently if it is final. */
  | { readonly kind: 'end'; readonly isFinal?: true | undefined }
  /** Takes a snapshot of the session's data; without a time: removes the snapshot. */
  | { readonly kind: 'snapshot'; readonly name: string; readonly takenAt?: string | undefined }
  /** Restores the session from a snapshot. */
  | { readonly kind: 'restore'; readonly name: string }
  /** Activates scenarios; without names: those given on the command line. */
  | { readonly kind: 'active'; readonly names?: readonly string[] | undefined }
  /** Defines a scenario; without a definition: removes it. */
  | { readonly kind: 'scenario'; readonly name: string; readonly scenario?: StoredScenario | undefined }
  /** Moves the session's clock, or resets it. */
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

/** Everything in a session; a reset writes it. */
const SESSION = 'session'

/** The clock offset of the session. */
const CLOCK = 'clock'

const nameOfKey = (project: string, key: StateKey | 'everything'): string => `${project}\n${key}`

/** Records that a key of a project was read. Replacing the project or the session writes every key. */
export function noteRead(readKeys: Set<string>, project: string, key: StateKey): void {
  readKeys.add(SESSION).add(nameOfKey(project, 'everything')).add(nameOfKey(project, key))
}

/** Records that the session's clock was read. Ending the session resets the clock too. */
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
 * Records what a change writes. A write that has read one of these keys must be retried.
 *
 * @param read reads a project as it is before the change
 */
export function noteWritten(writeKeys: Set<string>, change: Change, read: (project: string) => ProjectData): void {
  if (change.kind === 'session' || change.kind === 'restore' || change.kind === 'end') writeKeys.add(SESSION)
  if (change.kind === 'clock') writeKeys.add(CLOCK)
  if (!('project' in change)) return
  if (change.kind === 'project') writeKeys.add(nameOfKey(change.project, 'everything'))
  const keys = listWriteKeys(change, read(change.project))
  for (const key of [...keys, 'anything' as const]) writeKeys.add(nameOfKey(change.project, key))
}

/** Whether one write read a key that the other wrote. */
export function isOvertaken(readKeys: ReadonlySet<string>, writeKeys: ReadonlySet<string>): boolean {
  for (const one of writeKeys) if (readKeys.has(one)) return true
  return false
}

/** The number of commits in the log; 0 if it is empty. */
export type Position = number

/** A reader's position in the log of a session. */
export interface LogPosition {
  readonly position: Position
  /** The id of the last commit read, if the log has commit ids. */
  readonly commitId?: string | undefined
}

/** The start of a log. */
export const START: LogPosition = { position: 0 }

/** For a write that does not depend on anything it read. */
export const ANY_POSITION: LogPosition = { position: Infinity }

/** The changes of one write to one session; atomic. */
export interface Commit {
  readonly session: string
  /** The log position at which the write started. */
  readonly after: LogPosition
  /** What the write read; see `noteRead`. */
  readonly readKeys: ReadonlySet<string>
  /** What the write changed; see `noteWritten`. */
  readonly writeKeys: ReadonlySet<string>
  readonly changes: readonly Change[]
  readonly writer?: Writer | undefined
}

/** A commit stored in a log. */
export interface KeptCommit extends LogPosition {
  readonly changes: readonly Change[]
  /** Undefined if the log does not know. */
  readonly writer?: Writer | undefined
  /** Its changes rebuild the session from scratch and replace the reader's state. */
  readonly isWhole?: true
  /** Written by another mock. */
  readonly isForeign?: true
}

/**
 * Whether a commit was stored, or conflicted with a commit that wrote a key it had read. `commits` are the session's
 * commits that the writer had not seen, in order, including its own.
 */
export interface AppendResult {
  readonly isKept: boolean
  readonly commits: readonly KeptCommit[]
  /** Whether the session should be compacted: see {@link ChangeLog.compact}. */
  readonly isLong?: boolean
}

/** Stores the changes of sessions, for restarts or for other mocks. */
export interface ChangeLog {
  /** The commits of a session after a position; undefined if no other mock writes to the log. */
  since(session: string, after: LogPosition): Promise<readonly KeptCommit[]> | undefined
  /** Stores a commit unless it conflicts. Atomic: if it rejects, nothing was stored. */
  append(commit: Commit): Promise<AppendResult>
  /**
   * Replaces the commits of a session up to a position with its state at that position. Absent if the log compacts itself.
   *
   * @param changes rebuild the session from scratch
   */
  compact?(session: string, at: LogPosition, changes: readonly Change[]): Promise<void>
  /** Resolves once every appended commit has been stored or has failed. */
  close(): Promise<void>
  /** Why the last append failed; undefined after the next success. */
  fault(): unknown
}

/** The author of a write. */
export type Writer =
  /** A service request, by its correlation id. */
  | { readonly kind: 'request'; readonly correlationId: string }
  /** The other writer in a scenario, which wrote just before a request. */
  | { readonly kind: 'scenario'; readonly scenario: string; readonly correlationId: string }
  /** The admin API, with the time by the mock's clock, ISO 8601: the record it wrote may have any timestamp. */
  | { readonly kind: 'admin'; readonly time: string }
