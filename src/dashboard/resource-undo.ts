import { problem } from '../errors.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { toTarget } from '../journal/target.ts'
import { toResourceText } from '../state/resource-record.ts'
import type { Resource } from '../state/resource.ts'
import type { ProjectName } from '../state/store.ts'
import { toStatePath } from './projects.ts'
import type { Show } from './show.ts'
import type { Step } from './step.ts'
import type { Undo } from './undo.ts'
import { isWrite } from './versions.ts'

const resourcesOf = ({ parts, session }: Show, project: ProjectName): ReadonlyMap<string, Resource> =>
  parts.store.access(session.name, project).read().resources

/** Puts a resource back as it was before a change, unless it has changed again since. */
function toUndo(project: ProjectName, id: string, before: Resource | undefined, after: Resource | undefined): Undo {
  const path = toStatePath(project, `/resources/${encodeURIComponent(id)}`)
  return (then): readonly Step[] => {
    // Records are never changed in place: another version is another object.
    if (resourcesOf(then, project).get(id) !== after) {
      const name = JSON.stringify(before?.key ?? after?.key ?? id)
      throw problem.invalidInput(
        `The resource ${name} has changed since, and undo would overwrite that change. Open it under Data and edit it there.`,
      )
    }
    return [before === undefined ? `DELETE ${path}` : `PUT ${path} ${toResourceText(before)}`]
  }
}

/** Call it before one resource is changed, and the function that it returns afterwards. */
export function keepResource(show: Show, project: ProjectName, id: string): () => Undo {
  const before = resourcesOf(show, project).get(id)
  return () => toUndo(project, id, before, resourcesOf(show, project).get(id))
}

/** Whether a write was to that resource: its `Location` says so (D5), or its path. */
function isTo(entry: JournalEntry, { id, key }: Resource): boolean {
  const path = entry.response.headers['location'] ?? toTarget(entry.request.url).path
  return (
    path.endsWith(`/resource/${id}`) || (key !== undefined && path.endsWith(`/resource/key=${encodeURIComponent(key)}`))
  )
}

/**
 * Call it before a request is sent, and the function that it returns with the request's entry. That gives the undo of what
 * the request did to a resource; undefined where it did nothing.
 */
export function keepRequest(show: Show, project: ProjectName): (entry: JournalEntry | undefined) => Undo | undefined {
  const before = new Map(resourcesOf(show, project))
  return (entry) => {
    if (entry === undefined || !isWrite(entry) || entry.operation === 'uploadImage') return undefined
    const after = resourcesOf(show, project)
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(id), after.get(id)]
      const resource = is ?? was
      if (was !== is && resource !== undefined && isTo(entry, resource)) return toUndo(project, id, was, is)
    }
    return undefined
  }
}
