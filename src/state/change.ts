import type { ProjectChange } from './project-change.ts'
import type { ProjectData } from './project-data.ts'
import type { ClockMove, SessionData, StoredScenario } from './state-data.ts'

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
  /** The session ends, its snapshots included; for good if it is final. */
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

/** Whether a change only takes away, so that a session which ended does not start again. */
export const isReset = (change: Change): boolean =>
  change.kind === 'end' || ((change.kind === 'session' || change.kind === 'project') && change.data === undefined)

/** Whether a change is to a part of a project, and not to all of it. */
export const isProjectChange = (change: Change): change is ProjectChange & { readonly project: string } =>
  'project' in change && change.kind !== 'project'

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

/** Where a project is: the name of its base URL (`eu/gcp`, or empty) and its key. */
export interface ProjectName {
  readonly baseUrl: string
  readonly projectKey: string
}

/**
 * The name under which a session keeps what each of its other projects starts with, in the place of the fixtures. No
 * path names it: a project key is never empty (D71).
 */
export const EVERY_PROJECT: ProjectName = { baseUrl: '', projectKey: '' }

const SEPARATOR = '\u0000'

export const toProjectId = ({ baseUrl, projectKey }: ProjectName): string => baseUrl + SEPARATOR + projectKey

export function parseProjectId(id: string): ProjectName {
  const at = id.indexOf(SEPARATOR)
  return { baseUrl: id.slice(0, at), projectKey: id.slice(at + 1) }
}
