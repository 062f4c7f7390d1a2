import type { JournalEntry } from '../journal/entry.ts'
import { toTarget } from '../journal/target.ts'
import type { ProjectName } from '../state/project-name.ts'
import { findProject, isSameProject } from './projects.ts'

/** A version of a resource and the request that made it. */
export interface Version {
  readonly version: string
  readonly entry: JournalEntry
}

/** Whether a request changed something. */
export const isWrite = ({ request: { method }, response: { status } }: JournalEntry): boolean =>
  method !== 'GET' && method !== 'HEAD' && status >= 200 && status < 300

function isAbout(entry: JournalEntry, project: ProjectName): boolean {
  const found = findProject(entry)
  return found !== undefined && isSameProject(found, project)
}

/**
 * The versions of a resource that requests made, newest first. A write names it in `Location` and `ETag` (D5), a deletion
 * in its path.
 *
 * @param newest newest first
 */
export function listVersions(newest: readonly JournalEntry[], project: ProjectName, id: string): readonly Version[] {
  return newest.flatMap((entry) => {
    const { request, response } = entry
    if (!isWrite(entry) || !isAbout(entry, project)) return []
    const { location, etag } = response.headers
    const path = location ?? toTarget(request.url).path
    if (!path.endsWith(`/resource/${id}`)) return []
    return [{ version: request.method === 'DELETE' ? 'deleted' : (etag?.replaceAll('"', '') ?? ''), entry }]
  })
}
