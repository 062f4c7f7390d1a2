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

/** What an operation looks at in a project, or a change touches. */
export type Aspect = `id ${string}` | `key ${string}` | 'latest' | 'count' | 'action' | `posted ${string}` | 'anything'

/** Everything of a session: what a reset touches. */
const SESSION = 'session'

/** How far the clock of the session was moved. */
const CLOCK = 'clock'

const nameOf = (project: string, aspect: Aspect | 'everything'): string => `${project}\n${aspect}`

/** Notes that an aspect of a project was read. Replacing the project, or the whole session, changes every aspect. */
export function noteRead(reads: Set<string>, project: string, aspect: Aspect): void {
  reads.add(SESSION).add(nameOf(project, 'everything')).add(nameOf(project, aspect))
}

/** Notes that the clock of the session was read. Its end puts the clock back, too. */
export function noteClockRead(reads: Set<string>): void {
  reads.add(SESSION).add(CLOCK)
}

/** The aspects of a project that a change touches. */
function listAspects(change: Change, before: ProjectData): readonly Aspect[] {
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
 * Notes what a change touches. Two writes of which one touches what the other has read can only be made one after the
 * other.
 *
 * @param before the project before the change
 */
export function noteTouched(touches: Set<string>, change: Change, before: ProjectData): void {
  if (change.kind === 'session' || change.kind === 'restore' || change.kind === 'end') touches.add(SESSION)
  if (change.kind === 'clock') touches.add(CLOCK)
  if (!('project' in change)) return
  if (change.kind === 'project') touches.add(nameOf(change.project, 'everything'))
  for (const aspect of [...listAspects(change, before), 'anything' as const])
    touches.add(nameOf(change.project, aspect))
}

/** Whether one of the two has touched what the other rests on. */
export function isOvertaken(reads: ReadonlySet<string>, touched: ReadonlySet<string>): boolean {
  for (const one of touched) if (reads.has(one)) return true
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
