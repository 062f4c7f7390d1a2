import type { Change } from './change.ts'
import type { ProjectData } from './project-data.ts'

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
